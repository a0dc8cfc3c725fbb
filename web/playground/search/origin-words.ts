// What made a program, in words. Must not know programs.
import type { Origin } from '../../../src/evolve/lineage.js';

export const ORIGIN_WORDS: Readonly<Record<Origin, { readonly name: string; readonly what: string }>> = {
  initial: { name: 'initial', what: 'one of the first programs' },
  copy: { name: 'copy', what: 'an unchanged copy' },
  insert: { name: 'insert', what: 'an instruction was inserted' },
  remove: { name: 'remove', what: 'an instruction was removed' },
  'randomize-function': { name: 'randomize function', what: 'all instructions of a function were drawn anew' },
  'alter-argument': { name: 'alter argument', what: 'one argument of an instruction changed' },
  'randomize-instruction': { name: 'randomize instruction', what: 'one instruction was drawn anew' },
  trade: { name: 'trade', what: 'an instruction was removed and another inserted' },
  connect: { name: 'connect', what: 'something that is in use got a new value' },
  train: { name: 'train', what: 'something that predictions read got an update' },
  expand: { name: 'expand', what: 'an input was replaced by something made of it' },
  rewire: { name: 'rewire', what: 'an operand or the op of an instruction in use changed' },
  tweak: { name: 'tweak', what: 'a constant in use changed' },
  drop: { name: 'drop', what: 'an instruction in use was removed' },
  redraw: { name: 'redraw', what: 'one instruction was drawn anew' },
  swap: { name: 'swap', what: 'two instructions changed places' },
  migration: { name: 'migration', what: 'it came from another island' },
};

// Many programs in a few arrays, without gaps: how they are saved. Must not know what they are for.

import { countInstructions, FUNCTION_NAMES, forFunctions, type Program } from '../program.js';
import { FUNCTIONS, packWord } from './code-layout.js';
import { type CodeStore, packIndices, unpackInstruction } from './code-store.js';

export interface PackedPrograms {
  /** Of each program, the lengths of its functions. */
  readonly lengths: Int32Array;
  /** Of each instruction, one program after the other: op and addresses, element indices, two constants. */
  readonly words: Int32Array;
  readonly indices: Int32Array;
  readonly constants: Float64Array;
}

/** Programs whose addresses and indices fit into code. */
export function packPrograms(programs: readonly Program[]): PackedPrograms {
  const count = programs.reduce((total, program) => total + countInstructions(program), 0);
  const lengths = new Int32Array(FUNCTIONS * programs.length);
  const words = new Int32Array(count);
  const indices = new Int32Array(count);
  const constants = new Float64Array(2 * count);
  let at = 0;
  for (const [k, program] of programs.entries()) {
    for (const [fn, name] of FUNCTION_NAMES.entries()) {
      lengths[FUNCTIONS * k + fn] = program[name].length;
      for (const { op, in1, in2, out, index1, index2, const1, const2 } of program[name]) {
        words[at] = packWord(op, in1, in2, out);
        indices[at] = packIndices(index1, index2);
        constants[2 * at] = const1;
        constants[2 * at + 1] = const2;
        at++;
      }
    }
  }
  return { lengths, words, indices, constants };
}

/** The programs at some places of a store. */
export function packPlaces(store: CodeStore, places: ArrayLike<number>): PackedPrograms {
  const lengths = new Int32Array(FUNCTIONS * places.length);
  let count = 0;
  for (let k = 0; k < places.length; k++) {
    for (let fn = 0; fn < FUNCTIONS; fn++) {
      lengths[FUNCTIONS * k + fn] = store.length(places[k]!, fn);
      count += store.length(places[k]!, fn);
    }
  }
  const words = new Int32Array(count);
  const indices = new Int32Array(count);
  const constants = new Float64Array(2 * count);
  let at = 0;
  for (let k = 0; k < places.length; k++) {
    for (let fn = 0; fn < FUNCTIONS; fn++) {
      const first = store.first(places[k]!, fn);
      const length = store.length(places[k]!, fn);
      // These are a few words each, which is faster one by one.
      for (let n = first; n < first + length; n++, at++) {
        words[at] = store.words[n]!;
        indices[at] = store.indices[n]!;
        constants[2 * at] = store.constants[2 * n]!;
        constants[2 * at + 1] = store.constants[2 * n + 1]!;
      }
    }
  }
  return { lengths, words, indices, constants };
}

/** Where each of the programs begins. */
export function programStarts({ lengths }: PackedPrograms): Int32Array {
  const starts = new Int32Array(lengths.length / FUNCTIONS);
  let at = 0;
  for (let k = 0; k < starts.length; k++) {
    starts[k] = at;
    for (let fn = 0; fn < FUNCTIONS; fn++) at += lengths[FUNCTIONS * k + fn]!;
  }
  return starts;
}

/** Writes one of the programs, which begins there, to a place of a store. */
export function unpackTo(store: CodeStore, place: number, packed: PackedPrograms, k: number, start: number): void {
  const { lengths, words, indices, constants } = packed;
  let at = start;
  for (let fn = 0; fn < FUNCTIONS; fn++) {
    const length = lengths[FUNCTIONS * k + fn]!;
    const first = store.first(place, fn);
    store.lengths[FUNCTIONS * place + fn] = length;
    for (let n = first; n < first + length; n++, at++) {
      store.words[n] = words[at]!;
      store.indices[n] = indices[at]!;
      store.constants[2 * n] = constants[2 * at]!;
      store.constants[2 * n + 1] = constants[2 * at + 1]!;
    }
  }
}

/** One of the programs, which begins there. */
export function unpackProgram(packed: PackedPrograms, number: number, start: number): Program {
  const { lengths, words, indices, constants } = packed;
  let at = start;
  const read = () => {
    const n = at++;
    return unpackInstruction(words[n]!, indices[n]!, constants[2 * n]!, constants[2 * n + 1]!);
  };
  return forFunctions((name) =>
    Array.from({ length: lengths[FUNCTIONS * number + FUNCTION_NAMES.indexOf(name)]! }, () => read()),
  );
}

export function unpackPrograms(packed: PackedPrograms): Program[] {
  const starts = programStarts(packed);
  return Array.from(starts, (start, number) => unpackProgram(packed, number, start));
}

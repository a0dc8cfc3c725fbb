// Programs without a part of them: instructions removed, so that their addresses keep what they had, or bypassed, so that an output
// is a copy of an input. Pure. Must not know which parts are worth it, nor what it costs in accuracy.
import { opById, opByName } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { printInstruction } from '../../program/print.js';
import { forFunctions, type Instruction, makeInstruction, type Program } from '../../program/program.js';
import type { Place } from '../explain/explanation.js';

/** What becomes of one instruction; it goes if there is nothing in its place. */
export interface Edit {
  readonly place: Place;
  readonly becomes?: Instruction;
}

/** One way to knock something out. */
export interface Way {
  /** `removed`, or the copies that stand in for outputs: `v4 = v2`. */
  readonly how: string;
  readonly edits: readonly Edit[];
}

const COPY = { s: 'scalar-maximum', v: 'vector-maximum', m: 'matrix-maximum' } as const;

/** There is no op that copies; the maximum of a value and itself is exact, NaN included. */
export function copyInstruction(type: OperandType, from: number, to: number): Instruction {
  return makeInstruction({ op: opByName(COPY[type]).id, inputs: [from, from], out: to });
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.function === b.function && a.index === b.index;
}

export function instructionAt(program: Program, { function: name, index }: Place): Instruction {
  return program[name][index]!;
}

export function applyEdits(program: Program, edits: readonly Edit[]): Program {
  return forFunctions((name) =>
    program[name].flatMap((instruction, index) => {
      const edit = edits.find(({ place }) => isSamePlace(place, { function: name, index }));
      if (edit === undefined) return [instruction];
      return edit.becomes === undefined ? [] : [edit.becomes];
    }),
  );
}

/** The addresses of a type that an instruction reads, each once. */
function readsOf(instruction: Instruction, type: OperandType): number[] {
  const addresses = [instruction.in1, instruction.in2];
  return [...new Set(opById(instruction.op).inputs.flatMap((input, k) => (input === type ? [addresses[k]!] : [])))];
}

function writes({ op, out }: Instruction, type: OperandType, address: number): boolean {
  return opById(op).output === type && out === address;
}

/** Whether an address holds at `to` what it held at `from`, once the section between them is gone. */
function isKept(
  program: Program,
  from: Place,
  to: Place,
  section: readonly Place[],
  type: OperandType,
  address: number,
) {
  if (from.function !== to.function || from.index > to.index) return false;
  return !program[from.function].some((instruction, index) => {
    const isBetween = index >= from.index && index < to.index;
    const isOfSection = section.some((place) => isSamePlace(place, { function: from.function, index }));
    return isBetween && !isOfSection && writes(instruction, type, address);
  });
}

/**
 * The ways to knock out a section whose only output is written at `output`: all of it removed, or the output bypassed by each input
 * of its type that the section is given.
 */
export function waysOfSection(program: Program, section: readonly Place[], output: Place): Way[] {
  const removed: Edit[] = section.map((place) => ({ place }));
  const last = instructionAt(program, output);
  const type = opById(last.op).output!;
  const inputs = new Set<number>();
  for (const place of section) {
    for (const address of readsOf(instructionAt(program, place), type)) {
      // What the section writes itself is gone with it; into itself, a copy is nothing.
      const isOwn = section.some((other) => writes(instructionAt(program, other), type, address));
      if (!isOwn && address !== last.out && isKept(program, place, output, section, type, address)) inputs.add(address);
    }
  }
  const bypasses = [...inputs].map((address): Way => {
    const becomes = copyInstruction(type, address, last.out);
    const edits = removed.map((edit) => (isSamePlace(edit.place, output) ? { ...edit, becomes } : edit));
    return { how: `${type}${last.out} = ${type}${address}`, edits };
  });
  return [{ how: 'removed', edits: removed }, ...bypasses];
}

/** The ways to knock out one instruction. */
export function waysOfInstruction(program: Program, place: Place): Way[] {
  return waysOfSection(program, [place], place);
}

/** `predict 3: v4 = dot(m0, v2)`; lines count from 1. */
export function describeInstruction(program: Program, place: Place): string {
  return `${place.function} ${place.index + 1}: ${printInstruction(instructionAt(program, place))}`;
}

// Programs in code stores just large enough for them.
import type { CandidateEvaluator, Evaluation } from '../../src/evaluate/candidate-evaluator.js';
import { OPS } from '../../src/ops/ops.js';
import { CodeStore } from '../../src/program/flat/code-store.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  forFunctions,
  type MemorySizes,
  type Program,
} from '../../src/program/program.js';

/** The smallest memory that has every address of some programs, and those of tasks. */
export function memoryOf(programs: readonly Program[]): MemorySizes {
  const sizes = { s: 2, v: 3, m: 1 };
  for (const { op, in1, in2, out } of programs.flatMap((program) => FUNCTION_NAMES.flatMap((name) => program[name]))) {
    const { inputs, output } = OPS[op]!;
    for (const [type, address] of [[inputs[0], in1] as const, [inputs[1], in2] as const, [output, out] as const]) {
      if (type !== undefined) sizes[type] = Math.max(sizes[type], address + 1);
    }
  }
  return { scalars: sizes.s, vectors: sizes.v, matrices: sizes.m };
}

function lengthsOf(programs: readonly Program[]): ForFunctions<number> {
  return forFunctions((name) => Math.max(...programs.map((program) => program[name].length)));
}

export function storeOf(
  programs: readonly Program[],
  memory: MemorySizes = memoryOf(programs),
  lengths: ForFunctions<number> = lengthsOf(programs),
): CodeStore {
  const store = new CodeStore(memory, lengths, programs.length);
  for (const [k, program] of programs.entries()) store.write(k, program);
  return store;
}

/** Evaluates a program alone in a store. */
export function evaluateProgram(
  evaluator: CandidateEvaluator,
  program: Program,
  hurdles: readonly number[],
): Evaluation {
  return evaluator.evaluate(storeOf([program]), 0, hurdles);
}

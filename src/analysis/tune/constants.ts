// The constants of a program as hyperparameters: which there are, and the program with each scaled (paper, supplement "Algorithm
// Selection and Evaluation"). Must not know how good scales are found.
import { opById } from '../../ops/ops.js';
import { liveness } from '../../program/liveness.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type Program,
} from '../../program/program.js';

/** A constant of a program that can be tuned, and the instruction that has it. */
export interface Constant {
  readonly function: FunctionName;
  readonly index: number;
  /** The first or the second constant of the instruction. */
  readonly slot: 0 | 1;
  readonly value: number;
}

function constantsOf(instruction: Instruction): number[] {
  return [instruction.const1, instruction.const2].slice(0, opById(instruction.op).constantSpecs.length);
}

/** Those that can reach a prediction, and that scaling changes: zeros stay zeros. */
export function tunableConstants(program: Program, labels: LabelKind): Constant[] {
  const live = liveness(program, labels);
  return FUNCTION_NAMES.flatMap((name) =>
    program[name].flatMap((instruction, index) =>
      live[name][index]
        ? constantsOf(instruction).map((value, k) => ({ function: name, index, slot: k as 0 | 1, value }))
        : [],
    ),
  ).filter(({ value }) => value !== 0);
}

/** The program with each of the constants times its factor. */
export function scaleConstants(program: Program, constants: readonly Constant[], factors: readonly number[]): Program {
  return forFunctions((name) =>
    program[name].map((instruction, index) => {
      let scaled = instruction;
      for (const [k, constant] of constants.entries()) {
        if (constant.function !== name || constant.index !== index) continue;
        // A product beyond the largest number would make the program invalid.
        const value = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, constant.value * factors[k]!));
        scaled = constant.slot === 0 ? { ...scaled, const1: value } : { ...scaled, const2: value };
      }
      return scaled;
    }),
  );
}

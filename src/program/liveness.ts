// What follows from liveness: the live instructions, the program without the others (paper, supplement "Interpreting
// Algorithms", a), and the numbers that key random draws. Must not run anything.
import { opById } from '../ops/ops.js';
import { LivenessAnalysis } from './liveness-analysis.js';
import { type ForFunctions, forFunctions, type LabelKind, type Program } from './program.js';

/** Of each instruction, whether it can reach a prediction. */
export type Liveness = ForFunctions<readonly boolean[]>;

const analysis = new LivenessAnalysis();

/** Which instructions can reach a prediction. */
export function liveness(program: Program, labels: LabelKind = 'scalar'): Liveness {
  analysis.run(program, labels);
  const first = { setup: 0, predict: program.setup.length, learn: program.setup.length + program.predict.length };
  return forFunctions((name) =>
    Array.from(analysis.marks.subarray(first[name], first[name] + program[name].length), (bits) => bits !== 0),
  );
}

/** The program without the instructions that cannot reach a prediction. */
export function simplify(program: Program, labels: LabelKind = 'scalar'): Program {
  const live = liveness(program, labels);
  return forFunctions((name) => program[name].filter((_, k) => live[name][k]));
}

/** Beyond any ordinal of a live instruction. */
const FIRST_DEAD_ORDINAL = 2 ** 31;

/**
 * For each instruction, the number that keys its random draws: live random instructions are counted in the order setup,
 * predict, learn, so that a program and its simplified form draw the same numbers; dead ones get numbers of their own.
 */
export function randomOrdinals(program: Program, labels: LabelKind): ForFunctions<readonly number[]> {
  const live = liveness(program, labels);
  let nextLive = 0;
  let nextDead = FIRST_DEAD_ORDINAL;
  return forFunctions((name) =>
    program[name].map(({ op }, k) => (opById(op).random ? (live[name][k] ? nextLive++ : nextDead++) : 0)),
  );
}

// The bytes of an encoded instruction and of the tables that the evaluation loop reads: the contract between the encoder
// (JavaScript) and the kernels and the loop (WebAssembly). Must not know ops.
import type { OperandType } from '../../ops/types.js';
import { type Layout, roundUp } from './layout.js';

/** An instruction: kernel number, pointers to its operands, constants. */
export const INSTRUCTION = {
  bytes: 32,
  kernel: 0,
  in1: 4,
  in2: 8,
  out: 12,
  const1: 16,
  const2: 24,
  /** The third input of a fused pair, in place of constants. */
  in3: 16,
  /** Of a random instruction, in place of its inputs. */
  ordinal: 4,
} as const;

/** What one evaluation needs to know, followed by its blocks of tasks. */
export const JOB = {
  setup: 0,
  predict: 4,
  learn: 8,
  /** Where the code of Learn ends; the functions lie one after the other. */
  codeEnd: 12,
  /** Memory that must be zero at the start: address and bytes. */
  memory: 16,
  memoryBytes: 20,
  features: 24,
  label: 28,
  prediction: 32,
  /** 1 if Predict changes the features, which Learn must see as they were. */
  rewriteFeatures: 36,
  epochs: 40,
  maxTrainSteps: 44,
  blocks: 48,
  bytes: 64,
} as const;

/** One block of tasks. */
export const BLOCK = {
  /** Examples: features and label of all tasks, one example after the other. */
  train: 0,
  trainCount: 4,
  valid: 8,
  validCount: 12,
  /** One 64-bit state for each task, of which keys of random draws are made. */
  randomStates: 16,
  /** Working memory and results of the block: see `resultLayout`. */
  result: 20,
  /** Where to write errors and predictions of every example, or 0. */
  trace: 24,
  bytes: 32,
} as const;

/** Working memory and results of a block: where each part begins, and the bytes of all. */
export function resultLayout(layout: Layout) {
  const { lanes } = layout;
  const alive = 0;
  const errors = alive + layout.usedBytes('s');
  const totals = errors + layout.usedBytes('s');
  const best = totals + 8 * lanes;
  const lastStep = best + 8 * lanes;
  return {
    /** A mask in the lanes of tasks that still run. */
    alive,
    /** The errors of the current example. */
    errors,
    /** The sum of squared errors of this validation, f64 for each task. */
    totals,
    /** The smallest of these sums over epochs, f64 for each task; infinite before the first. */
    best,
    /** The example at which a task was stopped, or the last; i32 for each task. */
    lastStep,
    bytes: roundUp(lastStep + 4 * lanes, 16),
  } as const;
}

/** Bytes of an example in the block's data: features, then the label of every task. */
export function exampleBytes(layout: Layout): number {
  return labelOffset(layout) + layout.usedBytes('s');
}

export function labelOffset(layout: Layout): number {
  return roundUp(layout.usedBytes('v'), 16);
}

/** Bytes that a traced example leaves: errors, then the prediction of every task. */
export function traceBytes(layout: Layout, prediction: OperandType): number {
  return layout.usedBytes('s') + roundUp(layout.usedBytes(prediction), 16);
}

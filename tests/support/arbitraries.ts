// Random valid programs and tasks for property tests, with shrinking.
import fc from 'fast-check';
import type { Loss, Task } from '../../src/engine/engine.js';
import { OPS, opById } from '../../src/ops/ops.js';
import type { Op } from '../../src/ops/types.js';
import {
  type Instruction,
  type LabelKind,
  type MemorySizes,
  makeInstruction,
  memorySize,
  type Program,
  TASK_ADDRESSES,
} from '../../src/program/program.js';
import { deriveSeed, RandomStream } from '../../src/util/random.js';

// The same cases every time, so that CI is not a lottery; FC_SEED=$RANDOM npm test looks elsewhere.
export const SEED = Number(process.env.FC_SEED ?? 1);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export const SMALL_MEMORY: MemorySizes = { scalars: 5, vectors: 5, matrices: 3 };

function instructionOf(op: Op, memory: MemorySizes, constant: fc.Arbitrary<number>): fc.Arbitrary<Instruction> {
  const address = (type: 's' | 'v' | 'm') => fc.nat(memorySize(memory, type) - 1);
  return fc
    .record({
      inputs: fc.tuple(...op.inputs.map(address)),
      out: op.output === undefined ? fc.constant(0) : address(op.output),
      indices: fc.array(fc.nat(3), { minLength: op.indices, maxLength: op.indices }),
      constants: fc.array(constant, { minLength: op.constantSpecs.length, maxLength: op.constantSpecs.length }),
    })
    .map((parts) => makeInstruction({ op: op.id, ...parts }));
}

/** Constants as searches have them, with zeros of both signs. */
const plainConstant = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1) },
);

/** Also numbers that soon overflow, vanish or leave every function's domain. */
export const wildConstant = fc.oneof(
  { weight: 6, arbitrary: plainConstant },
  { weight: 1, arbitrary: fc.constantFrom(1e300, -1e300, 1e-310, -5e-324, 2 ** 70, -3.2e9, 700, -740, 0.5, 2) },
  { weight: 1, arbitrary: fc.double({ min: -1e7, max: 1e7, noNaN: true }) },
);

/** Any finite number: for text and JSON. */
export const anyConstant = fc.double({ noNaN: true, noDefaultInfinity: true });

export interface ProgramShape {
  readonly memory?: MemorySizes;
  readonly maxLength?: number;
  readonly constant?: fc.Arbitrary<number>;
}

export function arbitraryProgram(shape: ProgramShape = {}): fc.Arbitrary<Program> {
  const { memory = SMALL_MEMORY, maxLength = 8, constant = plainConstant } = shape;
  const instruction = fc.oneof(...OPS.map((op) => instructionOf(op, memory, constant)));
  const body = fc.array(instruction, { maxLength });
  return fc.record({ setup: body, predict: body, learn: body }, { noNullPrototype: true });
}

/** A small task with Gaussian features and labels that fit the loss. */
export function smallTask(features: number, loss: Loss, seed: number, examples = 12): Task {
  const random = new RandomStream(seed, features);
  const draw = (count: number) => ({
    count,
    features: Float64Array.from({ length: count * features }, () => random.gaussian()),
    labels: Float64Array.from({ length: count }, () =>
      loss === 'rms' ? random.gaussian() : random.integer(loss === 'accuracy' ? 2 : 10),
    ),
  });
  return { features, loss, train: draw(examples), valid: draw(6), seed: deriveSeed(seed) };
}

/** Programs at the ends of the addresses' range, so that behaviour is rarely trivial: the prediction is written. */
export function withPrediction(program: Program, labels: LabelKind): Program {
  const { type, address } = TASK_ADDRESSES[labels].prediction;
  const predict = program.predict.map((instruction, k) =>
    opById(instruction.op).output === type && k % 2 === 0 ? { ...instruction, out: address } : instruction,
  );
  return { ...program, predict };
}

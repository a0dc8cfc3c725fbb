// Pairs of instructions that the fast engine computes in one go: every pair, in every place of the operands that a program can
// have, against the interpreter.
import { expect, it } from 'vitest';
import { interpreter, interpreterF32 } from '../../src/engine/interpreter.js';
import { Encoder } from '../../src/engine/wasm/encoder.js';
import { INSTRUCTION } from '../../src/engine/wasm/encoding.js';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { heap } from '../../src/engine/wasm/heap.js';
import { fusedKernel } from '../../src/engine/wasm/kernels.js';
import { Layout } from '../../src/engine/wasm/layout.js';
import { OPS, opByName } from '../../src/ops/ops.js';
import type { OpName } from '../../src/ops/table.js';
import { makeInstruction, type Program } from '../../src/program/program.js';
import { pickCases } from '../support/amount.js';
import { smallTask } from '../support/arbitraries.js';

const layout = new Layout({ features: 4, precision: 'f64', kind: 'dense', tasks: 2 });
const id = (name: OpName) => opByName(name).id;

/** Addresses: of the result, of the other input of the second instruction, of the vector or matrix of the first. */
const PLACES: readonly (readonly [out: number, other: number, vector: number])[] = [
  [1, 1, 1],
  [1, 1, 2],
  [1, 2, 1],
  [1, 2, 2],
  [2, 1, 1],
  [3, 1, 2],
];
const FEATURES = [2, 3, 5, 8, 13, 45];

const PAIRS = OPS.flatMap((producer) =>
  OPS.flatMap((consumer) =>
    ([0, 1] as const)
      .filter((position) => fusedKernel(producer.id, consumer.id, position) >= 0)
      .map((position) => ({ producer, consumer, position })),
  ),
);

it('knows 30 pairs', () => {
  expect(PAIRS).toHaveLength(30);
});

it.each(PAIRS)('$producer.name then $consumer.name, as input $position, is computed as if apart', (pair) => {
  const { producer, consumer, position } = pair;
  const kernel = fusedKernel(producer.id, consumer.id, position);
  /** Setup fills v1, v2, m1, m2; Learn has the pair, whose result reaches the prediction. */
  const program = (out: number, other: number, vector: number): Program => {
    const fill = (name: OpName, address: number) =>
      makeInstruction({ op: id(name), out: address, constants: [-0.4, 0.6] });
    const value = 3;
    const scalar = producer.inputs[0] === 's';
    const inputs = scalar ? [2, vector] : producer.inputs.map((_, k) => (k === 0 ? vector : 3 - vector));
    const sum = consumer.output === 'm' ? id('matrix-mean') : id('vector-mean');
    return {
      setup: [
        fill('scalar-uniform', 2),
        ...[1, 2].flatMap((k) => [fill('vector-uniform', k), fill('matrix-uniform', k)]),
      ],
      predict: [makeInstruction({ op: sum, inputs: [out], out: 1 })],
      learn: [
        makeInstruction({ op: producer.id, inputs, out: value }),
        makeInstruction({ op: consumer.id, inputs: position === 0 ? [value, other] : [other, value], out }),
      ],
    };
  };
  for (const [out, other, vector] of pickCases(PLACES, 5)) {
    const encoder = new Encoder(layout, 'scalar');
    encoder.encode(program(out, other, vector));
    const { learn, codeEnd } = encoder.encoded;
    expect(codeEnd - learn).toBe(INSTRUCTION.bytes);
    expect(heap.i32[learn / 4]).toBe(kernel);
    encoder.dispose();
    for (const features of pickCases(FEATURES, 3)) {
      const tasks = [1, 2, 3].map((seed) => smallTask(features, 'rms', seed, 4));
      for (const [precision, reference] of [
        ['f64', interpreter],
        ['f32', interpreterF32],
      ] as const) {
        const expected = reference.prepare(tasks, { trace: true }).evaluate(program(out, other, vector));
        for (const kind of ['lanes', 'dense'] as const) {
          const evaluator = wasmEngine(precision, kind).prepare(tasks, { trace: true });
          expect(evaluator.evaluate(program(out, other, vector))).toStrictEqual(expected);
          evaluator.dispose();
        }
      }
    }
  }
});

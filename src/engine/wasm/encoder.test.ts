import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallTask } from '../../../tests/support/arbitraries.js';
import { OPS, opByName } from '../../ops/ops.js';
import type { OpName } from '../../ops/table.js';
import { parseProgram } from '../../program/parse.js';
import { type Instruction, makeInstruction, type Program } from '../../program/program.js';
import { interpreter, interpreterF32 } from '../interpreter.js';
import { Encoder, EncodingError } from './encoder.js';
import { INSTRUCTION } from './encoding.js';
import { wasmEngine } from './engine.js';
import { heap, OutOfMemoryError } from './heap.js';
import { fusedKernel } from './kernels.js';
import { Layout } from './layout.js';

const layout = new Layout({ features: 4, precision: 'f64', kind: 'dense', tasks: 2 });

/** The kernels that a program becomes, by function. */
function kernelsOf(text: string): { setup: number[]; predict: number[]; learn: number[] } {
  const encoder = new Encoder(layout, 'scalar');
  encoder.encode(parseProgram(text));
  const { setup, predict, learn, codeEnd } = encoder.encoded;
  const kernels = (begin: number, end: number) =>
    Array.from({ length: (end - begin) / INSTRUCTION.bytes }, (_, k) => heap.i32[(begin + k * INSTRUCTION.bytes) / 4]!);
  const result = { setup: kernels(setup, predict), predict: kernels(predict, learn), learn: kernels(learn, codeEnd) };
  encoder.dispose();
  return result;
}

const id = (name: OpName) => opByName(name).id;

describe('the encoder', () => {
  it('leaves out what cannot reach a prediction', () => {
    const { setup, predict, learn } = kernelsOf(`
def Setup():
  s3 = 0.5
  m0 = gaussian(0, 1)
  no_op
def Predict(v0):
  v1[2] = 0.25
  v1[2] = 0.5
  s1 = dot(v0, v1)
  s2 = s1 + s1
def Learn(v0, s0):
  s4 = s0 - s1
  v2 = s4 * v0
`);
    expect(setup).toEqual([]);
    expect(predict).toEqual([id('vector-element'), id('dot')]);
    expect(learn).toEqual([]);
  });

  it('fuses a pair whose value between is read nowhere else, in either order of inputs', () => {
    const { predict, learn } = kernelsOf(`
def Setup():
def Predict(v0):
  v1 = dot(m0, v0)
  s1 = dot(v1, v2)
def Learn(v0, s0):
  v3 = s0 * v1
  v2 = v2 + v3
  m1 = outer(v1, v0)
  s5 = s0 - s1
  m0 = m1 - m0
`);
    expect(predict).toEqual([id('matrix-vector'), id('dot')]);
    expect(learn).toEqual([
      fusedKernel(id('vector-scale'), id('vector-add'), 1),
      fusedKernel(id('outer'), id('matrix-subtract'), 0),
    ]);
  });

  it.each([
    ['a later instruction reads the value too', '  v3 = s0 * v0\n  v2 = v2 + v3\n  v2 = v2 * v3\n'],
    ['the next step reads the value', '  v2 = v2 + v4\n  v4 = s0 * v0\n  v2 = v2 + v4\n'],
    ['both inputs are the value', '  v3 = s0 * v0\n  v2 = v3 + v3\n'],
    ['the first input of the first changes in between', '  v3 = s2 * v0\n  s2 = s2 + s0\n  v2 = v2 + v3\n'],
    ['the second does', '  v4 = abs(v0)\n  v3 = s0 * v4\n  v4 = v0 + v0\n  v2 = v2 + v3\n  v2 = v2 * v4\n'],
    ['an element of the value changes in between', '  v3 = s0 * v0\n  v3[1] = 0.5\n  v2 = v2 + v3\n'],
  ])('fuses nothing if %s', (_, learn) => {
    const kernels = kernelsOf(
      `def Setup():\n  s2 = 1\ndef Predict(v0):\n  s1 = dot(v0, v2)\n  s3 = s2 * s2\n  s1 = s1 + s3\ndef Learn(v0, s0):\n${learn}`,
    );
    expect(kernels.learn.every((kernel) => kernel < OPS.length)).toBe(true);
    expect(kernels.learn.length).toBeGreaterThanOrEqual(2);
  });

  // Every pair, in every place of the operands that a program can have.
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
    for (const [out, other, vector] of [
      [1, 1, 1],
      [1, 1, 2],
      [1, 2, 1],
      [1, 2, 2],
      [2, 1, 1],
      [3, 1, 2],
    ] as const) {
      const encoder = new Encoder(layout, 'scalar');
      encoder.encode(program(out, other, vector));
      const { learn, codeEnd } = encoder.encoded;
      expect(codeEnd - learn).toBe(INSTRUCTION.bytes);
      expect(heap.i32[learn / 4]).toBe(kernel);
      encoder.dispose();
      for (const features of [2, 3, 5, 8, 13, 45]) {
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

  it('gives an output of its own to kernels that read after they have begun to write', () => {
    const { predict } = kernelsOf(
      'def Setup():\ndef Predict(v0):\n  v0 = dot(m0, v0)\n  s1 = mean(v0)\ndef Learn(v0, s0):\n  m0 = outer(v0, v0)\n',
    );
    expect(predict).toHaveLength(3);
  });

  it('has room for every copy of an output, and for addresses and elements far out', () => {
    const tasks = [1, 2].map((seed) => smallTask(3, 'rms', seed, 4));
    const transposes = '  m0 = transpose(m0)\n  m0 = matmul(m0, m0)\n'.repeat(60);
    for (const text of [
      `def Setup():\n  m0 = uniform(-0.5, 0.5)\n${transposes}def Predict(v0):\n  v1 = dot(m0, v0)\n  s1 = mean(v1)\ndef Learn(v0, s0):\n`,
      'def Setup():\n  m999[0, 7] = 0.5\n  m999[1000000, 999999] = 0.25\ndef Predict(v0):\n  v998 = dot(m999, v0)\n  s1 = mean(v998)\ndef Learn(v0, s0):\n  m999[4, 4] = 2\n',
    ]) {
      const program = parseProgram(text, { scalars: 5, vectors: 1000, matrices: 1000 });
      const expected = interpreter.prepare(tasks, { trace: true }).evaluate(program);
      for (const kind of ['lanes', 'dense'] as const) {
        const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
        expect(evaluator.evaluate(program)).toStrictEqual(expected);
        evaluator.dispose();
      }
    }
  });

  it('ignores fields that an op does not use', () => {
    const encoder = new Encoder(layout, 'scalar');
    const noOp = makeInstruction({ op: 0, out: 5000, inputs: [-1, 0.5] });
    expect(() => encoder.encode({ setup: [noOp], predict: [], learn: [] })).not.toThrow();
    encoder.dispose();
  });

  it('is whole again after memory was short', () => {
    const tasks = [1, 2].map((seed) => smallTask(4, 'rms', seed, 4));
    const { allocate } = heap;
    const long = parseProgram(
      `def Setup():\ndef Predict(v0):\n${'  m1 = outer(v0, v0)\n  s2 = norm(m1)\n  s1 = s1 + s2\n'.repeat(100)}def Learn(v0, s0):\n`,
    );
    const short = parseProgram('def Setup():\ndef Predict(v0):\n  s1 = mean(v0)\ndef Learn(v0, s0):\n');
    const [evaluator, other] = [wasmEngine('f64').prepare(tasks), wasmEngine('f64').prepare(tasks)];
    const expected = other.evaluate(short);
    for (const failing of [1, 2]) {
      let count = 0;
      heap.allocate = (bytes) => {
        if (++count === failing) throw new OutOfMemoryError('none left');
        return allocate.call(heap, bytes);
      };
      expect(() => evaluator.evaluate(long)).toThrow('none left');
      Object.assign(heap, { allocate });
      const third = wasmEngine('f64').prepare(tasks);
      expect(evaluator.evaluate(short)).toStrictEqual(expected);
      for (const each of [third, other]) expect(each.evaluate(short)).toStrictEqual(expected);
      third.dispose();
    }
    evaluator.dispose();
    other.dispose();
    expect(heap.used).toBe(0);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('gives everything back if allocation %i of an evaluator fails', (failing) => {
    const { allocate } = heap;
    let count = 0;
    heap.allocate = (bytes) => {
      if (count++ === failing) throw new OutOfMemoryError('none left');
      return allocate.call(heap, bytes);
    };
    const tasks = [smallTask(4, 'rms', 1, 4), smallTask(4, 'rms', 2, 5)];
    expect(() => wasmEngine('f64').prepare(tasks, { trace: true })).toThrow('none left');
    Object.assign(heap, { allocate });
    expect(heap.used).toBe(0);
  });

  it('writes each program over the one before, without taking more memory', () => {
    const encoder = new Encoder(layout, 'scalar');
    const program = parseProgram(
      'def Setup():\ndef Predict(v0):\n  s1 = dot(v0, v1)\ndef Learn(v0, s0):\n  v1 = s0 * v0\n',
    );
    encoder.encode(program);
    const [bytes, used] = [encoder.bytes, heap.used];
    for (let k = 0; k < 1000; k++) encoder.encode(program);
    expect([encoder.bytes, heap.used]).toEqual([bytes, used]);
    encoder.dispose();
  });
});

// Every region that is allocated gets a zone before and after it in which every number is NaN. What is written there shows, and
// what is read from there would make predictions NaN that are not.
const GUARD = 256;
const guards = new Map<number, number>();
const { allocate, release } = heap;

function fillGuards(begin: number, bytes: number): void {
  heap.u8.fill(0xff, begin - GUARD, begin);
  heap.u8.fill(0xff, begin + bytes, begin + bytes + GUARD);
}

function broken(): string[] {
  return [...guards].flatMap(([begin, bytes]) => {
    const zone = [...heap.u8.subarray(begin - GUARD, begin), ...heap.u8.subarray(begin + bytes, begin + bytes + GUARD)];
    return zone.every((byte) => byte === 0xff) ? [] : [`around ${begin}`];
  });
}

/** Instructions that no search and no parser makes. */
const strange = fc.oneof(
  { weight: 6, arbitrary: fc.nat(9) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-1, 4095, 4096, 2 ** 31, 2 ** 32 + 1, 1_000_000, 1_000_001, Number.NaN, 0.5),
  },
);
const strangeInstruction: fc.Arbitrary<Instruction> = fc.record(
  {
    op: fc.oneof({ weight: 20, arbitrary: fc.nat(64) }, { weight: 1, arbitrary: strange }),
    in1: strange,
    in2: strange,
    out: fc.oneof({ weight: 2, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: strange }),
    index1: strange,
    index2: strange,
    const1: fc.double(),
    const2: fc.double(),
  },
  { noNullPrototype: true },
);
const validInstruction = strangeInstruction.map((instruction) => {
  const whole = (x: number, below: number) => (Number.isInteger(x) ? Math.abs(x) % below : 0);
  const { op, in1, in2, out, index1, index2 } = instruction;
  return {
    ...instruction,
    op: whole(op, 65),
    in1: whole(in1, 6),
    in2: whole(in2, 6),
    out: whole(out, 6),
    index1: whole(index1, 1_000_001),
    index2: whole(index2, 1_000_001),
  };
});

function programsOf(instruction: fc.Arbitrary<Instruction>): fc.Arbitrary<Program> {
  const body = fc.array(instruction, { maxLength: 6 });
  return fc.record({ setup: body, predict: body, learn: body }, { noNullPrototype: true });
}

describe('whatever it encodes', () => {
  beforeAll(() => {
    heap.allocate = (bytes) => {
      const begin = allocate.call(heap, bytes + 2 * GUARD) + GUARD;
      guards.set(begin, bytes);
      fillGuards(begin, bytes);
      return begin;
    };
    heap.release = (begin) => {
      expect(guards.delete(begin)).toBe(true);
      release.call(heap, begin - GUARD);
    };
  });
  afterAll(() => {
    Object.assign(heap, { allocate, release });
  });

  const CASES = (['f64', 'f32'] as const).flatMap((precision) =>
    (['lanes', 'dense'] as const).flatMap((kind) =>
      [2, 3, 5, 8].flatMap((features) => [1, 3].map((tasks) => ({ precision, kind, features, tasks }))),
    ),
  );

  it.each(CASES)('stays in its region: $precision $kind, $features features, $tasks tasks', (options) => {
    const { precision, kind, features, tasks: count } = options;
    const tasks = Array.from({ length: count }, (_, k) => smallTask(features, 'rms', k, 4));
    const evaluator = wasmEngine(precision, kind).prepare(tasks, { trace: true });
    let ran = 0;
    fc.assert(
      fc.property(programsOf(strangeInstruction), programsOf(validInstruction), (anything, valid) => {
        for (const program of [anything, valid]) {
          try {
            evaluator.evaluate(program);
            ran++;
          } catch (error) {
            if (!(error instanceof EncodingError) || program === valid) throw error;
          }
          expect(broken()).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
    expect(ran).toBeGreaterThanOrEqual(150);
    evaluator.dispose();
    expect(guards.size).toBe(0);
  });

  it('lets nothing into its answers that lies around its region, where all is NaN', () => {
    for (const kind of ['lanes', 'dense'] as const) {
      for (const features of [2, 3, 5, 7, 10, 13]) {
        const loss = features >= 10 ? 'multiclass' : 'accuracy';
        const tasks = [1, 2, 3].map((seed) => smallTask(features, loss, seed, 6));
        const text = `
def Setup():
  m0 = gaussian(0, 0.3)
def Predict(v0):
  v3 = dot(m0, v0)
  v4 = norm(m0, axis=0)
  v5 = std(m0, axis=1)
  m1 = matmul(m0, m0)
  m1 = transpose(m1)
  v3 = v3 + v4
  v3 = v3 + v5
  v2 = dot(m1, v3)
  s3 = std(m1)
  s1 = mean(v2)
  s1 = s1 + s3
def Learn(v0, ${loss === 'multiclass' ? 'v1' : 's0'}):
  m2 = outer(v3, v0)
  m0 = m0 + m2
  m3 = bcast(v3, axis=1)
  m0 = m0 - m3
  s4 = norm(m0)
  s4 = 1 / s4
  m0 = s4 * m0
`;
        const program = parseProgram(text);
        const evaluator = wasmEngine('f64', kind).prepare(tasks, { trace: true });
        const outcomes = evaluator.evaluate(program);
        expect(outcomes).toStrictEqual(interpreter.prepare(tasks, { trace: true }).evaluate(program));
        expect(outcomes[0]!.trace!.predictions.every(Number.isFinite)).toBe(true);
        evaluator.dispose();
      }
    }
  });
});

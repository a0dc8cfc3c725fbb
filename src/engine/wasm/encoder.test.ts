import { describe, expect, it } from 'vitest';
import { smallTask } from '../../../tests/support/arbitraries.js';
import { OPS, opByName } from '../../ops/ops.js';
import type { OpName } from '../../ops/table.js';
import { parseProgram } from '../../program/parse.js';
import { makeInstruction } from '../../program/program.js';
import { OutOfMemoryError } from '../../wasm/api.js';
import { interpreter } from '../interpreter.js';
import { Encoder } from './encoder.js';
import { INSTRUCTION } from './encoding.js';
import { wasmEngine } from './engine.js';
import { heap } from './heap.js';
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

// tests/property has what every fused pair computes, and what lies around the memory of whatever is encoded.
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram, SMALL_MEMORY } from '../../../tests/support/arbitraries.js';
import { BUILTIN_NAMES, builtin } from '../builtin.js';
import { LIVE, LivenessAnalysis } from '../liveness-analysis.js';
import { parseSource } from '../parse.js';
import { FUNCTION_NAMES, type LabelKind, type Program } from '../program.js';
import { CodeFlow, MAX_FLOW_ADDRESSES } from './code-flow.js';
import { CodeStore } from './code-store.js';

const LENGTHS = { setup: 30, predict: 30, learn: 30 };
const MEMORY = { scalars: 10, vectors: 16, matrices: 4 };

function flowOf(program: Program, labels: LabelKind = 'scalar', memory = MEMORY): CodeFlow {
  const store = new CodeStore(memory, LENGTHS, 2);
  store.write(1, program);
  const flow = new CodeFlow(store, labels);
  flow.run(1);
  return flow;
}

const read = (predict: string, learn: string) =>
  parseSource(`def Setup():\n  s3 = 0.1\ndef Predict(v0):\n${predict}\ndef Learn(v0, s0):\n${learn}\n`).program;

function canLearn(predict: string, learn: string): boolean {
  return flowOf(read(predict, learn)).canLearn(1);
}

function formula(predict: string, learn: string): string {
  const flow = flowOf(read(predict, learn));
  flow.canLearn(1);
  return flow.formula(1);
}

const GRADIENT = '  s2 = s0 - s1\n  s2 = s3 * s2\n  v2 = s2 * v0\n  v1 = v1 + v2';

describe('what is live', () => {
  it('is what the analysis of plain programs finds', () => {
    const analysis = new LivenessAnalysis();
    for (const labels of ['scalar', 'vector'] as const) {
      fc.assert(
        fc.property(arbitraryProgram({ maxLength: 12 }), (program) => {
          // Elements that are surely set again are told apart there only.
          const setsElements = FUNCTION_NAMES.some((name) => program[name].some(({ op }) => op === 57 || op === 58));
          fc.pre(!setsElements);
          const flow = flowOf(program, labels, SMALL_MEMORY);
          analysis.run(program, labels);
          let k = 0;
          FUNCTION_NAMES.forEach((name, fn) => {
            program[name].forEach((_, n) => {
              expect(flow.isLive(fn, n)).toBe((analysis.marks[k++]! & LIVE) !== 0);
            });
          });
        }),
      );
    }
  });

  it('is known before every instruction', () => {
    const flow = flowOf(read('  s1 = dot(v0, v1)', GRADIENT));
    const bits = (...addresses: [number, number][]) =>
      addresses.reduce((set, [type, address]) => set | flow.bit(type, address), 0);
    // Before Predict: features, weights, learning rate; before the last of Learn: weights and their step as well.
    expect(flow.liveBefore(1, 0)).toBe(bits([1, 0], [1, 1], [0, 3]));
    expect(flow.liveBefore(2, 3)).toBe(bits([1, 1], [1, 2], [0, 3]));
    expect(flow.liveBefore(2, 4)).toBe(bits([1, 1], [0, 3]));
  });

  it('needs few addresses', () => {
    const store = new CodeStore({ scalars: 20, vectors: 10, matrices: 3 }, LENGTHS, 1);
    expect(() => new CodeFlow(store, 'scalar')).toThrow(`33 addresses, and at most ${MAX_FLOW_ADDRESSES} fit`);
  });
});

describe('a program can learn', () => {
  it('if its prediction depends on features and, through memory, on labels', () => {
    expect(canLearn('  s1 = dot(v0, v1)', GRADIENT)).toBe(true);
    // Through a chain of memory that takes several examples to pass.
    expect(canLearn('  s1 = dot(v0, v1)', '  v1 = v2 + v1\n  v2 = s4 * v0\n  s4 = s5 + s5\n  s5 = s0 - s1')).toBe(true);
  });

  it('not without features, labels, or what connects them', () => {
    expect(canLearn('  s1 = dot(v1, v1)', GRADIENT)).toBe(false);
    expect(canLearn('  s1 = dot(v0, v1)', '  v2 = s1 * v0\n  v1 = v1 + v2')).toBe(false);
    expect(canLearn('  s1 = dot(v0, v3)', GRADIENT)).toBe(false);
    // The label is gone while Predict runs, and what it made is overwritten.
    expect(canLearn('  s1 = dot(v0, v1)\n  s1 = s1 + s0', '')).toBe(false);
    expect(canLearn('  v1 = s3 * v0\n  s1 = dot(v0, v1)', GRADIENT)).toBe(false);
  });

  it.each(BUILTIN_NAMES.filter((name) => name.startsWith('paper/')))('%s can', (name) => {
    const { program, labels } = builtin(name)!;
    const store = new CodeStore(MEMORY, LENGTHS, 1);
    store.write(0, program);
    expect(new CodeFlow(store, labels).canLearn(0)).toBe(true);
  });
});

describe('a program uses its prediction', () => {
  const uses = (predict: string, learn: string) => flowOf(read(predict, learn)).usesPrediction;

  it('if Learn, or the next prediction, depends on it', () => {
    expect(uses('  s1 = dot(v0, v1)', GRADIENT)).toBe(true);
    expect(uses('  s2 = dot(v0, v1)\n  s1 = s1 + s2', '  v2 = s0 * v0\n  v1 = v1 + v2')).toBe(true);
  });

  it('not if Learn looks at the label alone, overwrites it, or does nothing with it that matters', () => {
    expect(uses('  s1 = dot(v0, v1)', '  v2 = s0 * v0\n  v1 = v1 + v2')).toBe(false);
    expect(uses('  s1 = dot(v0, v1)', `  s1 = s3 * s3\n${GRADIENT}`)).toBe(false);
    expect(uses('  s1 = dot(v0, v1)', '  s2 = s0 - s1\n  v2 = s0 * v0\n  v1 = v1 + v2')).toBe(false);
  });
});

describe('what Predict reads', () => {
  const parameters = (predict: string) => flowOf(read(predict, GRADIENT)).parameters(1);
  // Bits: ten scalars first, then vectors.
  const [S2, S4, V1, V3] = [2, 4, 11, 13].map((bit) => 1 << bit) as [number, number, number, number];

  it('is what its prediction is made of, but for the features and what it has written itself', () => {
    expect(parameters('  s1 = dot(v0, v1)')).toBe(V1);
    expect(parameters('  v3 = v3 * v0\n  s2 = dot(v3, v1)\n  s1 = s2 + s4')).toBe(V1 | V3 | S4);
    expect(parameters('  s1 = s2 + s2\n  s1 = dot(v0, v1)')).toBe(V1);
    expect(parameters('  s1 = dot(v0, v1)\n  s5 = s2 + s4')).toBe(V1);
    expect(parameters('  s2 = dot(v0, v1)\n  s1 = s2 + s2\n  s2 = s4 + s4')).toBe(V1);
  });

  it('is a vector of which one element is set, too', () => {
    expect(parameters('  v3[2] = 0.5\n  s1 = dot(v3, v1)') & V3).toBe(V3);
    expect(parameters('  v3 = v0 + v0\n  s1 = dot(v3, v1)') & V3).toBe(0);
    expect(parameters('  s1 = s2 + s4')).toBe(S2 | S4);
  });
});

describe('the formula of a model', () => {
  it('tells features, what is learned and other memory apart', () => {
    expect(formula('  s1 = dot(v0, v1)', GRADIENT)).toBe('dot(w, x)');
    expect(formula('  v3 = dot(m0, v0)\n  s1 = dot(v3, v1)', GRADIENT)).toBe('dot(matrix-vector(c, x), w)');
    const { program } = builtin('paper/neural-net-no-bias')!;
    const flow = flowOf(program);
    flow.canLearn(1);
    expect(flow.formula(1)).toBe('dot(vector-maximum[c | matrix-vector(w, x)], w)');
  });

  it('is the same for maxima that are the same', () => {
    const flat = formula('  v3 = maximum(v0, v5)\n  s1 = dot(v3, v1)', GRADIENT);
    expect(formula('  v3 = maximum(v0, v0)\n  s1 = dot(v3, v1)', GRADIENT)).toBe('dot(w, x)');
    expect(formula('  v3 = maximum(v5, v0)\n  v3 = maximum(v3, v0)\n  s1 = dot(v1, v3)', GRADIENT)).toBe(flat);
  });

  it('is the same for maxima of minima that are the same', () => {
    const inner = formula(
      '  v3 = abs(v0)\n  v4 = minimum(v0, v1)\n  v5 = maximum(v3, v1)\n  v5 = maximum(v5, v4)\n  s1 = dot(v5, v1)',
      GRADIENT,
    );
    const outer = formula(
      '  v3 = abs(v0)\n  v4 = minimum(v0, v1)\n  v5 = maximum(v3, v4)\n  v5 = maximum(v5, v1)\n  s1 = dot(v5, v1)',
      GRADIENT,
    );
    expect(inner).toBe('dot(vector-maximum[vector-abs(x) | vector-minimum[w | x] | w], w)');
    expect(outer).toBe(inner);
  });

  it('is as wide as it likes', () => {
    const wide =
      '  v3 = abs(v0)\n  v4 = heaviside(v0)\n  v5 = v3 + v4\n  v6 = v3 * v4\n  v5 = v5 - v6\n  s1 = dot(v5, v1)';
    expect(formula(wide, GRADIENT)).toBe(
      'dot(vector-subtract(vector-add(vector-abs(x), vector-heaviside(x)), vector-multiply(vector-abs(x), vector-heaviside(x))), w)',
    );
  });

  it('ends somewhere', () => {
    const deep = '  v3 = abs(v0)\n  v3 = abs(v3)\n  v3 = abs(v3)\n  v3 = abs(v3)\n  v3 = abs(v3)\n  s1 = dot(v3, v1)';
    expect(formula(deep, GRADIENT)).toBe('dot(f(x), w)');
  });
});

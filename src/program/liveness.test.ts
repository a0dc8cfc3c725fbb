import { describe, expect, it } from 'vitest';
import { builtin } from './builtin.js';
import { simplify } from './liveness.js';
import { LAST_USE_OF_INPUT, LIVE, LivenessAnalysis } from './liveness-analysis.js';
import { parseProgram, parseSource } from './parse.js';
import { printInstruction, printProgram } from './print.js';
import { FUNCTION_NAMES } from './program.js';

/** The instructions that stay, of a program given as its three functions. */
function kept(setup: string[], predict: string[], learn: string[], parameters = '(v0, s0)'): string[] {
  const text = ['def Setup():', ...setup, 'def Predict():', ...predict, `def Learn${parameters}:`, ...learn].join('\n');
  const { program, labels } = parseSource(text);
  const simplified = simplify(program, labels);
  return FUNCTION_NAMES.flatMap((name) => simplified[name].map(printInstruction));
}

describe('simplify', () => {
  it('makes of the raw best program of the supplement the simplified one, instruction by instruction', () => {
    const raw = builtin('paper/evolved-raw')!;
    const simplified = builtin('paper/evolved-simplified')!;
    expect(simplify(raw.program)).toEqual(simplified.program);
    expect(printProgram(simplify(raw.program))).toBe(printProgram(simplified.program));
  });

  it('leaves hand-written programs alone', () => {
    for (const name of [
      'linear',
      'affine',
      'logistic',
      'neural-net',
      'neural-net-no-bias',
      'evolved',
      'rediscovered-net',
    ]) {
      const { program } = builtin(`paper/${name}`)!;
      expect(simplify(program), name).toEqual(program);
    }
  });

  it('follows values from Learn into the next Predict, and from Predict into the next Predict', () => {
    expect(kept([], ['s1 = s2 + s3'], ['s2 = abs(s0)'])).toHaveLength(2);
    expect(kept([], ['s1 = abs(s2)', 's2 = s3 + s4', 's3 = sin(s5)'], [])).toHaveLength(3);
  });

  it('knows that features and label are set before Predict and Learn', () => {
    expect(kept([], ['s1 = dot(v0, v0)'], ['v0 = abs(v0)', 's0 = abs(s0)'])).toEqual(['s1 = dot(v0, v0)']);
    expect(kept(['v0 = gaussian(0, 1)'], ['s1 = norm(v0)', 'v0 = abs(v0)'], [])).toEqual(['s1 = norm(v0)']);
    // But a changed v0 or s0 can be read by the same call.
    expect(kept([], ['v0 = abs(v0)', 's1 = norm(v0)'], [])).toHaveLength(2);
  });

  it('reads the prediction after Predict only: what Learn writes there is gone unless Predict reads it', () => {
    expect(kept([], ['s1 = norm(v0)'], ['s1 = abs(s0)'])).toEqual(['s1 = norm(v0)']);
    expect(kept([], ['s1 = sin(s1)'], ['s1 = abs(s0)'])).toHaveLength(2);
    expect(kept([], [], ['s1 = abs(s0)'])).toHaveLength(1);
  });

  it('takes a write to one element as part of its vector', () => {
    expect(kept(['v1[0] = 1', 'v1[2] = 3'], ['s1 = dot(v0, v1)'], [])).toHaveLength(3);
    expect(kept(['v1[0] = 1', 'v1 = gaussian(0, 1)'], ['s1 = dot(v0, v1)'], [])).toHaveLength(2);
    expect(kept(['v1[2] = 1', 'v1[2] = 3'], ['s1 = dot(v0, v1)'], [])).toEqual(['v1[2] = 3', 's1 = dot(v0, v1)']);
    expect(kept(['m1[2, 1] = 1', 'm1[1, 2] = 3'], ['v1 = dot(m1, v0)', 's1 = norm(v1)'], [])).toHaveLength(4);
  });

  it('sees an element that every Predict sets before it is read', () => {
    expect(kept(['v1[2] = 1', 'v1[3] = 1'], ['v1[2] = 3', 's1 = dot(v0, v1)'], [])).toEqual([
      'v1[3] = 1',
      'v1[2] = 3',
      's1 = dot(v0, v1)',
    ]);
    // Here the prediction is made first, so that the first one sees what Setup wrote.
    expect(kept(['v1[2] = 1'], ['s1 = dot(v0, v1)', 'v1[2] = 3'], [])).toHaveLength(3);
  });

  it('removes no-ops, and everything where nothing reaches the prediction', () => {
    expect(kept(['no_op', 's5 = 1'], ['s2 = norm(v0)'], ['s3 = s2 * s5'])).toEqual([]);
  });

  it('looks at v2 where labels are vectors', () => {
    expect(kept([], ['v2 = abs(v0)', 's1 = norm(v0)'], [], '(v0, v1)')).toEqual(['v2 = abs(v0)']);
    expect(kept([], ['v2 = v3 + v0'], ['v3 = v3 + v1', 'v1 = abs(v1)'], '(v0, v1)')).toHaveLength(2);
  });

  it('keeps what only matters from one pass over the examples to the next', () => {
    // Learn overwrites s4, so s4 of Predict reaches Learn only from the last validation example of the epoch before.
    const program = parseProgram(
      'def Setup():\ndef Predict():\ns3 = abs(s4)\ns4 = norm(v0)\ns1 = abs(s5)\ndef Learn():\ns5 = s3 + s5\ns4 = sin(s6)',
    );
    expect(simplify(program)).toEqual(program);
  });
});

describe('the analysis', () => {
  it('tells elements apart by both indices', () => {
    const learn = ['  m0[0, 1] = 0.5', '  m0[0, 2] = 0.25', '  m0[1, 1] = 0.125', '  m0[0, 1] = 1'];
    expect(kept([], ['  v1 = dot(m0, v0)', '  s1 = mean(v1)'], learn)).toEqual([
      'v1 = dot(m0, v0)',
      's1 = mean(v1)',
      'm0[0, 2] = 0.25',
      'm0[1, 1] = 0.125',
      'm0[0, 1] = 1',
    ]);
  });

  it('knows what the evaluation sets itself, also beside elements', () => {
    expect(kept(['  s0 = 0.5'], ['  v1[0] = 1', '  s2 = dot(v0, v1)', '  s1 = s0 + s2'], [])).toHaveLength(3);
    expect(kept(['  v0 = gaussian(0, 1)', '  v1[0] = 1'], ['  s1 = dot(v0, v1)'], [])).toEqual([
      'v1[0] = 1',
      's1 = dot(v0, v1)',
    ]);
    expect(kept([], ['  s1 = norm(v0)', '  v5 = abs(v0)'], ['  v0 = abs(v5)'])).toEqual(['s1 = norm(v0)']);
  });

  it('says where a value is read for the last time', () => {
    const program = parseProgram(
      'def Setup():\ndef Predict(v0):\n  s1 = dot(v0, v1)\ndef Learn(v0, s0):\n  v2 = s0 * v0\n  v3 = v2 * v2\n  v1 = v1 + v2\n  v1 = v3 + v1\n',
    );
    const analysis = new LivenessAnalysis();
    analysis.run(program, 'scalar');
    const [first, second] = LAST_USE_OF_INPUT;
    expect([...analysis.marks.subarray(1, 5)]).toEqual([
      LIVE | first | second,
      LIVE,
      LIVE | first | second,
      LIVE | first | second,
    ]);
  });

  it('goes on beyond 2^31 programs, and from small programs to large ones and back', () => {
    const { program, labels } = builtin('paper/evolved-raw')!;
    const expected = new LivenessAnalysis();
    expected.run(program, labels);
    const analysis = new LivenessAnalysis();
    // Leaves a stamp behind that comes again after the last one.
    const other = 'def Setup():\ndef Predict(v0):\n  v4 = abs(v3)\n  s1 = dot(v4, v2)\ndef Learn(v0, s0):\n';
    analysis.run(parseProgram(other), 'scalar');
    Object.assign(analysis, { stamp: 2 ** 31 - 2 });
    for (let k = 0; k < 10; k++) {
      analysis.run(program, labels);
      expect(analysis.slotCount).toBe(expected.slotCount);
      expect([...analysis.marks.subarray(0, 26)]).toEqual([...expected.marks.subarray(0, 26)]);
    }
    const body = Array.from({ length: 300 }, (_, k) => `  v${k}[${k}] = 0.5\n  v0 = v0 + v${k}\n`).join('');
    const large = parseProgram(`def Setup():\ndef Predict(v0):\n${body}  s1 = mean(v0)\ndef Learn(v0, s0):\n`, {
      scalars: 5,
      vectors: 300,
      matrices: 1,
    });
    analysis.run(large, 'scalar');
    expect(analysis.slotCount).toBe(302);
    expect([...analysis.marks.subarray(0, 601)].every((bits) => (bits & LIVE) !== 0)).toBe(true);
    analysis.run(program, labels);
    expect([...analysis.marks.subarray(0, 26)]).toEqual([...expected.marks.subarray(0, 26)]);
  });
});

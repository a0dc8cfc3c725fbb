import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../tests/support/arbitraries.js';
import { parseProgram } from '../../program/parse.js';
import { type DataFlow, followSection, isCarried } from './data-flow.js';
import { encodeSection } from './motif-code.js';

function encode(flow: DataFlow): string {
  return encodeSection(flow, [...flow.nodes.keys()]);
}

function codeOf(text: string): string {
  return encode(followSection(parseProgram(text), 'scalar'));
}

const predict = (...lines: string[]) => `def Setup():\ndef Predict():\n${lines.join('\n')}\ndef Learn():\n`;
const learn = (...lines: string[]) => `def Setup():\ndef Predict():\ndef Learn():\n${lines.join('\n')}\n`;

describe('sections that are the same', () => {
  it.each([
    ['under other addresses', predict('v2 = v1 + v3', 's2 = norm(v2)'), predict('v8 = v4 + v5', 's9 = norm(v8)')],
    [
      'in another order',
      predict('v2 = v1 + v3', 's2 = sin(s3)', 's4 = s2 * s5'),
      predict('s2 = sin(s3)', 'v2 = v1 + v3', 's4 = s2 * s5'),
    ],
    [
      'with commutative inputs exchanged',
      predict('v2 = abs(v1)', 'v3 = v2 + v4'),
      predict('v2 = abs(v1)', 'v3 = v4 + v2'),
    ],
    ['with other constants of the same sign', learn('s2 = 0.5', 's3 = sin(s2)'), learn('s2 = 7', 's3 = sin(s2)')],
    [
      'with any random numbers',
      learn('s2 = gaussian(-1, 0.5)', 's3 = sin(s2)'),
      learn('s2 = gaussian(2, 3)', 's3 = sin(s2)'),
    ],
    ['with an address used twice', predict('s2 = sin(s3)', 's2 = cos(s2)'), predict('s2 = sin(s3)', 's4 = cos(s2)')],
  ])('%s', (_, a, b) => {
    expect(codeOf(a)).toBe(codeOf(b));
  });
});

describe('sections that differ', () => {
  it.each([
    ['in an op', predict('v2 = v1 + v3', 's2 = norm(v2)'), predict('v2 = v1 - v3', 's2 = norm(v2)')],
    ['in the order of inputs', predict('s2 = sin(s3)', 's4 = s2 - s5'), predict('s2 = sin(s3)', 's4 = s5 - s2')],
    ['in the sign of a constant', learn('s2 = 0.5', 's3 = sin(s2)'), learn('s2 = -0.5', 's3 = sin(s2)')],
    ['in a function', predict('s2 = sin(s3)', 's4 = cos(s2)'), learn('s2 = sin(s3)', 's4 = cos(s2)')],
    ['in a square', predict('s2 = s3 * s3', 's4 = sin(s2)'), predict('s2 = s3 * s5', 's4 = sin(s2)')],
    ['in what two read', predict('v2 = v1 + v3', 's2 = dot(v2, v1)'), predict('v2 = v1 + v3', 's2 = dot(v2, v5)')],
    ['in features', predict('v2 = abs(v0)', 's2 = norm(v2)'), predict('v2 = abs(v1)', 's2 = norm(v2)')],
    ['in the label', learn('s2 = s0 - s3', 's4 = sin(s2)'), learn('s2 = s5 - s3', 's4 = sin(s2)')],
    ['in the prediction', learn('s2 = s0 - s1', 's4 = sin(s2)'), learn('s2 = s0 - s5', 's4 = sin(s2)')],
    ['in what comes first', learn('s2 = sin(s3)', 's3 = 0.5'), learn('s3 = 0.5', 's2 = sin(s3)')],
    ['in an update before a read', learn('v1 = v1 + v2', 's2 = norm(v1)'), learn('s2 = norm(v1)', 'v1 = v1 + v2')],
  ])('%s', (_, a, b) => {
    expect(codeOf(a)).not.toBe(codeOf(b));
  });
});

// --- Against all ways to lay one section over another ------------------------------------------------------------------

function* permutations(n: number): Generator<number[]> {
  if (n === 0) yield [];
  for (let k = 0; k < n; k++)
    for (const rest of permutations(n - 1)) yield [k, ...rest.map((x) => (x < k ? x : x + 1))];
}

/** Everything that two sections must share, with instructions named by `names`; where `swapped` has a bit, inputs exchanged. */
function facts(flow: DataFlow, names: readonly number[], swapped: number): string {
  const ports = flow.nodes.flatMap(({ reads, commutes }, node) => {
    const order = commutes && (swapped >> node) & 1 ? reads.toReversed() : reads;
    return order.map((value, k) => ({ node, name: `${names[node]} ${k}`, value }));
  });
  const texts = ports.map(({ node, name, value }) => {
    const { meaning, sources } = flow.values[value]!;
    const from = sources.map((source) => `${names[source]} ${isCarried(flow, source, node)}`);
    const together = ports.filter((other) => other.value === value).map((other) => other.name);
    return `${name} ${meaning} from ${from.sort()} with ${together.sort()}`;
  });
  return [...texts, ...flow.nodes.map(({ label }, node) => `${names[node]} ${label}`)].sort().join('\n');
}

function isSame(a: DataFlow, b: DataFlow): boolean {
  const wanted = facts(a, [...a.nodes.keys()], 0);
  for (const names of permutations(b.nodes.length)) {
    for (let swapped = 0; swapped < 1 << b.nodes.length; swapped++) {
      if (facts(b, names, swapped) === wanted) return true;
    }
  }
  return false;
}

/** Few ops and addresses, so that sections are often the same. */
const line = fc
  .tuple(fc.constantFrom('+', '*', '-'), fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }), fc.nat(5))
  .map(([sign, a, b, c]) => `s${a} = s${b} ${sign} s${c}`);

/** Other addresses and, in some cases, another line or the other order. */
function alter(lines: readonly string[], shift: number, place: number, other: string): string[] {
  const renamed = lines.map((text) => text.replace(/s([2-5])/g, (_, k) => `s${2 + ((Number(k) - 2 + shift) % 4)}`));
  const changed = place < lines.length ? renamed.with(place, other) : renamed;
  return place % 3 === 0 ? changed.toReversed() : changed;
}

it('is the same exactly if one section can be laid over the other', () => {
  let [same, different] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 2, maxLength: 4 }),
      fc.nat(3),
      fc.nat(8),
      line,
      (lines, shift, place, other) => {
        const [a, b] = [lines, alter(lines, shift, place, other)].map((text) =>
          followSection(parseProgram(learn(...text)), 'scalar'),
        ) as [DataFlow, DataFlow];
        const isEqual = encode(a) === encode(b);
        expect(isEqual).toBe(isSame(a, b));
        if (isEqual) same++;
        else different++;
      },
    ),
    { numRuns: 400 },
  );
  expect(Math.min(same, different)).toBeGreaterThan(50);
});

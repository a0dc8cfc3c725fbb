import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deriveKey, RandomStream } from '../util/random.js';
import { elements, OPS, opByName } from './ops.js';
import { opsPage } from './page.js';
import { applyOp, operationCount, sum } from './semantics.js';
import { OP_ROWS } from './table.js';
import type { Op, ShapeName } from './types.js';

const F = 5;

function run(op: Op, inputs: readonly Float64Array[], out = new Float64Array(op.output ? elements(op.output, F) : 0)) {
  const [a = new Float64Array(0), b = new Float64Array(0)] = inputs;
  const constants = { index1: 1, index2: 2, const1: 0.25, const2: 2 };
  applyOp(op, a, b, out, { precision: 'f64', features: F, ...constants, key: deriveKey(1) });
  return out;
}

/** Operands with everything that is special: zeros of both signs, infinities, NaN. */
function operands(op: Op, seed: number): Float64Array[] {
  const random = new RandomStream(seed);
  const special = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const value = () => (random.uniform() < 0.3 ? special[random.integer(special.length)]! : random.gaussian());
  return op.inputs.map((type) => Float64Array.from({ length: elements(type, F) }, value));
}

describe('the table', () => {
  it('has the 65 ops of the paper first, each op at the place of its number', () => {
    expect(OP_ROWS[0].name).toBe('no-op');
    expect(OP_ROWS[64].name).toBe('matrix-gaussian');
    expect(OP_ROWS.map(({ id }) => id)).toEqual(OP_ROWS.map((_, k) => k));
  });

  it('has no name and no text form twice', () => {
    const forms = OP_ROWS.flatMap((row) => [row.text, ...('alsoRead' in row ? row.alsoRead : [])]);
    expect(new Set(forms).size).toBe(forms.length);
    expect(new Set(OP_ROWS.map(({ name }) => name)).size).toBe(OP_ROWS.length);
  });

  it('has text forms that fit the shapes', () => {
    const signatures: Record<ShapeName, RegExp> = {
      none: /^$/,
      map1: /^(s|v|m)\1$/,
      map2: /^(s|v|m)\1\1$/,
      scale: /^(v|m)s\1$/,
      broadcast: /^(vs|mv)$/,
      reduce: /^s[vm]$/,
      reduceAxis: /^vm$/,
      contract: /^(svv|mvv|vmv|mmm)$/,
      transpose: /^mm$/,
      fillConst: /^[svm]$/,
      fillRandom: /^[svm]$/,
    };
    for (const op of OPS) {
      expect([op.output ?? '', ...op.inputs].join(''), op.name).toMatch(signatures[op.shape]);
      const constants = op.forms[0]!.filter((token) => token.kind === 'constant').length;
      expect(constants, op.name).toBe(op.constantSpecs.length);
      for (const form of op.forms) {
        const key = (tokens: typeof form) => tokens.filter((t) => t.kind !== 'literal').map((t) => JSON.stringify(t));
        expect(key(form), op.name).toEqual(key(op.forms[0]!));
      }
    }
  });

  it('says of exactly those ops that they commute whose inputs can be swapped without changing a bit', () => {
    for (const op of OPS.filter(({ inputs }) => inputs.length === 2 && inputs[0] === inputs[1])) {
      let same = true;
      for (let seed = 0; seed < 300; seed++) {
        const [a, b] = operands(op, seed) as [Float64Array, Float64Array];
        const [forth, back] = [run(op, [a, b]), run(op, [b, a])];
        same &&= forth.every((x, k) => Object.is(x, back[k]));
      }
      expect(op.commutes, op.name).toBe(same);
    }
  });

  it('is described by docs/ops.md as it stands (npm run docs)', () => {
    expect(readFileSync(new URL('../../docs/ops.md', import.meta.url), 'utf8')).toBe(opsPage());
  });
});

describe('every op', () => {
  it('may write to one of its inputs', () => {
    for (const op of OPS) {
      for (const k of op.inputs.keys()) {
        if (op.inputs[k] !== op.output) continue;
        const inputs = operands(op, 3);
        const expected = run(op, inputs);
        const aliased = inputs.map((input) => input.slice());
        expect(run(op, aliased, aliased[k]), op.name).toStrictEqual(expected);
      }
    }
  });

  it('counts its operations', () => {
    expect(operationCount(opByName('scalar-add'), 16)).toBe(1);
    expect(operationCount(opByName('vector-add'), 16)).toBe(16);
    expect(operationCount(opByName('outer'), 16)).toBe(256);
    expect(operationCount(opByName('matrix-vector'), 16)).toBe(512);
    expect(operationCount(opByName('matmul'), 16)).toBe(8192);
  });
});

describe('sums', () => {
  it('add in the documented order', () => {
    const order = (n: number) => {
      const x = Array.from({ length: n }, (_, k) => 1.1 ** k * (k % 2 ? -1 : 1));
      return { x, actual: sum(n, (k) => x[k]!) };
    };
    expect(order(1).actual).toBe(1);
    const three = order(3);
    expect(three.actual).toBe(three.x[0]! + three.x[2]! + three.x[1]!);
    const eleven = order(11);
    const p = eleven.x.slice(0, 8).map((x, k) => (k < 3 ? x + eleven.x[k + 8]! : x));
    expect(eleven.actual).toBe(p[0]! + p[4]! + (p[2]! + p[6]!) + (p[1]! + p[5]! + (p[3]! + p[7]!)));
  });

  it('of one negative zero is negative zero', () => {
    expect(sum(1, () => -0)).toBe(-0);
  });
});

describe('semantics that are easy to get wrong', () => {
  const vector = (...x: number[]) => Float64Array.from(x);
  const matrix = Float64Array.from({ length: F * F }, (_, k) => k);

  it('heaviside: the scalar op gives 1 at zero, the others 0', () => {
    expect(run(opByName('scalar-heaviside'), [vector(0)])).toEqual(vector(1));
    expect(run(opByName('scalar-heaviside'), [vector(-0)])).toEqual(vector(1));
    expect(run(opByName('vector-heaviside'), [vector(-1, 0, 1, Number.NaN, 2)])).toEqual(vector(0, 0, 1, 0, 1));
  });

  it('axes: 0 reduces columns, 1 reduces rows; bcast axis 0 repeats a column', () => {
    const rowOf = (k: number) => matrix.subarray(k * F, (k + 1) * F);
    const columnNorm0 = Math.sqrt([0, 5, 10, 15, 20].reduce((total, x) => total + x * x, 0));
    expect(run(opByName('column-norm'), [matrix])[0]).toBeCloseTo(columnNorm0, 12);
    expect(run(opByName('row-norm'), [matrix])[1]).toBeCloseTo(Math.hypot(...rowOf(1)), 12);
    expect(run(opByName('row-mean'), [matrix])).toEqual(vector(2, 7, 12, 17, 22));
    expect(run(opByName('column-broadcast'), [vector(1, 2, 3, 4, 5)]).subarray(F, 2 * F)).toEqual(
      vector(2, 2, 2, 2, 2),
    );
    expect(run(opByName('row-broadcast'), [vector(1, 2, 3, 4, 5)]).subarray(F, 2 * F)).toEqual(vector(1, 2, 3, 4, 5));
  });

  it('the standard deviation is NaN where rounding makes the variance negative', () => {
    const inside = (x: Float64Array) => {
      const mean = sum(F, (k) => x[k]!) / F;
      return sum(F, (k) => x[k]! * x[k]!) / F - mean * mean;
    };
    const equal = Array.from({ length: 200 }, (_, k) => new Float64Array(F).fill(0.1 + k * 0.37));
    const negative = equal.filter((x) => inside(x) < 0);
    expect(negative.length).toBeGreaterThan(0);
    for (const x of negative) expect(run(opByName('vector-std'), [x])).toEqual(vector(Number.NaN));
  });

  it('an index beyond the features wraps', () => {
    const out = new Float64Array(F);
    const op = opByName('vector-element');
    const constants = { index1: F + 3, index2: 0, const1: 7, const2: 0 };
    applyOp(op, out, out, out, { precision: 'f64', features: F, ...constants, key: deriveKey() });
    expect(out).toEqual(vector(0, 0, 0, 7, 0));
  });
});

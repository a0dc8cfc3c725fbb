import { describe, expect, it } from 'vitest';
import { wasm } from './api.js';
import {
  block,
  branch,
  branchIf,
  branchTable,
  type Code,
  call,
  choose,
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  flatten,
  get,
  getGlobal,
  i32,
  i64,
  i64x2,
  leave,
  loop,
  ModuleBuilder,
  select,
  set,
  setAll,
  setGlobal,
  signed,
  tee,
  unsigned,
  type ValueType,
  v128,
  when,
} from './assembler.js';

const memory = new wasm.Memory({ initial: 1, maximum: 1 });
const bytes = new DataView(memory.buffer);

function instantiate(module: ModuleBuilder): Record<string, (...args: (number | bigint)[]) => unknown> {
  const binary = module.bytes();
  expect(wasm.validate(binary)).toBe(true);
  return new wasm.Instance(new wasm.Module(binary), { env: { memory } }).exports as ReturnType<typeof instantiate>;
}

/** The result of a function without parameters. */
function run(type: ValueType, write: (f: FunctionBuilder) => Code): unknown {
  const module = new ModuleBuilder();
  module.func({ results: [type], exportAs: 'f' }, write);
  return instantiate(module).f!();
}

describe('numbers', () => {
  it('are written in the variable-length form of the format', () => {
    expect(unsigned(0)).toEqual([0]);
    expect(unsigned(127)).toEqual([0x7f]);
    expect(unsigned(128)).toEqual([0x80, 1]);
    expect(unsigned(624485)).toEqual([0xe5, 0x8e, 0x26]);
    expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
    expect(signed(63)).toEqual([63]);
    expect(signed(64)).toEqual([0xc0, 0]);
    expect(signed(-1)).toEqual([0x7f]);
    expect(signed(-64)).toEqual([0x40]);
    expect(signed(-123456)).toEqual([0xc0, 0xbb, 0x78]);
  });

  it('come back as constants', () => {
    for (const x of [0, 1, -1, 63, 64, -65, 2 ** 31 - 1, -(2 ** 31)]) expect(run('i32', () => i32.const(x))).toBe(x);
    expect(run('i32', () => i32.const(2 ** 32 - 1))).toBe(-1);
    for (const x of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) expect(run('i64', () => i64.const(x))).toBe(x);
    expect(run('i64', () => i64.const(0x9e3779b97f4a7c15n))).toBe(BigInt.asIntN(64, 0x9e3779b97f4a7c15n));
    for (const x of [0, -0, 0.1, -1e300, 5e-324, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(run('f64', () => f64.const(x))).toBe(x);
    }
  });
});

describe('instructions', () => {
  const [a, b] = [i32.const(-7), i32.const(3)];
  it.each<[string, Code, number]>([
    ['eqz', i32.eqz(i32.const(0)), 1],
    ['eq', i32.eq(a, b), 0],
    ['ne', i32.ne(a, b), 1],
    ['ltU', i32.ltU(a, b), 0],
    ['add', i32.add(a, b), -4],
    ['sub', i32.sub(a, b), -10],
    ['mul', i32.mul(a, b), -21],
    ['and', i32.and(a, b), -7 & 3],
    ['or', i32.or(a, b), -7 | 3],
    ['xor', i32.xor(a, b), -7 ^ 3],
    ['rotl', i32.rotl(i32.const(-(2 ** 31)), b), 4],
    ['wrap', i32.wrap(i64.const(2n ** 32n + 5n)), 5],
    ['fromF64', i32.fromF64(f64.const(-2.9)), -2],
    ['fromF64, not a number', i32.fromF64(f64.const(Number.NaN)), 0],
    ['fromF64, too large', i32.fromF64(f64.const(1e300)), 2 ** 31 - 1],
    ['choose', choose('i32', i32.const(0), a, b), 3],
    ['select', select(i32.const(1), a, b), -7],
  ])('i32 %s', (_, code, expected) => {
    expect(run('i32', () => code)).toBe(expected);
  });

  const [x, y] = [f64.const(-2.25), f64.const(9)];
  it.each<[string, Code, number]>([
    ['add', f64.add(x, y), 6.75],
    ['sub', f64.sub(x, y), -11.25],
    ['mul', f64.mul(x, y), -20.25],
    ['div', f64.div(x, y), -0.25],
    ['neg', f64.neg(x), 2.25],
    ['abs', f64.abs(x), 2.25],
    ['floor', f64.floor(x), -3],
    ['sqrt', f64.sqrt(y), 3],
    ['max', f64.max(x, y), 9],
    ['fromI32', f64.fromI32(i32.const(-3)), -3],
    ['fromI64', f64.fromI64(i64.const(-(2n ** 40n))), -(2 ** 40)],
    ['fromBits', f64.fromBits(i64.const(0x3ff0000000000000n)), 1],
    ['promote', f64.promote(f32.demote(f64.const(0.1))), Math.fround(0.1)],
    ['lt', f64.fromI32(f64.lt(x, y)), 1],
    ['gt', f64.fromI32(f64.gt(x, y)), 0],
    ['le', f64.fromI32(f64.le(y, y)), 1],
    ['ge', f64.fromI32(f64.ge(x, y)), 0],
    ['eq', f64.fromI32(f64.eq(y, y)), 1],
  ])('f64 %s', (_, code, expected) => {
    expect(run('f64', () => code)).toBe(expected);
  });

  const [p, q] = [i64.const(-5n), i64.const(2n)];
  it.each<[string, Code, bigint]>([
    ['add', i64.add(p, q), -3n],
    ['mul', i64.mul(p, q), -10n],
    ['and', i64.and(p, q), -5n & 2n],
    ['or', i64.or(p, q), -5n | 2n],
    ['xor', i64.xor(p, q), -5n ^ 2n],
    ['shl', i64.shl(p, q), -20n],
    ['shrU', i64.shrU(p, q), 2n ** 62n - 2n],
    ['extendU', i64.extendU(i32.const(-1)), 2n ** 32n - 1n],
    ['fromBits', i64.fromBits(f64.const(1)), 0x3ff0000000000000n],
  ])('i64 %s', (_, code, expected) => {
    expect(run('i64', () => code)).toBe(expected);
  });

  /** Two f64 lanes. */
  const pair = (first: number, second: number) => f64x2.replace(f64x2.splat(f64.const(first)), 1, f64.const(second));
  const mask = Number.NaN;
  it.each<[string, Code, [number, number]]>([
    ['add', f64x2.add(pair(1, 2), pair(3, 5)), [4, 7]],
    ['sub', f64x2.sub(pair(1, 2), pair(3, 5)), [-2, -3]],
    ['mul', f64x2.mul(pair(1, 2), pair(3, 5)), [3, 10]],
    ['div', f64x2.div(pair(1, 2), pair(4, 8)), [0.25, 0.25]],
    ['pmin', f64x2.pmin(pair(1, Number.NaN), pair(0, 5)), [0, Number.NaN]],
    ['pmax', f64x2.pmax(pair(1, Number.NaN), pair(3, 5)), [3, Number.NaN]],
    ['abs', f64x2.abs(pair(-1, 2)), [1, 2]],
    ['neg', f64x2.neg(pair(-1, 2)), [1, -2]],
    ['sqrt', f64x2.sqrt(pair(4, 9)), [2, 3]],
    ['gt', f64x2.gt(pair(1, 2), pair(0, 3)), [mask, 0]],
    ['ge', f64x2.ge(pair(1, 2), pair(1, 3)), [mask, 0]],
    ['le', f64x2.le(pair(1, 3), pair(1, 2)), [mask, 0]],
    ['and', v128.and(f64x2.gt(pair(1, 2), pair(0, 3)), pair(7, 8)), [7, 0]],
    ['or', v128.or(pair(0, 3), pair(5, 0)), [5, 3]],
    ['xor', v128.xor(pair(5, 3), pair(5, 0)), [0, 3]],
    ['andNot', v128.andNot(pair(7, 8), f64x2.gt(pair(1, 2), pair(0, 3))), [0, 8]],
    ['select', v128.select(f64x2.gt(pair(1, 2), pair(0, 3)), pair(7, 8), pair(1, 2)), [7, 2]],
    [
      'shuffle',
      v128.shuffle(pair(1, 2), pair(3, 4), [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
      [2, 3],
    ],
    ['shl', i64x2.shl(pair(5e-324, 1e-323), i32.const(52)), [2 ** -1022, 2 ** -1021]],
    ['promoteLow', f64x2.promoteLow(f32x4.splat(f32.demote(f64.const(0.1)))), [Math.fround(0.1), Math.fround(0.1)]],
    ['demoteZero', f64x2.promoteLow(f64x2.demoteZero(pair(0.1, 2))), [Math.fround(0.1), 2]],
    ['load64Splat', v128.load64Splat(i32.const(8), 8), [2.5, 2.5]],
    ['load', v128.load(i32.const(8), 8), [2.5, -1]],
  ])('SIMD %s', (_, code, expected) => {
    bytes.setFloat64(16, 2.5, true);
    bytes.setFloat64(24, -1, true);
    run('i32', () => [v128.store(i32.const(0), 64, code), i32.const(0)]);
    expect([bytes.getFloat64(64, true), bytes.getFloat64(72, true)]).toEqual(expected);
  });

  it('SIMD of four f32 lanes, lane stores and tests', () => {
    const lanes = (...values: number[]) =>
      values.reduce<Code>(
        (v, x, k) => f32x4.replace(v, k, f32.demote(f64.const(x))),
        f32x4.splat(f32.demote(f64.const(0))),
      );
    const results: [Code, number[]][] = [
      [f32x4.add(lanes(1, 2, 3, 4), lanes(1, 1, 1, 1)), [2, 3, 4, 5]],
      [f32x4.sub(lanes(1, 2, 3, 4), lanes(1, 1, 1, 1)), [0, 1, 2, 3]],
      [f32x4.mul(lanes(1, 2, 3, 4), lanes(2, 2, 2, 2)), [2, 4, 6, 8]],
      [f32x4.div(lanes(1, 2, 3, 4), lanes(2, 2, 2, 2)), [0.5, 1, 1.5, 2]],
      [f32x4.abs(lanes(-1, 2, -3, 4)), [1, 2, 3, 4]],
      [f32x4.sqrt(lanes(1, 4, 9, 16)), [1, 2, 3, 4]],
      [f32x4.pmin(lanes(1, 5, 1, 5), lanes(2, 2, 2, 2)), [1, 2, 1, 2]],
      [f32x4.pmax(lanes(1, 5, 1, 5), lanes(2, 2, 2, 2)), [2, 5, 2, 5]],
      [v128.and(f32x4.gt(lanes(1, 2, 3, 4), lanes(2, 2, 2, 2)), lanes(1, 1, 1, 1)), [0, 0, 1, 1]],
      [v128.and(f32x4.ge(lanes(1, 2, 3, 4), lanes(2, 2, 2, 2)), lanes(1, 1, 1, 1)), [0, 1, 1, 1]],
      [v128.and(f32x4.le(lanes(1, 2, 3, 4), lanes(2, 2, 2, 2)), lanes(1, 1, 1, 1)), [1, 1, 0, 0]],
    ];
    for (const [code, expected] of results) {
      run('i32', () => [v128.store(i32.const(0), 64, code), i32.const(0)]);
      expect([0, 4, 8, 12].map((k) => bytes.getFloat32(64 + k, true))).toEqual(expected);
    }
    run('i32', () => [
      v128.store32Lane(i32.const(0), 128, lanes(1, 2, 3, 4), 2),
      v128.store64Lane(i32.const(0), 136, lanes(1, 2, 3, 4), 1),
      i32.const(0),
    ]);
    expect([128, 136, 140].map((at) => bytes.getFloat32(at, true))).toEqual([3, 3, 4]);
    expect(run('f32', () => f32x4.extract(v128.load32Splat(i32.const(128)), 3))).toBe(3);
    expect(run('f64', () => f64x2.extract(v128.const(new Array<number>(16).fill(0)), 1))).toBe(0);
    expect(run('i32', () => v128.anyTrue(lanes(0, 0, 0, 0)))).toBe(0);
    expect(run('i32', () => v128.anyTrue(lanes(0, 0, 1, 0)))).toBe(1);
    expect(run('i32', () => i64x2.allTrue(lanes(1, 0, 0, 0)))).toBe(0);
    expect(run('i32', () => i64x2.allTrue(lanes(1, 0, 0, 1)))).toBe(1);
  });
});

describe('memory', () => {
  it('is loaded and stored with offsets', () => {
    run('i32', () => [
      i32.store(i32.const(200), 8, i32.const(77)),
      i64.store(i32.const(200), 16, i64.const(-1n)),
      f32.store(i32.const(200), 24, f32.demote(f64.const(0.5))),
      f64.store(i32.const(200), 32, f64.const(0.25)),
      i32.const(0),
    ]);
    expect(run('i32', () => i32.load(i32.const(208)))).toBe(77);
    expect(run('i64', () => i64.load(i32.const(0), 216))).toBe(-1n);
    expect(run('f32', () => f32.load(i32.const(0), 224))).toBe(0.5);
    expect(run('f64', () => f64.load(i32.const(0), 232))).toBe(0.25);
  });
});

describe('control', () => {
  it('loops, branches and leaves', () => {
    const module = new ModuleBuilder();
    module.func({ params: ['i32'], results: ['i32'], exportAs: 'sumTo' }, (f) => {
      const n = f.params[0]!;
      const sum = f.local('i32');
      return [
        block(
          loop(
            branchIf(1, i32.eqz(get(n))),
            set(sum, i32.add(get(sum), get(n))),
            set(n, i32.sub(get(n), i32.const(1))),
            branch(0),
          ),
        ),
        when(i32.ltU(i32.const(1000), get(sum)), leave(i32.const(-1))),
        get(sum),
      ];
    });
    const { sumTo } = instantiate(module);
    expect([0, 1, 4, 100].map((n) => sumTo!(n))).toEqual([0, 1, 10, -1]);
  });

  it('goes to the entry of a table, or elsewhere', () => {
    const module = new ModuleBuilder();
    module.func({ params: ['i32'], results: ['i32'], exportAs: 'pick' }, (f) => [
      block(block(block(branchTable(get(f.params[0]!), [0, 1], 2)), leave(i32.const(10))), leave(i32.const(11))),
      i32.const(12),
    ]);
    const { pick } = instantiate(module);
    expect([0, 1, 2, -1].map((k) => pick!(k))).toEqual([10, 11, 12, 12]);
  });

  it('calls functions, of several results too, and keeps variables', () => {
    const module = new ModuleBuilder();
    const count = module.global('i32');
    const both = module.func({ params: ['f64'], results: ['f64', 'f64'] }, (f) => [
      get(f.params[0]!),
      f64.neg(get(f.params[0]!)),
    ]);
    module.func({ params: ['f64'], results: ['f64'], exportAs: 'difference' }, (f) => {
      const [first, second] = [f.local('f64'), f.local('f64')];
      return [
        setGlobal(count, i32.add(getGlobal(count), i32.const(1))),
        setAll([first, second], call(both, get(f.params[0]!))),
        f64.sub(get(first), get(second)),
      ];
    });
    module.func({ results: ['i32'], exportAs: 'calls' }, () => getGlobal(count));
    const { difference, calls } = instantiate(module);
    expect(difference!(3)).toBe(6);
    expect(difference!(-1)).toBe(-2);
    expect(calls!()).toBe(2);
  });

  it('reuses the locals of separate pieces of code, by type', () => {
    const module = new ModuleBuilder();
    let declared: Code = [];
    module.func({ results: ['i32'], exportAs: 'f' }, (f) => {
      const piece = (value: number) => () => {
        const [x, y, z] = [f.local('i32'), f.local('f64'), f.local('i32')];
        return [set(x, i32.const(value)), set(y, f64.fromI32(get(x))), tee(z, i32.fromF64(get(y)))];
      };
      const [first, second] = f.separate([piece(20), piece(22)]);
      declared = f.declarations();
      return i32.add(first!, second!);
    });
    expect(flatten(declared)).toHaveLength(1 + 3 * 2);
    expect(instantiate(module).f!()).toBe(42);
  });
});

describe("V8's validator", () => {
  it.each<[string, (f: FunctionBuilder) => Code]>([
    ['a value of another type', () => i32.add(i32.const(1), f64.const(1))],
    ['a missing value', () => []],
    ['a branch out of every block', () => [branch(5), i32.const(0)]],
    ['a local that does not exist', () => get({ index: 9 })],
    ['a function that does not exist', () => call({ index: 9 })],
  ])('refuses %s', (_, write) => {
    const module = new ModuleBuilder();
    module.func({ results: ['i32'] }, write);
    expect(wasm.validate(module.bytes())).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { arccos, arcsin, arctan, cos, exp, log, sin, tan } from '../../util/elementary.js';
import { inverseNormal } from '../../util/normal.js';
import { deriveKey, gaussianAt, RandomStream, uniformAt } from '../../util/random.js';
import { wasm } from '../../wasm/api.js';
import { call, type Func, f64, f64x2, get, ModuleBuilder, select, set } from '../../wasm/assembler.js';
import { sigmoid } from '../loss.js';
import { addElementary, type Elementary } from './elementary.js';
import { ANGLE_TABLE, heap } from './heap.js';
import { addRandom, nextGaussians, nextUniform } from './random.js';

function compile(build: (module: ModuleBuilder) => void): Record<string, (...args: never[]) => number> {
  const module = new ModuleBuilder();
  build(module);
  const instance = new wasm.Instance(new wasm.Module(module.bytes()), { env: { memory: heap.memory } });
  return instance.exports as ReturnType<typeof compile>;
}

const PAIRWISE: readonly (keyof Elementary)[] = ['exp', 'sigmoid', 'inverseNormal'];

/** Every function, of one number; those of two lanes in either lane, with something else in the other. */
function functions(lane: 0 | 1) {
  return compile((module) => {
    const elementary = addElementary(module, ANGLE_TABLE);
    for (const [name, func] of Object.entries(elementary) as [keyof Elementary, Func][]) {
      module.func({ params: ['f64'], results: ['f64'], exportAs: name }, (f) => {
        const x = get(f.params[0]!);
        if (!PAIRWISE.includes(name)) return call(func, x);
        return f64x2.extract(call(func, f64x2.replace(f64x2.splat(f64.const(0.001)), lane, x)), lane);
      });
    }
  }) as unknown as Record<keyof Elementary, (x: number) => number>;
}

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  5e-324,
  2 ** -1022,
  2 ** -30,
  1e300,
  709.78,
  709.79,
  -745.13,
  -745.14,
  -708.5,
  Math.PI,
  Math.PI / 2,
  2 ** 20,
  1e22,
  1.6e6,
  1.7e6,
  Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
  Math.SQRT1_2,
  Math.SQRT2 - 1,
];

function argumentsOfAllSizes(count: number): number[] {
  const random = new RandomStream(11);
  const drawn = Array.from({ length: count }, () => {
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const kind = random.integer(4);
    if (kind === 0) return sign * random.uniform();
    if (kind === 1) return sign * 10 * random.uniform();
    if (kind === 2) return sign * 800 * random.uniform();
    return sign * 2 ** (2100 * random.uniform() - 1060);
  });
  return [...SPECIAL, ...drawn];
}

const REFERENCE = { exp, log, sin, cos, tan, arcsin, arccos, arctan, sigmoid };

describe.each([0, 1] as const)('elementary functions in lane %i', (lane) => {
  const ours = functions(lane);

  it.each(Object.keys(REFERENCE) as (keyof typeof REFERENCE)[])('%s has the bits of the reference', (name) => {
    for (const x of argumentsOfAllSizes(20_000)) {
      const [got, expected] = [ours[name](x), REFERENCE[name](x)];
      if (!Object.is(got, expected)) expect.fail(`${name}(${x}) is ${got}, not ${expected}`);
    }
  });

  it('inverseNormal has the bits of the reference', () => {
    const random = new RandomStream(12);
    const drawn = Array.from({ length: 20_000 }, (_, k) =>
      k % 4 === 0 ? 2 ** (-53 * random.uniform()) / 2 : random.uniform() + 2 ** -53,
    );
    for (const p of [0.075, 0.925, 0.5, 2 ** -53, 1 - 2 ** -53, 0.07499999999999996, ...drawn]) {
      const [got, expected] = [ours.inverseNormal(p), inverseNormal(p)];
      if (!Object.is(got, expected)) expect.fail(`inverseNormal(${p}) is ${got}, not ${expected}`);
    }
  });
});

describe('random draws', () => {
  const { uniform, gaussian, key } = compile((module) => {
    const elementary = addElementary(module, ANGLE_TABLE);
    const random = addRandom(module);
    module.func({ params: ['i64'], results: ['f64'], exportAs: 'uniform' }, (f) => nextUniform(f, f.params[0]!));
    module.func({ params: ['i64', 'i32'], results: ['f64'], exportAs: 'gaussian' }, (f) => {
      const draws = f.local('v128');
      return [
        set(draws, nextGaussians(f, f.params[0]!, elementary, 2)),
        select(get(f.params[1]!), f64x2.extract(get(draws), 1), f64x2.extract(get(draws), 0)),
      ];
    });
    module.func({ params: ['i32', 'i32'], results: ['i64'], exportAs: 'key' }, (f) =>
      call(random.key, get(f.params[0]!), get(f.params[1]!)),
    );
  }) as unknown as {
    uniform: (key: bigint) => number;
    gaussian: (key: bigint, lane: number) => number;
    key: (state: number, ordinal: number) => bigint;
  };
  const join = ({ hi, lo }: { hi: number; lo: number }) => (BigInt(hi) << 32n) | BigInt(lo);

  it('have the bits of the reference', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const path = deriveKey(seed, 3);
      expect(uniform(join(path))).toBe(uniformAt(path, 0));
      expect(gaussian(join(path), 0)).toBe(gaussianAt(path, 0));
      expect(gaussian(join(path), 1)).toBe(gaussianAt(path, 1));
    }
  });

  it('are keyed by the path from the task over the step to the instruction', () => {
    const state = heap.allocate(8);
    for (const seed of [0, 1, 2 ** 53 - 1]) {
      const { hi, lo } = deriveKey(seed);
      heap.i32[state / 4] = lo;
      heap.i32[state / 4 + 1] = hi;
      for (const ordinal of [0, 1, 77]) {
        expect(BigInt.asUintN(64, key(state, ordinal))).toBe(join(deriveKey(seed, 0, ordinal)));
      }
    }
    heap.release(state);
  });
});

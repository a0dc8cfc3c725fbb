import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { FastRandom } from './fast-random.js';
import { deriveKey } from './random.js';

const DRAWS = 100_000;

describe('the chi-square test of these tests', () => {
  it('lets the right distribution pass and finds a bias of a few per cent', () => {
    const random = new FastRandom(1);
    expectDistribution(
      countCells(4, DRAWS, () => random.integer(4)),
      evenly(4),
    );
    const biased = countCells(4, DRAWS, () => (random.uniform() < 0.03 ? 0 : random.integer(4)));
    expect(() => expectDistribution(biased, evenly(4))).toThrow('chi-square');
  });

  it('fails where an impossible cell was drawn, and for cells or draws that cannot tell anything', () => {
    expect(() => expectDistribution([500, 500, 1], [0.5, 0.5, 0])).toThrow('impossible');
    expect(() => expectDistribution([500, 500], evenly(3))).toThrow();
    expect(() => expectDistribution([500, 500], [0.5, 0.4])).toThrow('add up');
    expect(() => expectDistribution([3, 3], evenly(2))).toThrow('too few');
    expect(() => countCells(2, 1, () => 2)).toThrow('drew 2');
  });

  it('knows the quantiles: at one in a million, 10 degrees of freedom go up to 47, 100 up to 182', () => {
    // Two cells off by as much as makes the statistic a little less or more than the published quantile.
    const off = (cells: number, statistic: number) => {
      const shift = Math.sqrt(statistic * 1000 * 0.5);
      return [1000 + shift, 1000 - shift, ...new Array<number>(cells - 2).fill(1000)];
    };
    for (const [cells, quantile] of [
      [11, 46.86],
      [101, 182.13],
    ] as const) {
      expectDistribution(off(cells, quantile * 0.99), evenly(cells));
      expect(() => expectDistribution(off(cells, quantile * 1.04), evenly(cells))).toThrow('chi-square');
    }
  });
});

describe('the bits', () => {
  /** The published algorithm in integers without a limit. */
  function* sfc32(hi: number, lo: number): Generator<number> {
    const word = (x: bigint) => x & 0xffffffffn;
    let [a, b, c, counter] = [BigInt(hi), BigInt(lo), 0n, 1n];
    for (let k = 0; ; k++) {
      const sum = word(a + b + counter);
      counter = word(counter + 1n);
      a = b ^ (b >> 9n);
      b = word(c + (c << 3n));
      c = word(((c << 21n) | (c >> 11n)) + sum);
      if (k >= 12) yield Number(BigInt.asIntN(32, sum));
    }
  }

  it('are those of sfc32, seeded with 64 bits and warmed up', () => {
    for (const path of [[], [1], [2 ** 53 - 1, 7, 0]]) {
      const { hi, lo } = deriveKey(...path);
      const expected = sfc32(hi, lo);
      const random = new FastRandom(...path);
      for (let k = 0; k < 1000; k++) expect(random.bits()).toBe(expected.next().value);
    }
  });

  it('are others for every path', () => {
    const paths = [[], [0], [1], [2], [2 ** 32], [0, 0], [0, 1], [1, 0], [5, 1, 0], [5, 1, 1]];
    expect(new Set(paths.map((path) => new FastRandom(...path).bits())).size).toBe(paths.length);
    // Neighbouring experiments have nothing in common.
    const [one, next] = [new FastRandom(5, 1, 0), new FastRandom(5, 1, 1)];
    expectDistribution(
      countCells(64, DRAWS, () => one.integer(8) * 8 + next.integer(8)),
      evenly(64),
    );
  });
});

describe('integer', () => {
  it.each([1, 2, 3, 7, 10, 64, 100, 1000])('is uniform below %i', (below) => {
    const random = new FastRandom(below);
    expectDistribution(
      countCells(below, DRAWS, () => random.integer(below)),
      evenly(below),
    );
  });

  it('does not depend on the draw before', () => {
    const random = new FastRandom(3);
    let before = 0;
    const counts = countCells(100, DRAWS, () => {
      const pair = before * 10;
      before = random.integer(10);
      return pair + before;
    });
    expectDistribution(counts, evenly(100));
  });
});

describe('uniform', () => {
  it('lies in [0, 1) with the right mean and variance', () => {
    const random = new FastRandom(4);
    const draws = Float64Array.from({ length: DRAWS }, () => random.uniform());
    expect(draws.every((u) => u >= 0 && u < 1)).toBe(true);
    const mean = draws.reduce((sum, u) => sum + u, 0) / DRAWS;
    const variance = draws.reduce((sum, u) => sum + (u - mean) ** 2, 0) / DRAWS;
    // Five standard errors.
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / DRAWS));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / DRAWS));
  });

  it.each([
    ['first', 1],
    ['32nd', 2 ** 31],
    ['45th', 2 ** 44],
  ])('has even digits from the %s binary place on', (_, scale) => {
    const random = new FastRandom(5);
    const counts = countCells(128, DRAWS, () => Math.floor(((random.uniform() * scale) % 1) * 128));
    expectDistribution(counts, evenly(128));
  });

  it('is a whole number of 2^-52', () => {
    const random = new FastRandom(6);
    for (let k = 0; k < 1000; k++) expect(Number.isInteger(random.uniform() * 2 ** 52)).toBe(true);
  });
});

describe('gaussian', () => {
  it('has the shares of the normal distribution between -2, -1, 0, 1, 2 and beyond', () => {
    const random = new FastRandom(7);
    const counts = countCells(6, DRAWS, () => Math.max(0, Math.min(5, Math.floor(random.gaussian()) + 3)));
    const [inner, middle] = [0.341344746068543, 0.135905121983278];
    const outer = 0.5 - inner - middle;
    expectDistribution(counts, [outer, middle, inner, inner, middle, outer]);
  });

  it('is finite for the smallest draw', () => {
    const random = new FastRandom();
    random.restore([0, 0, 0, 0]);
    expect(random.gaussian()).toBeLessThan(-8);
    expect(random.gaussian()).toBeGreaterThan(Number.NEGATIVE_INFINITY);
  });
});

describe('a saved state', () => {
  it('goes on as if nothing had happened, in another generator too, also through JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 3 }), fc.nat(50), (path, before) => {
        const random = new FastRandom(...path);
        for (let k = 0; k < before; k++) random.bits();
        const saved = random.save();
        const other = new FastRandom(99);
        other.restore(JSON.parse(JSON.stringify(saved)));
        const draw = (from: FastRandom) => [
          from.bits(),
          from.integer(10),
          from.uniform(),
          from.gaussian(),
          from.bits(),
        ];
        const expected = draw(random);
        expect(draw(other)).toEqual(expected);
        random.restore(saved);
        expect(draw(random)).toEqual(expected);
      }),
    );
  });
});

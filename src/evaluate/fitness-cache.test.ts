import { describe, expect, it } from 'vitest';
import { FastRandom } from '../util/fast-random.js';
import { FitnessCache } from './fitness-cache.js';

interface Entry {
  readonly high: number;
  readonly low: number;
  readonly values: readonly number[];
}

/** The definition: a Map keeps its keys in the order in which they were set, so the first is the least recently used. */
class PlainCache {
  private readonly entries = new Map<string, Entry>();
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  find(high: number, low: number): Entry | undefined {
    const key = `${high} ${low}`;
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  add(entry: Entry): void {
    if (this.entries.size === this.capacity) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(`${entry.high} ${entry.low}`, entry);
  }

  list(): Entry[] {
    return [...this.entries.values()];
  }
}

function add(cache: FitnessCache, { high, low, values }: Entry): void {
  const entry = cache.add(high, low);
  values.forEach((value, k) => {
    cache.setValue(entry, k, value);
  });
}

function valuesOf(cache: FitnessCache, entry: number): number[] {
  return Array.from({ length: cache.width }, (_, k) => cache.value(entry, k));
}

/** From the least to the most recently used. */
function listEntries(cache: FitnessCache): Entry[] {
  const { keys, values } = cache.save();
  return Array.from({ length: keys.length / 2 }, (_, k) => ({
    high: keys[2 * k]!,
    low: keys[2 * k + 1]!,
    values: [...values.subarray(k * cache.width, (k + 1) * cache.width)],
  }));
}

// Lows of 0 and highs below 256 all begin in the same bucket; the others spread, and some halves are equal or negative.
const HIGHS = [0, 1, 2, 3, 5, 255, 256, -1, -2, 0x7fffffff, -0x80000000];
const LOWS = [0, 1, -1, 256, 0x12345678];

function compareWithPlain(capacity: number, width: number, operations: number): { hits: number; misses: number } {
  const random = new FastRandom(capacity, width);
  const pick = <T>(items: readonly T[]) => items[random.integer(items.length)]!;
  const plain = new PlainCache(capacity);
  const cache = new FitnessCache(capacity, width);
  let [hits, misses] = [0, 0];
  for (let k = 0; k < operations; k++) {
    const [high, low] = [pick(HIGHS), random.uniform() < 0.6 ? 0 : pick(LOWS)];
    const known = plain.find(high, low);
    const entry = cache.find(high, low);
    if (entry >= 0 !== (known !== undefined)) expect.fail(`key ${high} ${low} after ${k} operations`);
    if (known !== undefined) {
      if (String(valuesOf(cache, entry)) !== String(known.values)) expect(valuesOf(cache, entry)).toEqual(known.values);
      hits++;
    } else if (random.uniform() < 0.8) {
      const added = { high, low, values: Array.from({ length: width }, () => random.uniform()) };
      plain.add(added);
      add(cache, added);
      misses++;
    }
    if (k % 100 === 0) {
      expect(cache.size).toBe(plain.list().length);
      expect(listEntries(cache)).toEqual(plain.list());
    }
  }
  expect(listEntries(cache)).toEqual(plain.list());
  return { hits, misses };
}

describe('FitnessCache', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 16, 30])(
    'with room for %i is a plain cache that forgets the least recent',
    (capacity) => {
      for (const width of [1, 4]) {
        const { hits, misses } = compareWithPlain(capacity, width, 3000);
        expect(Math.min(hits, misses)).toBeGreaterThan(100);
      }
    },
  );

  it('finds nothing at first, and both halves of a key count', () => {
    const cache = new FitnessCache(4, 1);
    expect(cache.find(0, 0)).toBe(-1);
    add(cache, { high: 3, low: 4, values: [0.5] });
    expect([cache.find(3, 5), cache.find(2, 4), cache.find(4, 3)]).toEqual([-1, -1, -1]);
    expect(cache.value(cache.find(3, 4), 0)).toBe(0.5);
  });

  it('keeps what was looked up lately rather than what was added lately', () => {
    const cache = new FitnessCache(2, 1);
    add(cache, { high: 1, low: 0, values: [1] });
    add(cache, { high: 2, low: 0, values: [2] });
    cache.find(1, 0);
    add(cache, { high: 3, low: 0, values: [3] });
    expect(listEntries(cache).map(({ high }) => high)).toEqual([1, 3]);
  });

  it('with room for one holds the last', () => {
    const cache = new FitnessCache(1, 2);
    for (let high = 0; high < 5; high++) {
      add(cache, { high, low: 7, values: [high, -high] });
      expect(listEntries(cache)).toEqual([{ high, low: 7, values: [high, -high] }]);
    }
    expect(cache.find(3, 7)).toBe(-1);
  });

  it('goes on from what was saved as if nothing had happened', () => {
    const random = new FastRandom(1);
    const first = new FitnessCache(20, 3);
    const use = (caches: readonly FitnessCache[], times: number) => {
      for (let k = 0; k < times; k++) {
        const high = random.integer(40);
        const values = [random.uniform(), Number.NaN, -0];
        const found = caches.map((cache) => cache.find(high, 0) >= 0);
        for (const cache of caches) if (!found[0]) add(cache, { high, low: 0, values });
        expect(new Set(found).size).toBe(1);
      }
    };
    // Filled in part, and full.
    for (const times of [12, 500]) {
      use([first], times);
      const second = new FitnessCache(20, 3);
      second.restore(first.save());
      expect(second.size).toBe(first.size);
      expect(listEntries(second)).toEqual(listEntries(first));
      use([first, second], 500);
      expect(listEntries(second)).toEqual(listEntries(first));
    }
  });

  it('saves a copy, and nothing if it is empty', () => {
    const cache = new FitnessCache(2, 1);
    expect(cache.save()).toEqual({ keys: new Int32Array(0), values: new Float64Array(0) });
    add(cache, { high: 1, low: 2, values: [3] });
    const saved = cache.save();
    cache.setValue(cache.find(1, 2), 0, 4);
    add(cache, { high: 5, low: 6, values: [7] });
    expect(saved).toEqual({ keys: Int32Array.of(1, 2), values: Float64Array.of(3) });
  });

  it("holds the paper's 100,000", () => {
    const capacity = 100_000;
    const random = new FastRandom(2);
    const keys = Int32Array.from({ length: 2 * 250_000 }, () => random.bits());
    const cache = new FitnessCache(capacity, 1);
    for (let k = 0; k < keys.length; k += 2) add(cache, { high: keys[k]!, low: keys[k + 1]!, values: [k] });
    expect(cache.size).toBe(capacity);
    const saved = cache.save().keys;
    expect(saved.every((key, k) => key === keys[keys.length - 2 * capacity + k])).toBe(true);
    const oldest = keys.length - 2 * capacity;
    for (let k = 0; k < keys.length; k += 2) {
      const entry = cache.find(keys[k]!, keys[k + 1]!);
      if (entry < 0 !== k < oldest || (entry >= 0 && cache.value(entry, 0) !== k)) expect.fail(`entry of key ${k}`);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { countCells, expectDistribution } from '../../tests/support/chi-square.js';
import { CodeStore } from '../program/flat/code-store.js';
import { makeInstruction, type Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import type { LineageStep } from './lineage.js';
import { SpeciesPopulation } from './species-population.js';

const MEMORY = { scalars: 4, vectors: 4, matrices: 2 };

interface Entry {
  readonly species: number;
  readonly size: number;
  readonly fitness: number;
}

/** A program that says its number, its species and the size of its Learn. */
function programOf({ species, size }: Entry, id: number): Program {
  const note = (value: number) => makeInstruction({ op: 56, out: 1, constants: [value] });
  return { setup: [note(species)], predict: [note(id)], learn: Array.from({ length: size }, () => note(0)) };
}

function makePopulation(capacity: number) {
  const store = new CodeStore(MEMORY, { setup: 1, predict: 1, learn: 9 }, capacity + 1);
  const kindOf = (place: number) => {
    const { setup, learn } = store.read(place);
    return { formula: `species ${setup[0]!.const1}`, learning: learn.length };
  };
  return { store, population: new SpeciesPopulation(capacity, store, kindOf) };
}

function lineOf(id: number, fitness: number, program: Program): LineageStep {
  return { id, fitness, program, origin: 'initial', parent: undefined, previous: undefined };
}

function fill(capacity: number, entries: readonly Entry[]) {
  const { store, population } = makePopulation(capacity);
  const accepted = entries.map((entry, id) => {
    const program = programOf(entry, id);
    store.write(population.spare, program);
    return population.add(id, entry.fitness, [], () => lineOf(id, entry.fitness, program));
  });
  const idsOf = () => population.places().map((place) => population.members.ids[place]!);
  return { store, population, accepted, idsOf };
}

const one = (species: number, fitness: number, size = 1): Entry => ({ species, size, fitness });

describe('a niche', () => {
  it('keeps its best programs', () => {
    const fitnesses = [5, 1, 4, 2, 6, 3, 0.5, 7, 2.5];
    const { accepted, population } = fill(
      100,
      fitnesses.map((fitness) => one(0, fitness)),
    );
    const left = population.places().map((place) => population.members.fitnesses[place]!);
    expect([...left].sort()).toEqual([2.5, 3, 4, 5, 6, 7]);
    expect(accepted).toEqual([true, true, true, true, true, true, false, true, true]);
  });

  it('has one program of each fitness, the last', () => {
    expect(fill(100, [one(0, 1), one(0, 2), one(0, 1)]).idsOf()).toEqual([2, 1]);
  });

  it('asks at hurdles for as much as its last had there, once it is full', () => {
    const { store, population } = makePopulation(100);
    const hurdlesOf = (entry: Entry) => {
      store.write(population.spare, programOf(entry, 0));
      return population.hurdles(2);
    };
    const add = (entry: Entry, id: number, atHurdles: readonly number[]) => {
      const program = programOf(entry, id);
      store.write(population.spare, program);
      population.add(id, entry.fitness, atHurdles, () => lineOf(id, entry.fitness, program));
    };
    for (let k = 0; k < 5; k++) add(one(0, k), k, [10 - k, 3 + k]);
    expect(hurdlesOf(one(0, 9))).toBe(undefined);
    add(one(0, 5), 5, [7, 8]);
    expect(hurdlesOf(one(0, 9))).toEqual([6, 3]);
    expect(hurdlesOf(one(1, 9))).toBe(undefined);
    expect(hurdlesOf(one(0, 9, 2))).toBe(undefined);
    // It was cut at the first hurdle, and evaluated all the same.
    add(one(0, 6), 6, [1]);
    expect(hurdlesOf(one(0, 9))).toEqual([1, Number.NEGATIVE_INFINITY]);
  });

  it('is not filled by others: by another model, or by programs of another size', () => {
    const strong = Array.from({ length: 10 }, (_, k) => one(1, 10 + k));
    const long = Array.from({ length: 10 }, (_, k) => one(0, 10 + k, 5));
    const { idsOf, population } = fill(100, [one(0, 0.1), ...strong, ...long]);
    expect(idsOf()).toContain(0);
    expect(population.speciesCount).toBe(2);
  });
});

describe('a full population', () => {
  it('gives up its worst species for a better program of another', () => {
    const { population, accepted, idsOf } = fill(3, [one(0, 1), one(1, 5), one(2, 3), one(3, 2), one(4, 0.5)]);
    expect(accepted).toEqual([true, true, true, true, false]);
    expect(idsOf()).toEqual([1, 2, 3]);
    expect(population.speciesCount).toBe(3);
  });

  it('never holds more than it may, and always the best of all', () => {
    const entry = fc.record({
      species: fc.nat(4),
      size: fc.integer({ min: 1, max: 3 }),
      fitness: fc.nat(30),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(entry, { minLength: 1, maxLength: 60 }),
        (capacity, entries) => {
          const { population, store } = fill(capacity, entries);
          const places = population.places();
          expect(places.length).toBeLessThanOrEqual(capacity);
          expect(new Set(places).size).toBe(places.length);
          expect(places).not.toContain(population.spare);
          const best = Math.max(...entries.map(({ fitness }) => fitness));
          expect(Math.max(...places.map((place) => population.members.fitnesses[place]!))).toBe(best);
          for (const place of places) {
            const id = population.members.ids[place]!;
            expect(store.read(place)).toStrictEqual(programOf(entries[id]!, id));
          }
        },
      ),
    );
  });
});

describe('parents', () => {
  it('come from every species, and more often from the better ones', () => {
    const { population } = fill(
      100,
      Array.from({ length: 20 }, (_, k) => one(k, k)),
    );
    const random = new FastRandom(3);
    const counts = countCells(20, 20_000, () => population.members.ids[population.select(3, random)]!);
    expect(Math.min(...counts)).toBeGreaterThan(300);
    expect(counts[19]!).toBeGreaterThan(2 * counts[0]!);
  });

  it('come half of the time from any species, and otherwise from one of the better ones, each passed over seven times of eight', () => {
    const fitnesses = [0.3, 0.9, 0.1, 0.5];
    const ranks = [2, 0, 3, 1];
    const { population } = fill(
      100,
      fitnesses.map((fitness, k) => one(k, fitness)),
    );
    const random = new FastRandom(5);
    const counts = countCells(4, 40_000, () => ranks[population.members.ids[population.select(3, random)]!]!);
    const ranked = (rank: number) => ((1 / 8) * (7 / 8) ** rank) / (1 - (7 / 8) ** 4);
    expectDistribution(
      counts,
      [0, 1, 2, 3].map((rank) => 0.5 / 4 + 0.5 * ranked(rank)),
    );
  });

  it('of one species are half of the time any of them, and otherwise the best of a tournament', () => {
    const { population } = fill(
      100,
      Array.from({ length: 6 }, (_, k) => one(0, k)),
    );
    const random = new FastRandom(6);
    const counts = countCells(6, 40_000, () => population.members.ids[population.select(3, random)]!);
    expectDistribution(
      counts,
      [0, 1, 2, 3, 4, 5].map((k) => 0.5 / 6 + (0.5 * ((k + 1) ** 3 - k ** 3)) / 6 ** 3),
    );
  });

  it('of one species are more often the better ones', () => {
    const { population } = fill(
      100,
      Array.from({ length: 6 }, (_, k) => one(0, k)),
    );
    const random = new FastRandom(4);
    const counts = countCells(6, 6000, () => population.members.ids[population.select(3, random)]!);
    expect(counts[5]!).toBeGreaterThan(2 * counts[0]!);
    expect(counts[0]!).toBeGreaterThan(300);
  });
});

it('what was saved has the same species, niches and parents', () => {
  const random = new FastRandom(9);
  const entries = Array.from({ length: 300 }, () => one(random.integer(9), random.integer(50), 1 + random.integer(4)));
  const { population } = fill(60, entries);
  const { population: restored } = makePopulation(60);
  restored.restore(population.save(0));
  expect(restored.save(0)).toStrictEqual(population.save(0));
  const draw = (from: SpeciesPopulation) => {
    const own = new FastRandom(1);
    return Array.from({ length: 200 }, () => from.members.ids[from.select(3, own)]);
  };
  expect(draw(restored)).toEqual(draw(population));
});

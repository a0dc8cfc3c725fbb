import { describe, expect, it } from 'vitest';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { CodeStore } from '../program/flat/code-store.js';
import { makeInstruction, type Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import type { LineageStep } from './lineage.js';
import { Population } from './population.js';

const MEMORY = { scalars: 4, vectors: 4, matrices: 2 };

/** A program that says its number. */
function numbered(k: number): Program {
  return { setup: [], predict: [makeInstruction({ op: 56, out: 1, constants: [k] })], learn: [] };
}

function firstStep(id: number, fitness: number): LineageStep {
  return { id, fitness, program: numbered(id), origin: 'initial', parent: undefined, previous: undefined };
}

function emptyPopulation(size: number): { population: Population; store: CodeStore } {
  const store = new CodeStore(MEMORY, { setup: 0, predict: 1, learn: 0 }, size + 1);
  return { population: new Population(size, store), store };
}

/** A population to which programs with these fitnesses were added, one after the other. */
function populationOf(size: number, fitnesses: readonly number[]): { population: Population; store: CodeStore } {
  const { population, store } = emptyPopulation(size);
  for (const [id, fitness] of fitnesses.entries()) {
    store.write(population.spare, numbered(id));
    population.add(id, fitness, [fitness / 2], firstStep(id, fitness));
  }
  return { population, store };
}

const idsByAge = (population: Population) => Array.from(population.places(), (place) => population.members.ids[place]);

describe('a population', () => {
  it('fills up, and then the oldest makes room', () => {
    const size = 4;
    for (let count = 0; count <= 14; count++) {
      const fitnesses = Array.from({ length: count }, (_, k) => ((k * 7) % 5) / 5);
      const { population, store } = populationOf(size, fitnesses);
      const ids = fitnesses.map((_, id) => id).slice(-size);
      expect(population.isFull).toBe(count >= size);
      expect(idsByAge(population)).toEqual(ids);
      for (const place of population.places()) {
        const id = population.members.ids[place]!;
        expect(store.read(place)).toStrictEqual(numbered(id));
        expect(population.members.fitnesses[place]).toBe(fitnesses[id]);
        expect(population.members.atHurdles[place]).toEqual([fitnesses[id]! / 2]);
        expect(population.members.lines[place]!.id).toBe(id);
      }
      expect([...population.places()]).not.toContain(population.spare);
    }
  });

  it('of one member has the newest', () => {
    const { population } = populationOf(1, [0.9, 0.1, 0.5]);
    expect(idsByAge(population)).toEqual([2]);
    expect(population.members.ids[population.select(3, new FastRandom(1))]).toBe(2);
  });
});

describe('a tournament', () => {
  const SIZE = 6;
  // Members 3 to 8 are left; the best ones were the first to die.
  const FITNESSES = [1, 0.99, 0.98, 0.2, 0.6, 0.1, 0.5, 0.4, 0.3];
  const RANKED = [4, 6, 7, 8, 3, 5];

  it.each([1, 2, 3, 4])('of %i is won by each rank as often as draws with replacement say', (tournament) => {
    const { population } = populationOf(SIZE, FITNESSES);
    const random = new FastRandom(2, tournament);
    const winner = () => population.members.ids[population.select(tournament, random)]!;
    // The best of the drawn is of rank r or worse, less the chance that it is worse.
    const notBetter = (rank: number) => ((SIZE - rank + 1) / SIZE) ** tournament;
    expectDistribution(
      countCells(SIZE, 30_000, () => RANKED.indexOf(winner())),
      RANKED.map((_, k) => notBetter(k + 1) - notBetter(k + 2)),
    );
  });

  it('has no favourites among equals: the first drawn wins', () => {
    const { population } = populationOf(5, new Array(8).fill(0.5));
    const random = new FastRandom(3);
    const counts = countCells(5, 5000, () => {
      const state = random.save();
      const first = population.select(1, random);
      random.restore(state);
      const winner = population.select(4, random);
      if (winner !== first) throw new Error('a later one won');
      return population.members.ids[winner]! - 3;
    });
    expectDistribution(counts, evenly(5));
  });

  it('takes only members while the population is not full', () => {
    const { population } = populationOf(10, [0.1, 0.2, 0.3]);
    const random = new FastRandom(4);
    expectDistribution(
      countCells(3, 3000, () => population.members.ids[population.select(1, random)]!),
      evenly(3),
    );
  });
});

describe('a saved population', () => {
  it('has the same members and dies in the same order', () => {
    for (const count of [0, 1, 3, 4, 5, 6, 9]) {
      const fitnesses = Array.from({ length: count }, (_, k) => ((k * 7) % 5) / 5);
      const { population } = populationOf(4, fitnesses);
      const { population: restored, store } = emptyPopulation(4);
      restored.restore(population.save(1));
      expect(restored.isFull).toBe(population.isFull);
      for (let id = count; id < count + 6; id++) {
        expect(idsByAge(restored)).toEqual(idsByAge(population));
        for (const place of restored.places()) {
          const known = restored.members.ids[place]!;
          expect(store.read(place)).toStrictEqual(numbered(known));
          expect(restored.members.lines[place]!.id).toBe(known);
        }
        store.write(restored.spare, numbered(id));
        population.add(id, 0.5, [], firstStep(id, 0.5));
        restored.add(id, 0.5, [], firstStep(id, 0.5));
      }
    }
  });

  it('keeps at how many hurdles each was', () => {
    const { population } = emptyPopulation(3);
    const reached = [[], [0.25, 0.5], [0]];
    reached.forEach((atHurdles, id) => {
      population.add(id, 0.5, atHurdles, firstStep(id, 0.5));
    });
    const { population: restored } = emptyPopulation(3);
    restored.restore(population.save(2));
    expect(Array.from(restored.places(), (place) => restored.members.atHurdles[place])).toEqual(reached);
  });

  it('selects the same parents', () => {
    for (const count of [3, 4, 6]) {
      const { population } = populationOf(4, [0.1, 0.4, 0.2, 0.3, 0.6, 0.5].slice(0, count));
      const { population: restored } = emptyPopulation(4);
      restored.restore(population.save(0));
      const draw = (from: Population) => {
        const random = new FastRandom(5);
        return Array.from({ length: 50 }, () => from.members.ids[from.select(2, random)]);
      };
      expect(draw(restored)).toEqual(draw(population));
    }
  });
});

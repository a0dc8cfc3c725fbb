import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConstant, arbitraryProgram } from '../../tests/support/arbitraries.js';
import { type Famous, HallOfFame } from './hall-of-fame.js';

const EMPTY = { setup: [], predict: [], learn: [] };

function candidate(hash: string, fitness: number, id = 0): Famous {
  return { hash, fitness, program: EMPTY, experiment: 0, id };
}

function enterAll(size: number, candidates: readonly Famous[]): HallOfFame {
  const hall = new HallOfFame(size);
  for (const one of candidates) hall.enter(one);
  return hall;
}

const listed = (hall: HallOfFame) => hall.entries.map(({ hash, fitness }) => `${hash} ${fitness}`);

describe('a hall of fame', () => {
  it('has the best first, and no more than its size', () => {
    const hall = enterAll(3, [candidate('a', 0.2), candidate('b', 0.8), candidate('c', 0.1), candidate('d', 0.5)]);
    expect(listed(hall)).toEqual(['b 0.8', 'd 0.5', 'a 0.2']);
  });

  it('has the earlier of two equals first, and does not drop it for the later', () => {
    const hall = enterAll(2, [candidate('a', 0.5), candidate('b', 0.5), candidate('c', 0.5)]);
    expect(listed(hall)).toEqual(['a 0.5', 'b 0.5']);
  });

  it('has each program once, with the best of its fitnesses', () => {
    const twice = [candidate('a', 0.5, 1), candidate('b', 0.6), candidate('a', 0.7, 2), candidate('a', 0.4, 3)];
    const hall = enterAll(3, twice);
    expect(listed(hall)).toEqual(['a 0.7', 'b 0.6']);
    expect(hall.entries[0]!.id).toBe(2);
    // The same fitness again is no news.
    hall.enter(candidate('a', 0.7, 9));
    expect(hall.entries[0]!.id).toBe(2);
  });

  it('says who has a chance', () => {
    const hall = enterAll(2, [candidate('a', 0.5)]);
    expect(hall.mayEnter(0)).toBe(true);
    hall.enter(candidate('b', 0.3));
    expect([0.2, 0.3, 0.4].map((fitness) => hall.mayEnter(fitness))).toEqual([false, false, true]);
  });

  it('has the best of each program, in order, whatever came', () => {
    const candidates = fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.nat(10)), { maxLength: 40 });
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 6 }), (all, size) => {
        const best = new Map<string, number>();
        for (const [hash, fitness] of all) best.set(hash, Math.max(fitness, best.get(hash) ?? 0));
        const hall = new HallOfFame(size);
        all.forEach(([hash, fitness], id) => {
          // Who has no chance changes nothing.
          const before = listed(hall);
          const hasChance = hall.mayEnter(fitness);
          hall.enter(candidate(hash, fitness, id));
          if (!hasChance) expect(listed(hall)).toEqual(before);
        });
        const fitnesses = [...best.values()].sort((a, b) => b - a).slice(0, size);
        expect(hall.entries.map(({ fitness }) => fitness)).toEqual(fitnesses);
        for (const { hash, fitness } of hall.entries) expect(best.get(hash)).toBe(fitness);
        expect(new Set(hall.entries.map(({ hash }) => hash)).size).toBe(hall.entries.length);
      }),
    );
  });
});

describe('a saved hall of fame', () => {
  it('is the same again', () => {
    const program = arbitraryProgram({ maxLength: 3, constant: anyConstant });
    const candidates = fc.array(fc.record({ program, fitness: fc.nat(3), experiment: fc.nat(), id: fc.nat() }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(candidates, (all) => {
        const hall = enterAll(
          3,
          all.map((one, k) => ({ ...one, hash: String(k) })),
        );
        const restored = new HallOfFame(3);
        restored.restore(hall.save());
        expect(restored.entries).toStrictEqual(hall.entries);
        for (const one of [hall, restored]) one.enter(candidate('new', 2));
        expect(restored.entries).toStrictEqual(hall.entries);
      }),
    );
  });
});

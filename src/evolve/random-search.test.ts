import { describe, expect, it } from 'vitest';
import { countCells, evenly, expectDistribution } from '../../tests/support/chi-square.js';
import { OPS } from '../ops/ops.js';
import { type Program, programProblem } from '../program/program.js';
import { stepsTo } from './lineage.js';
import { RandomSearch } from './random-search.js';
import { SearchSpace } from './search-space.js';

const MEMORY = { scalars: 4, vectors: 4, matrices: 2 };
const any = { ops: OPS.map(({ id }) => id), min: 1, max: 4 };
const SPACE = new SearchSpace({
  memory: MEMORY,
  features: 4,
  labels: 'scalar',
  functions: { setup: any, predict: any, learn: any },
  base: { setup: [], predict: [], learn: [] },
});

const makeSearch = (seed: number) => new RandomSearch({ space: SPACE, seed: [seed] });

function run(search: RandomSearch, count: number): Program[] {
  return Array.from({ length: count }, (_, k) => {
    const { place } = search.ask();
    search.tell({ fitness: k / count, atHurdles: [], isCut: false });
    return search.store.read(place);
  });
}

describe('random search', () => {
  it('proposes programs that are valid, and all different', () => {
    const programs = run(makeSearch(1), 500);
    for (const program of programs) expect(programProblem(program, MEMORY)).toBeUndefined();
    expect(new Set(programs.map((program) => JSON.stringify(program))).size).toBe(500);
  });

  it('makes each program without a look at the one before', () => {
    const sizes = run(makeSearch(2), 4001).map(({ predict }) => predict.length - 1);
    let k = 0;
    expectDistribution(
      countCells(16, 4000, () => sizes[k]! * 4 + sizes[++k]!),
      evenly(16),
    );
  });

  it('does not look at what it is told', () => {
    const [search, other] = [makeSearch(3), makeSearch(3)];
    for (let k = 0; k < 50; k++) {
      search.ask();
      other.ask();
      expect(other.store.read(0)).toStrictEqual(search.store.read(0));
      search.tell({ fitness: 1, atHurdles: [1], isCut: false });
      other.tell({ fitness: 0, atHurdles: [], isCut: true });
    }
  });

  it('is a function of the seed', () => {
    expect(run(makeSearch(4), 50)).toStrictEqual(run(makeSearch(4), 50));
    expect(run(makeSearch(5), 50)).not.toEqual(run(makeSearch(4), 50));
  });

  it('has lines of one step, nobody to copy and nothing that says what to expect', () => {
    const search = makeSearch(6);
    run(search, 3);
    const { id, place, origin } = search.ask();
    expect({ id, origin }).toEqual({ id: 3, origin: 'initial' });
    expect(search.known()).toBeUndefined();
    search.tell({ fitness: 0.25, atHurdles: [0.5], isCut: false });
    const program = search.store.read(place);
    expect(stepsTo(search.lastLine())).toStrictEqual([
      { id: 3, program, fitness: 0.25, origin: 'initial', parent: undefined, previous: undefined },
    ]);
    expect([...search.fitnesses(), ...search.atHurdle()]).toEqual([]);
  });

  it('goes on from a saved state as if it had never stopped', () => {
    const [search, restored] = [makeSearch(7), makeSearch(8)];
    run(search, 30);
    restored.restore(search.save());
    expect(restored.proposed).toBe(30);
    expect(run(restored, 20)).toStrictEqual(run(search, 20));
    expect(restored.save()).toStrictEqual(search.save());
  });
});

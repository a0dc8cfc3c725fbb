import { describe, expect, it } from 'vitest';
import { builtin } from '../program/builtin.js';
import { FUNCTION_NAMES, type Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { type InitialProgram, writeInitial } from './initial.js';
import { SearchSpace } from './search-space.js';

const EMPTY: Program = { setup: [], predict: [], learn: [] };
const LINEAR = builtin('paper/linear')!.program;
const MEMORY = { scalars: 5, vectors: 5, matrices: 2 };

function makeSpace(isPredictFrozen: boolean): SearchSpace {
  const any = { ops: [1, 2, 56], min: 0, max: 10 };
  const functions = { setup: any, predict: isPredictFrozen ? undefined : any, learn: { ...any, min: 3 } };
  return new SearchSpace({ memory: MEMORY, features: 4, labels: 'scalar', functions, base: LINEAR });
}

/** The first programs of a search. */
function firstPrograms(initial: readonly InitialProgram[], count: number, space = makeSpace(false)): Program[] {
  const store = space.makeStore(1);
  const random = new FastRandom(1);
  return Array.from({ length: count }, (_, k) => {
    writeInitial({ space, initial }, k, store, 0, random);
    return store.read(0);
  });
}

const sizesOf = (program: Program) => FUNCTION_NAMES.map((name) => program[name].length);

describe('initial programs', () => {
  it('are as empty as the space allows', () => {
    expect(firstPrograms(['empty'], 20).map(sizesOf)).toEqual(new Array(20).fill([0, 0, 3]));
  });

  it('are random', () => {
    const programs = firstPrograms(['random'], 20);
    expect(new Set(programs.map((program) => JSON.stringify(program))).size).toBe(20);
    expect(new Set(programs.map(({ predict }) => predict.length)).size).toBeGreaterThan(5);
    expect(programs.every(({ learn }) => learn.length >= 3)).toBe(true);
  });

  it('are given ones, exactly', () => {
    expect(firstPrograms([LINEAR], 3)).toStrictEqual([LINEAR, LINEAR, LINEAR]);
  });

  it('are given ones but for the frozen functions', () => {
    const given = { ...EMPTY, setup: LINEAR.predict };
    expect(firstPrograms([given], 1, makeSpace(true))).toStrictEqual([{ ...given, predict: LINEAR.predict }]);
  });

  it('come in turn', () => {
    const programs = firstPrograms([LINEAR, 'empty', EMPTY], 6);
    const [linear, empty, given] = [sizesOf(LINEAR), [0, 0, 3], [0, 0, 0]];
    expect(programs.map(sizesOf)).toEqual([linear, empty, given, linear, empty, given]);
  });
});

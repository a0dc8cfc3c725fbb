import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { builtin } from '../program/builtin.js';
import { CodeFlow } from '../program/flat/code-flow.js';
import { parseSource } from '../program/parse.js';
import { type Program, programProblem } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { type LineageStep, stepsTo } from './lineage.js';
import { MUTATION_NAMES, MUTATION_SETS } from './mutations.js';
import type { Told } from './search-method.js';
import { SearchSpace } from './search-space.js';
import { METHOD_PARTS, SpeciesEvolution, type SpeciesOptions } from './species-evolution.js';
import { NICHE_SIZE } from './species-population.js';

const MEMORY = { scalars: 4, vectors: 8, matrices: 2 };
const NETWORK = builtin('paper/neural-net-no-bias')!.program;

/** The ops of a network, in functions of at most these lengths. */
function spaceOf(predict: number, learn: number, least = { predict: 0, learn: 0 }): SearchSpace {
  return new SearchSpace({
    memory: MEMORY,
    features: 8,
    labels: 'scalar',
    functions: {
      setup: { ops: [56, 63, 64], min: 0, max: 21 },
      predict: { ops: [27, 31, 48], min: least.predict, max: predict },
      learn: { ops: [2, 3, 16, 18, 23, 25, 28, 39], min: least.learn, max: learn },
    },
    base: { setup: [], predict: [], learn: [] },
  });
}

const SPACE = spaceOf(3, 9);

function makeEvolution(options: Partial<SpeciesOptions> = {}): SpeciesEvolution {
  const common = { space: SPACE, population: 200, tournament: 3, hurdles: 0, seed: [1] };
  return new SpeciesEvolution({ ...common, initial: ['random'], mutations: MUTATION_SETS.paper, ...options });
}

/** A toy to get better at: as many of the network's instructions as possible, wherever they stand. */
function likeness(program: Program): number {
  const ops = (body: Program['learn']) => new Set(body.map(({ op }) => op));
  const wanted = [...ops(NETWORK.predict), ...ops(NETWORK.learn)];
  const has = new Set([...ops(program.predict), ...ops(program.learn)]);
  return wanted.filter((op) => has.has(op)).length / wanted.length;
}

const judge = (program: Program): Told => {
  const fitness = likeness(program);
  const isCut = program.setup.length > 18;
  return { fitness, atHurdles: [program.setup.length / 21], isCut };
};

function lineOf(program: Program, fitness: number): LineageStep {
  return { id: 0, fitness, program, origin: 'initial', parent: undefined, previous: undefined };
}

function run(evolution: SpeciesEvolution, count: number) {
  return Array.from({ length: count }, () => {
    const { id, place, origin } = evolution.ask();
    const program = evolution.store.read(place);
    const known = evolution.known();
    const told = known ?? judge(program);
    evolution.tell(told);
    return { id, origin, program, known, told };
  });
}

describe('programs', () => {
  it.each([
    ['random', 'random' as const],
    ['empty', 'empty' as const],
    ['given', NETWORK],
  ])('from %s ones are valid, and judged only if they can learn', (_, initial) => {
    const evolution = makeEvolution({ initial: [initial] });
    const flow = new CodeFlow(evolution.store, 'scalar');
    let judged = 0;
    for (let n = 0; n < 2000; n++) {
      const { place } = evolution.ask();
      const program = evolution.store.read(place);
      const problem = programProblem(program, MEMORY);
      if (problem !== undefined) expect.fail(problem);
      const known = evolution.known();
      if (known === undefined) {
        judged++;
        expect(flow.canLearn(place)).toBe(true);
      } else expect(known).toEqual({ fitness: 0, isCut: true });
      evolution.tell(known ?? judge(program));
    }
    expect(judged).toBeGreaterThan(200);
  });

  it('get better', () => {
    const evolution = makeEvolution({ initial: ['empty'] });
    // From here on programs may be as long as the network.
    evolution.restore({ ...evolution.save(), proposed: 100_000 });
    run(evolution, 5000);
    expect(Math.max(...evolution.fitnesses())).toBeGreaterThanOrEqual(10 / 11);
  });

  it('are numbered as they are wanted', () => {
    const evolution = makeEvolution({ numbering: { first: 2, step: 5 } });
    expect(run(evolution, 4).map(({ id }) => id)).toEqual([2, 7, 12, 17]);
  });

  it('are a function of the seed', () => {
    const programs = (seed: number) => run(makeEvolution({ seed: [seed] }), 500).map(({ program }) => program);
    expect(programs(4)).toStrictEqual(programs(4));
    expect(programs(4)).not.toEqual(programs(5));
  });
});

describe('the length of programs', () => {
  /** The longest Predict and Learn of some children, from a number of proposals on. */
  function longest(initial: SpeciesOptions['initial'], proposed = 0): number[] {
    const evolution = makeEvolution({ space: spaceOf(21, 45), initial });
    run(evolution, 500);
    const saved = evolution.save();
    evolution.restore({ ...saved, proposed });
    const programs = run(evolution, 5000).map(({ program }) => program);
    return [
      Math.max(...programs.map((one) => one.predict.length)),
      Math.max(...programs.map((one) => one.learn.length)),
    ];
  }

  it('that come of empty ones is small at first, and grows with every doubling of the proposals', () => {
    expect(longest(['empty'])).toEqual([2, 6]);
    expect(longest(['empty'], 120_000)).toEqual([3, 9]);
    expect(longest(['empty'], 420_000)).toEqual([5, 15]);
  });

  it('that come of empty ones is never less than the space allows', () => {
    const evolution = makeEvolution({ space: spaceOf(6, 12, { predict: 4, learn: 8 }), initial: ['empty'] });
    const programs = run(evolution, 2000).map(({ program }) => program);
    expect(Math.min(...programs.map((one) => one.predict.length))).toBe(4);
    expect(Math.min(...programs.map((one) => one.learn.length))).toBe(8);
    expect(Math.max(...programs.map((one) => one.learn.length))).toBe(8);
  });

  it('of others is as long as the space allows', () => {
    expect(longest(['random'])).toEqual([21, 45]);
    expect(longest(['empty', NETWORK])[1]).toBeGreaterThan(9);
  });
});

describe('niches', () => {
  const withError = builtin('paper/linear')!.program;
  /** The same without the error: an average of features times labels, in as many instructions. */
  const withoutError = parseSource(
    'def Setup():\n  s3 = 0.01\ndef Predict(v0):\n  s1 = dot(v0, v1)\n' +
      'def Learn(v0, s0):\n  s2 = s3 * s0\n  v2 = s2 * v0\n  v2 = s3 * v2\n  v1 = v1 + v2\n',
  ).program;

  /** How many of each live on, where those without errors are always better. */
  function countKinds(without: SpeciesOptions['without'] & {}) {
    const evolution = makeEvolution({ without });
    const adopt = (program: Program, fitness: number) => {
      evolution.store.write(evolution.spare, program);
      evolution.adopt({ id: 0, line: lineOf(program, fitness) }, { fitness });
    };
    for (let k = 0; k < 2 * NICHE_SIZE; k++) {
      adopt(withError, 0.1 + k / 1000);
      adopt(withoutError, 0.8 + k / 1000);
    }
    const fitnesses = [...evolution.fitnesses()];
    return [0, 1].map((kind) => fitnesses.filter((fitness) => Number(fitness > 0.5) === kind).length);
  }

  it('tell learning from errors from learning without them: neither drives out the other', () => {
    expect(countKinds([])).toEqual([NICHE_SIZE, NICHE_SIZE]);
    expect(countKinds(['feedback'])).toEqual([0, NICHE_SIZE]);
  });
});

describe('without a part', () => {
  it('programs that cannot learn are judged as well', () => {
    const evolution = makeEvolution({ without: ['learnability'] });
    const flow = new CodeFlow(evolution.store, 'scalar');
    const judged = run(evolution, 1000).filter(({ known }) => known === undefined);
    const canLearn = judged.map(({ program }) => {
      evolution.store.write(evolution.spare, program);
      return flow.canLearn(evolution.spare);
    });
    expect(new Set(canLearn)).toEqual(new Set([false, true]));
  });

  it("mutations are the paper's", () => {
    const origins = new Set(run(makeEvolution({ without: ['connection'] }), 2000).map(({ origin }) => origin));
    expect([...origins].every((origin) => ['initial', ...MUTATION_NAMES].includes(origin))).toBe(true);
    expect(origins.size).toBe(5);
  });

  it('all compete with each other: none of two that are as good stays', () => {
    const fitnessesWithout = (without: SpeciesOptions['without'] & {}) => {
      const evolution = makeEvolution({ without });
      run(evolution, 3000);
      return [...evolution.fitnesses()];
    };
    const [all, single] = [fitnessesWithout([]), fitnessesWithout(['species'])];
    expect(new Set(all).size).toBeLessThan(all.length);
    expect(new Set(single).size).toBe(single.length);
  });

  it.each(METHOD_PARTS)('%s is saved as with it', (part) => {
    const options = { without: [part], population: 30, initial: ['random', 'empty'] as const };
    const [evolution, restored] = [makeEvolution(options), makeEvolution(options)];
    run(evolution, 700);
    restored.restore(evolution.save());
    expect(run(restored, 100)).toStrictEqual(run(evolution, 100));
  });
});

describe('lines', () => {
  it('go back to an initial program, better at every step', () => {
    const evolution = makeEvolution();
    let [best, longest] = [-1, 0];
    for (let n = 0; n < 4000; n++) {
      const [{ known, told, id, program }] = run(evolution, 1) as [ReturnType<typeof run>[number]];
      if (known !== undefined || told.isCut || told.fitness <= best) continue;
      best = told.fitness;
      const steps = stepsTo(evolution.lastLine());
      longest = Math.max(longest, steps.length);
      expect(steps.at(-1)).toMatchObject({ id, fitness: told.fitness, program });
      expect(steps[0]).toMatchObject({ origin: 'initial', parent: undefined });
      for (let k = 1; k < steps.length; k++) expect(steps[k]!.fitness).toBeGreaterThan(steps[k - 1]!.fitness);
    }
    expect(longest).toBeGreaterThan(2);
  });
});

describe('a saved evolution', () => {
  it('goes on as if it had never stopped', () => {
    const cases = fc.record({ population: fc.integer({ min: 2, max: 60 }), seed: fc.nat(), before: fc.nat(800) });
    fc.assert(
      fc.property(cases, ({ population, seed, before }) => {
        const options = { population, seed: [seed], initial: ['random', 'empty'] as const, hurdles: 1 };
        const [evolution, restored] = [makeEvolution(options), makeEvolution(options)];
        run(evolution, before);
        restored.restore(evolution.save());
        expect(restored.proposed).toBe(before);
        expect(restored.save()).toStrictEqual(evolution.save());
        expect(run(restored, 100)).toStrictEqual(run(evolution, 100));
        expect(restored.save()).toStrictEqual(evolution.save());
      }),
      { numRuns: 20 },
    );
  });
});

describe('migration', () => {
  it('takes in programs of others, and sends its own', () => {
    const [from, to] = [makeEvolution({ seed: [1] }), makeEvolution({ seed: [2] })];
    run(from, 3000);
    const { ids, fitnesses } = from.emigrants(5, new FastRandom(3));
    expect(new Set(ids).size).toBe(5);
    for (const fitness of fitnesses) expect([...from.fitnesses()]).toContain(fitness);
    const line = from.lastLine();
    to.store.write(to.spare, NETWORK);
    to.adopt({ id: 99, line }, { fitness: 0.75 });
    expect([...to.fitnesses()]).toEqual([0.75]);
    // What cannot learn, or was cut, is of no use.
    to.store.write(to.spare, { setup: [], predict: [], learn: [] });
    to.adopt({ id: 100, line }, { fitness: 0.8 });
    to.store.write(to.spare, NETWORK);
    to.adopt({ id: 101, line }, { fitness: 0.9, isCut: true });
    expect([...to.fitnesses()]).toEqual([0.75]);
  });
});

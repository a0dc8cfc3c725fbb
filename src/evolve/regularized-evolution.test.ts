import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../tests/support/arbitraries.js';
import { countCells, expectDistribution } from '../../tests/support/chi-square.js';
import { builtin } from '../program/builtin.js';
import { makeInstruction, type Program, programProblem } from '../program/program.js';
import { stepsTo } from './lineage.js';
import { MUTATION_NAMES, MUTATION_SETS } from './mutations.js';
import { type EvolutionOptions, RegularizedEvolution } from './regularized-evolution.js';
import type { Proposal, Told } from './search-method.js';
import { SearchSpace } from './search-space.js';

const MEMORY = { scalars: 4, vectors: 4, matrices: 2 };
const EMPTY: Program = { setup: [], predict: [], learn: [] };
const WANTED_OP = 3;
const any = { ops: [1, 2, WANTED_OP, 18, 27, 56, 57], min: 0, max: 8 };
const SPACE = new SearchSpace({
  memory: MEMORY,
  features: 4,
  labels: 'scalar',
  functions: { setup: any, predict: any, learn: any },
  base: EMPTY,
});

const OPTIONS: EvolutionOptions = {
  space: SPACE,
  population: 20,
  tournament: 4,
  mutationProbability: 0.9,
  mutations: MUTATION_SETS.paper,
  initial: ['empty'],
  hurdles: 0,
  seed: [1],
};

const makeEvolution = (options: Partial<EvolutionOptions> = {}) => new RegularizedEvolution({ ...OPTIONS, ...options });

/** A toy to get better at: five instructions of one op in Predict. */
const countWanted = ({ predict }: Program) => Math.min(5, predict.filter(({ op }) => op === WANTED_OP).length) / 5;
const tellFully = (fitness: number): Told => ({ fitness, atHurdles: [], isCut: false });

interface Step extends Proposal {
  readonly program: Program;
  readonly fitness: number;
}

/** Asks, judges and tells so many times. */
function run(evolution: RegularizedEvolution, count: number, judge = countWanted): Step[] {
  return Array.from({ length: count }, () => {
    const proposal = evolution.ask();
    const program = evolution.store.read(proposal.place);
    const fitness = judge(program);
    evolution.tell(tellFully(fitness));
    return { ...proposal, program, fitness };
  });
}

describe('the beginning', () => {
  it('is the initial programs in turn, until the population is full', () => {
    const linear = builtin('paper/linear')!.program;
    const steps = run(makeEvolution({ population: 5, initial: [linear, 'empty'] }), 6);
    expect(steps.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(steps.slice(0, 5).map(({ program }) => program)).toStrictEqual([linear, EMPTY, linear, EMPTY, linear]);
    expect(steps.slice(0, 5).every(({ origin }) => origin === 'initial')).toBe(true);
    expect(steps[5]!.origin).not.toBe('initial');
  });
});

describe('children', () => {
  it('are unchanged copies but for the mutation probability, and mutations come by their weights', () => {
    for (const mutationProbability of [0, 0.3, 1]) {
      const evolution = makeEvolution({ mutationProbability });
      run(evolution, OPTIONS.population);
      const origins = ['copy', ...MUTATION_NAMES];
      const children = run(evolution, 5000);
      let k = 0;
      const counts = countCells(origins.length, children.length, () => origins.indexOf(children[k++]!.origin));
      const weights = [1 / 9, 2 / 9, 1 / 3, 1 / 3, 0, 0];
      expectDistribution(counts, [1 - mutationProbability, ...weights.map((p) => mutationProbability * p)]);
    }
  });

  /** A program that says its number, which no mutation of other functions changes. */
  const numbered = (k: number): Program => ({
    ...EMPTY,
    setup: [makeInstruction({ op: 56, out: 1, constants: [k] })],
  });

  it('come from the winners of tournaments', () => {
    const initial = [0, 1, 2, 3].map(numbered);
    const numberOf = ({ setup }: Program) => setup[0]!.const1;
    let seed = 0;
    const counts = countCells(4, 3000, () => {
      const evolution = makeEvolution({
        population: 4,
        tournament: 3,
        mutationProbability: 0,
        initial,
        seed: [seed++],
      });
      // The third is the best, the first the worst.
      run(evolution, 4, (program) => [0, 0.2, 0.9, 0.5][numberOf(program)]!);
      return numberOf(run(evolution, 1, () => 0)[0]!.program);
    });
    expectDistribution(counts, [1 / 64, 7 / 64, 37 / 64, 19 / 64]);
  });

  it('that are copies are known: they get what their parent was told', () => {
    const initial = [0, 1, 2].map(numbered);
    const evolution = makeEvolution({ population: 3, tournament: 1, mutationProbability: 0.5, initial, hurdles: 2 });
    const told = new Map<string, Told>();
    let copies = 0;
    for (let k = 0; k < 300; k++) {
      const { place, origin } = evolution.ask();
      const program = JSON.stringify(evolution.store.read(place));
      const known = evolution.known();
      if (origin === 'copy') copies++;
      // A mutation may draw what there was before: that is a copy too.
      if (origin === 'copy' || known !== undefined) expect(known).toEqual(told.get(program));
      const fresh = { fitness: k / 300, atHurdles: [k / 600], isCut: false };
      const tell = known ?? told.get(program) ?? fresh;
      told.set(program, tell);
      evolution.tell(tell);
    }
    expect(copies).toBeGreaterThan(100);
  });
});

describe('the population', () => {
  it('tells the fitnesses of its members, in the end and at each hurdle that they came to', () => {
    const evolution = makeEvolution({ population: 3, hurdles: 2 });
    const atHurdles = [[0.1], [], [0.3, 0.4], [0.5, 0.6]];
    for (const [k, reached] of atHurdles.entries()) {
      evolution.ask();
      evolution.tell({ fitness: k, atHurdles: reached, isCut: reached.length < 2 });
    }
    expect([...evolution.fitnesses()]).toEqual([1, 2, 3]);
    expect([...evolution.atHurdle(0)]).toEqual([0.3, 0.5]);
    expect([...evolution.atHurdle(1)]).toEqual([0.4, 0.6]);
  });
});

describe('evolution', () => {
  it.each(['paper', 'released'] as const)('gets better with the mutations of the %s set', (set) => {
    for (const seed of [1, 2, 3]) {
      const steps = run(makeEvolution({ mutations: MUTATION_SETS[set], seed: [seed] }), 3000);
      expect(Math.max(...steps.map(({ fitness }) => fitness))).toBe(1);
      // The whole population, not one lucky program.
      const last = steps.slice(-OPTIONS.population);
      expect(last.reduce((sum, { fitness }) => sum + fitness, 0) / last.length).toBeGreaterThan(0.5);
    }
  });

  it('does not get better when every program is called equally good', () => {
    const steps = run(makeEvolution(), 3000, () => 0.5);
    expect(Math.max(...steps.map(({ program }) => countWanted(program)))).toBeLessThan(1);
  });

  it('is a function of the seed', () => {
    const [first, again, other] = [
      [1, 2],
      [1, 2],
      [1, 3],
    ].map((seed) => run(makeEvolution({ seed }), 500));
    expect(again).toStrictEqual(first);
    expect(other!.map(({ program }) => program)).not.toEqual(first!.map(({ program }) => program));
  });

  it('proposes valid programs only', () => {
    for (const { program } of run(makeEvolution({ mutations: MUTATION_SETS.released, initial: ['random'] }), 2000)) {
      expect(programProblem(program, MEMORY)).toBeUndefined();
    }
  });
});

/** Asks until a mutation changes something. */
function askForChange(evolution: RegularizedEvolution): void {
  evolution.ask();
  for (let known = evolution.known(); known !== undefined; known = evolution.known()) {
    evolution.tell(known);
    evolution.ask();
  }
}

describe('the line of a program', () => {
  it('goes back to an initial program, better at every step, with parents that were proposed before', () => {
    const evolution = makeEvolution();
    const steps: Step[] = [];
    let longest = 0;
    for (let k = 0; k < 600; k++) {
      steps.push(...run(evolution, 1));
      const line = stepsTo(evolution.lastLine());
      longest = Math.max(longest, line.length);
      expect(line[0]).toMatchObject({ origin: 'initial', parent: undefined });
      for (const [n, { id, program, fitness, origin, parent }] of line.entries()) {
        const { program: proposed, fitness: told, origin: made } = steps[id]!;
        expect({ program, fitness, origin }).toStrictEqual({ program: proposed, fitness: told, origin: made });
        if (n === 0) continue;
        expect(fitness).toBeGreaterThan(line[n - 1]!.fitness);
        expect(origin).not.toBe('copy');
        const { program: parentProgram, fitness: parentFitness } = steps[parent!.id]!;
        expect(parent).toStrictEqual({ id: parent!.id, program: parentProgram, fitness: parentFitness });
        expect(parent!.id).toBeLessThan(id);
        expect(parent!.id).toBeGreaterThanOrEqual(line[n - 1]!.id);
      }
      // A program that is better than all its ancestors is the last step of its own line.
      if (line.at(-1)!.id !== k) expect(line.at(-1)!.fitness).toBeGreaterThanOrEqual(steps[k]!.fitness);
    }
    expect(longest).toBeGreaterThan(3);
  });

  it('does not take the fitness at a hurdle for a better one', () => {
    const evolution = makeEvolution({ population: 1, mutationProbability: 1 });
    run(evolution, 1, () => 0.5);
    askForChange(evolution);
    evolution.tell({ fitness: 0.9, atHurdles: [0.9], isCut: true });
    expect(stepsTo(evolution.lastLine()).map(({ fitness }) => fitness)).toEqual([0.5]);
    askForChange(evolution);
    evolution.tell(tellFully(0.6));
    const [, last] = stepsTo(evolution.lastLine());
    expect(last).toMatchObject({ fitness: 0.6, parent: { fitness: 0.9 } });
  });

  it('is not better for a mutation that changed nothing', () => {
    const evolution = makeEvolution({ population: 1, mutationProbability: 0 });
    run(evolution, 1, () => 0.5);
    evolution.ask();
    evolution.tell(tellFully(0.6));
    expect(stepsTo(evolution.lastLine()).map(({ fitness }) => fitness)).toEqual([0.5]);
  });
});

describe('a saved evolution', () => {
  const cases = fc.record({
    population: fc.integer({ min: 1, max: 8 }),
    tournament: fc.integer({ min: 1, max: 4 }),
    seed: fc.nat(),
    before: fc.nat(40),
  });

  /** Judged at up to two hurdles, as programs are in a search. */
  const judge = (program: Program): Told => {
    const fitness = countWanted(program);
    const hurdle = program.setup.length / any.max;
    const isCut = hurdle > 0.5;
    return { fitness, atHurdles: isCut ? [hurdle] : [hurdle, fitness / 2], isCut };
  };

  const goOn = (evolution: RegularizedEvolution, count: number) =>
    Array.from({ length: count }, () => {
      const proposal = evolution.ask();
      const program = evolution.store.read(proposal.place);
      const known = evolution.known();
      evolution.tell(known ?? judge(program));
      return {
        origin: proposal.origin,
        id: proposal.id,
        program,
        known,
        line: stepsTo(evolution.lastLine()),
        fitnesses: [...evolution.fitnesses()],
        atHurdles: [0, 1].map((k) => [...evolution.atHurdle(k)]),
      };
    });

  it('goes on as if it had never stopped', () => {
    fc.assert(
      fc.property(cases, ({ population, tournament, seed, before }) => {
        const options = { population, tournament, seed: [seed], initial: ['random', 'empty'] as const, hurdles: 2 };
        const [evolution, restored] = [makeEvolution(options), makeEvolution(options)];
        goOn(evolution, before);
        restored.restore(evolution.save());
        expect(restored.proposed).toBe(before);
        expect([...restored.fitnesses()]).toEqual([...evolution.fitnesses()]);
        expect(restored.save()).toStrictEqual(evolution.save());
        expect(goOn(restored, 20)).toStrictEqual(goOn(evolution, 20));
        expect(restored.save()).toStrictEqual(evolution.save());
      }),
      { numRuns: 60 },
    );
  });
});

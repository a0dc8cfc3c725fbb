// The method `evozero` (docs/discovery.md): programs that cannot learn cost nothing, mutations connect, and models are species that do
// not drive each other out. Not in the paper, whose method is regularized-evolution.ts. Pure: no clock, no global randomness.
import { CodeFlow } from '../program/code-flow.js';
import type { CodeStore } from '../program/code-store.js';
import type { Program } from '../program/program.js';
import { FastRandom } from '../util/fast-random.js';
import { ConnectedMutator } from './connected-mutations.js';
import { type InitialPrograms, writeInitial } from './initial.js';
import type { LineageStep, Origin } from './lineage.js';
import {
  ALONE,
  type Immigrant,
  type Migrants,
  type Numbering,
  type Proposal,
  type SavedSearch,
  type SearchMethod,
  type Told,
} from './search-method.js';
import { type Kind, SpeciesPopulation } from './species-population.js';

export interface SpeciesOptions extends InitialPrograms {
  /** Programs that live at the same time, at most. */
  readonly population: number;
  readonly tournament: number;
  /** How many hurdles programs meet. */
  readonly hurdles: number;
  /** Draws every choice: a path of integers. */
  readonly seed: readonly number[];
  readonly numbering?: Numbering;
}

const LEARN = 2;
const NO_PARENT = -1;
const NO_HURDLES: readonly number[] = [];
/** What is told of programs that need not be evaluated. */
const HOPELESS: Told = { fitness: 0, isCut: true };

/** How often a program is made anew instead of from a parent. */
const FRESH = 0.05;
/** A child has one mutation, and with this probability one more, and so on. */
const ONE_MORE = 0.3;
const MAX_MUTATIONS = 5;
/** What is made of an empty program gets at most so many connections at once. */
const MAX_CONNECTIONS = 8;

/** Evolution of species: programs compete within the same model. Proposes and is told; it never evaluates. */
export class SpeciesEvolution implements SearchMethod {
  readonly store: CodeStore;
  proposed = 0;
  private readonly options: SpeciesOptions;
  private readonly random: FastRandom;
  private readonly flow: CodeFlow;
  private readonly mutator: ConnectedMutator;
  private readonly population: SpeciesPopulation;
  /** Of the last proposal. */
  private place = 0;
  private parent = NO_PARENT;
  private origin: Origin = 'initial';
  private isHopeless = false;
  private line: LineageStep | undefined;

  constructor(options: SpeciesOptions) {
    const { space, population, seed } = options;
    this.options = options;
    this.store = space.makeStore(population + 1);
    this.random = new FastRandom(...seed);
    this.flow = new CodeFlow(this.store, space.labels);
    this.mutator = new ConnectedMutator(space, this.store, this.flow, this.random);
    this.population = new SpeciesPopulation(population, this.store, (place) => this.kindOf(place));
  }

  ask(): Proposal {
    const { population, random } = this;
    this.proposed++;
    this.place = population.spare;
    const isFresh = population.isEmpty || random.uniform() < FRESH;
    const hasChanged = isFresh ? this.makeFresh() : this.makeChild();
    this.isHopeless = !hasChanged || !this.flow.canLearn(this.place);
    return { id: this.lastId, place: this.place, origin: this.origin };
  }

  private makeFresh(): boolean {
    const { options, store, place, random, mutator } = this;
    this.parent = NO_PARENT;
    this.origin = 'initial';
    const number = random.integer(options.initial.length);
    const kind = options.initial[number]!;
    writeInitial(options, number, store, place, random);
    // What is empty has nothing that mutations could change: it gets connections.
    if (kind === 'empty') for (let k = random.integer(MAX_CONNECTIONS + 1); k > 0; k--) mutator.apply('connect', place);
    return true;
  }

  private makeChild(): boolean {
    const { options, population, store, place, random, mutator } = this;
    this.parent = population.select(options.tournament, random);
    store.copy(this.parent, place);
    let hasChanged = false;
    let count = 0;
    do {
      this.origin = mutator.choose();
      if (mutator.apply(this.origin, place)) hasChanged = true;
    } while (++count < MAX_MUTATIONS && random.uniform() < ONE_MORE);
    return hasChanged;
  }

  private kindOf(place: number): Kind {
    const { flow, store } = this;
    flow.run(place);
    flow.canLearn(place);
    let learnSize = 0;
    for (let k = 0; k < store.length(place, LEARN); k++) if (flow.isLive(LEARN, k)) learnSize++;
    return { formula: flow.formula(place), learnSize };
  }

  lastProgram(): Program {
    return this.store.read(this.place);
  }

  known(): Told | undefined {
    return this.isHopeless ? HOPELESS : undefined;
  }

  tell({ fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    const { population, parent } = this;
    if (this.isHopeless || isCut) return;
    const line = parent === NO_PARENT ? undefined : population.members.lines[parent]!;
    this.line = line === undefined || fitness > line.fitness ? this.lengthen(line, fitness) : line;
    population.add(this.lastId, fitness, atHurdles, this.line);
  }

  private idOf(number: number): number {
    const { first, step } = this.options.numbering ?? ALONE;
    return first + step * number;
  }

  private get lastId(): number {
    return this.idOf(this.proposed - 1);
  }

  lastLine(): LineageStep {
    return this.line!;
  }

  *fitnesses(): Generator<number> {
    for (const place of this.population.places()) yield this.population.members.fitnesses[place]!;
  }

  *atHurdle(k: number): Generator<number> {
    const { population } = this;
    for (const place of population.places()) {
      const fitness = population.members.atHurdles[place]![k];
      if (fitness !== undefined) yield fitness;
    }
  }

  get spare(): number {
    return this.population.spare;
  }

  emigrants(count: number, random: FastRandom): Migrants {
    return this.population.draw(count, this.options.hurdles, random);
  }

  adopt({ id, line }: Immigrant, { fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    if (!isCut && this.flow.canLearn(this.population.spare)) this.population.add(id, fitness, atHurdles, line);
  }

  save(): SavedSearch {
    return {
      proposed: this.proposed,
      random: this.random.save(),
      members: this.population.save(this.options.hurdles),
    };
  }

  restore({ proposed, random, members }: SavedSearch): void {
    this.proposed = proposed;
    this.random.restore(random);
    this.population.restore(members);
  }

  /** A line with the last proposal, which is better than all before it. */
  private lengthen(previous: LineageStep | undefined, fitness: number): LineageStep {
    const { store, population, parent, origin, place } = this;
    const { ids, fitnesses } = population.members;
    return {
      id: this.lastId,
      program: store.read(place),
      fitness,
      origin,
      parent:
        previous === undefined
          ? undefined
          : { id: ids[parent]!, fitness: fitnesses[parent]!, program: store.read(parent) },
      previous,
    };
  }
}

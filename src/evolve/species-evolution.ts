// The method `evozero` (docs/discovery.md): programs that cannot learn cost nothing, mutations connect, and models are species that do
// not drive each other out. Not in the paper, whose method is regularized-evolution.ts. Pure: no clock, no global randomness.
import { CodeFlow } from '../program/flat/code-flow.js';
import { LEARN, PREDICT } from '../program/flat/code-layout.js';
import { ConnectedMutator } from './connected-mutations.js';
import { type CommonOptions, Evolution, NO_HURDLES, NO_PARENT } from './evolution.js';
import { type InitialPrograms, writeInitial } from './initial.js';
import type { LineageStep } from './lineage.js';
import { type MutationSet, Mutator } from './mutations.js';
import type { Immigrant, Proposal, Told } from './search-method.js';
import { type Kind, NICHE_SIZE, SpeciesPopulation } from './species-population.js';

/**
 * What can be left out, to see what it is worth. Without learnability, programs that cannot learn are run as well; without connection, mutations are the
 * paper's; without species, all programs compete; without feedback, all of a species that have as many instructions to learn.
 */
export const METHOD_PARTS = ['learnability', 'connection', 'species', 'feedback'] as const;
export type MethodPart = (typeof METHOD_PARTS)[number];

export interface SpeciesOptions extends InitialPrograms, CommonOptions {
  /** Programs that live at the same time, at most. */
  readonly population: number;
  readonly tournament: number;
  /** Nothing if not given. */
  readonly without?: readonly MethodPart[];
  /** For searches without connection. */
  readonly mutations: MutationSet;
}

/** What is told of programs that need not be evaluated. */
const HOPELESS: Told = { fitness: 0, isCut: true };

/** Of all programs, where there are no species. */
const SAME: Kind = { formula: '', learning: 0 };

/** How often a program is made anew instead of from a parent. */
const FRESH = 0.05;
/** A child has one mutation, and with this probability one more, and so on. */
const ONE_MORE = 0.5;
const MAX_MUTATIONS = 5;
/** What is made of an empty program gets at most so many connections at once. */
const MAX_CONNECTIONS = 8;
/**
 * What comes of empty programs is short at first, or most would soon be as long as they may be, slow and no better: these functions may
 * have so many instructions, and so many more from a number of proposals on and with every doubling of it.
 */
const GROWTH = [
  { fn: PREDICT, first: 2, more: 1 },
  { fn: LEARN, first: 6, more: 3 },
] as const;
const GROWTH_BEGINS = 100_000;

/** Evolution of species: programs compete within the same model. Proposes and is told; it never evaluates. */
export class SpeciesEvolution extends Evolution<SpeciesPopulation> {
  private readonly options: SpeciesOptions;
  private readonly flow: CodeFlow;
  private readonly mutator: ConnectedMutator;
  /** The paper's, if ours are left out. */
  private readonly otherMutator: Mutator | undefined;
  private readonly runsAll: boolean;
  private readonly startsEmpty: boolean;
  /** The last proposal cannot learn, or is what its parent is. */
  private isHopeless = false;
  private toldFitness = 0;
  private readonly ownLine = () => this.lastLine();

  constructor(options: SpeciesOptions) {
    const { space, population, without = [] } = options;
    const store = space.makeStore(population + 1);
    const flow = new CodeFlow(store, space.labels);
    const isOne = without.includes('species');
    const tellsFeedback = !without.includes('feedback');
    const kind = isOne ? () => SAME : (place: number) => kindOf(flow, place, tellsFeedback);
    super(options, store, new SpeciesPopulation(population, store, kind, isOne ? population : NICHE_SIZE));
    this.options = options;
    this.flow = flow;
    this.mutator = new ConnectedMutator(space, store, flow, this.random);
    this.otherMutator = without.includes('connection') ? new Mutator(space, options.mutations) : undefined;
    this.runsAll = without.includes('learnability');
    this.startsEmpty = options.initial.every((kind) => kind === 'empty');
  }

  ask(): Proposal {
    const { population, random } = this;
    this.proposed++;
    this.place = population.spare;
    if (this.startsEmpty) this.limitGrowth();
    const isFresh = population.isEmpty || random.uniform() < FRESH;
    const hasChanged = isFresh ? this.makeFresh() : this.makeChild();
    this.isHopeless = !hasChanged || !(this.runsAll || this.flow.canLearn(this.place));
    return { id: this.lastId, place: this.place, origin: this.origin };
  }

  private limitGrowth(): void {
    const { mutator, proposed } = this;
    const doublings = 32 - Math.clz32(proposed / GROWTH_BEGINS);
    for (const { fn, first, more } of GROWTH) mutator.limit(fn, first + more * doublings);
  }

  private makeFresh(): boolean {
    const { options, store, place, random } = this;
    this.parent = NO_PARENT;
    const number = random.integer(options.initial.length);
    const kind = options.initial[number]!;
    writeInitial(options, number, store, place, random);
    // What is empty has nothing that mutations could change: it gets connections.
    if (kind === 'empty') for (let k = random.integer(MAX_CONNECTIONS + 1); k > 0; k--) this.connect();
    this.origin = 'initial';
    return true;
  }

  private connect(): void {
    if (this.otherMutator === undefined) this.mutator.apply('connect', this.place);
    else this.mutate();
  }

  /** Changes the proposal by one mutation, and says whether it is another then. */
  private mutate(): boolean {
    const { mutator, otherMutator, store, place, random } = this;
    if (otherMutator !== undefined) {
      const mutation = otherMutator.choose(random);
      this.origin = mutation;
      return otherMutator.apply(mutation, store, place, random);
    }
    const mutation = mutator.choose();
    this.origin = mutation;
    return mutator.apply(mutation, place);
  }

  private makeChild(): boolean {
    const { options, population, store, place, random } = this;
    this.parent = population.select(options.tournament, random);
    store.copy(this.parent, place);
    let hasChanged = false;
    let count = 0;
    do {
      if (this.mutate()) hasChanged = true;
    } while (++count < MAX_MUTATIONS && random.uniform() < ONE_MORE);
    return hasChanged;
  }

  known(): Told | undefined {
    return this.isHopeless ? HOPELESS : undefined;
  }

  hurdles(): readonly number[] | undefined {
    return this.population.hurdles(this.options.hurdles);
  }

  tell({ fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    if (this.isHopeless || isCut) return;
    this.line = undefined;
    this.toldFitness = fitness;
    this.population.add(this.lastId, fitness, atHurdles, this.ownLine);
  }

  /** Made when it is asked for: most programs are not good enough for their niche. */
  override lastLine(): LineageStep {
    if (this.line !== undefined) return this.line;
    const line = this.parentLine();
    const isRecord = line === undefined || this.toldFitness > line.fitness;
    this.line = isRecord ? this.lengthen(line, this.toldFitness) : line;
    return this.line;
  }

  adopt({ id, line }: Immigrant, { fitness, atHurdles = NO_HURDLES, isCut = false }: Told): void {
    if (!isCut && (this.runsAll || this.flow.canLearn(this.population.spare)))
      this.population.add(id, fitness, atHurdles, () => line);
  }
}

/** Programs learn alike if Learn is as long, and if both or neither use their prediction: learning from errors begins badly. */
function kindOf(flow: CodeFlow, place: number, tellsFeedback: boolean): Kind {
  flow.run(place);
  flow.canLearn(place);
  const hasFeedback = tellsFeedback && flow.usesPrediction;
  return { formula: flow.formula(place), learning: 2 * flow.countLive(LEARN) + Number(hasFeedback) };
}

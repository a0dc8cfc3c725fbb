// A population of species (docs/discovery.md): programs compete only with those of the same model, which is the formula of their
// prediction, and of about the same size of Learn. So a new kind of model is not driven out by old ones that have had time to become
// good. The best of each niche live on. Must not know mutations or how programs are evaluated.
import type { CodeStore } from '../program/code-store.js';
import type { FastRandom } from '../util/fast-random.js';
import type { LineageStep } from './lineage.js';
import { drawSome, Members } from './members.js';
import type { Migrants, SavedMembers } from './search-method.js';

/** Members that a niche may have. */
const NICHE_SIZE = 6;
/** How often each species is as likely as any other to have the next child; otherwise the better ones are likelier. */
const EVEN_CHANCE = 0.5;
/** Of the better ones, each is passed over with this probability, from the best on. */
const PASS_OVER = 7 / 8;
/** How often a parent is the best of a tournament in its species, instead of a random one. */
const CONTESTED = 0.5;

/** Programs of one model; in niches, by the number of live instructions of Learn. */
interface Species {
  readonly formula: string;
  readonly niches: Map<number, number[]>;
  /** The niches again, to draw from. */
  readonly list: number[][];
  best: number;
}

interface Niche {
  readonly species: Species;
  readonly members: number[];
}

/** What a program is like. */
export interface Kind {
  readonly formula: string;
  readonly learnSize: number;
}

export class SpeciesPopulation {
  readonly size: number;
  readonly members: Members;
  private readonly kindOf: (place: number) => Kind;
  private readonly free: number[];
  /** From the first to the last that appeared. */
  private all: Species[] = [];
  private readonly byFormula = new Map<string, Species>();
  /** From the best to the worst; empty if that is to be found anew. */
  private ranked: Species[] = [];

  /** `kindOf` says what the program at a place is like. */
  constructor(size: number, store: CodeStore, kindOf: (place: number) => Kind) {
    this.size = size;
    this.members = new Members(store, size + 1);
    this.kindOf = kindOf;
    this.free = Array.from({ length: size + 1 }, (_, k) => size - k);
  }

  /** Where the next program is to be written. */
  get spare(): number {
    return this.free.at(-1)!;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  get speciesCount(): number {
    return this.all.length;
  }

  /** Makes the spare program a member if it is good enough for its niche, and says whether it is. */
  add(id: number, fitness: number, atHurdles: readonly number[], line: LineageStep): boolean {
    const place = this.spare;
    const niche = this.makeRoom(this.kindOf(place), fitness);
    if (niche === undefined) return false;
    const { species, members } = niche;
    const { fitnesses } = this.members;
    // Programs with the same fitness do the same: the newer one goes on, so that what is not live drifts.
    let rival = members.findIndex((other) => fitnesses[other] === fitness);
    if (rival < 0 && members.length === NICHE_SIZE) rival = this.worstOf(members);
    if (rival >= 0 && fitnesses[members[rival]!]! > fitness) return false;
    this.free.pop();
    if (rival >= 0) {
      this.free.push(members[rival]!);
      members[rival] = place;
    } else members.push(place);
    this.members.set(place, id, fitness, atHurdles, line);
    if (fitness > species.best) {
      species.best = fitness;
      this.ranked = [];
    }
    return true;
  }

  /** The niche of a kind, with room for one more; nothing if the program is not good enough to have it. */
  private makeRoom({ formula, learnSize }: Kind, fitness: number): Niche | undefined {
    let species = this.byFormula.get(formula);
    const rank = Math.max(fitness, species?.best ?? fitness);
    const hasRival = this.hasRival(species?.niches.get(learnSize), fitness);
    // One place must be left to write the next program to.
    if (!hasRival && this.free.length < 2) {
      const last = this.rank().at(-1)!;
      if (last === species ? fitness <= this.worstIn(last).fitness : rank <= last.best) return undefined;
      this.removeWorst(last);
      species = this.byFormula.get(formula);
    }
    species ??= this.begin(formula);
    let members = species.niches.get(learnSize);
    if (members === undefined) {
      members = [];
      species.niches.set(learnSize, members);
      species.list.push(members);
    }
    return { species, members };
  }

  /** Whether a program would take the place of another in its niche. */
  private hasRival(members: readonly number[] | undefined, fitness: number): boolean {
    if (members === undefined) return false;
    return members.length === NICHE_SIZE || members.some((other) => this.members.fitnesses[other] === fitness);
  }

  private worstIn({ list }: Species): { readonly niche: number[]; readonly k: number; readonly fitness: number } {
    const { fitnesses } = this.members;
    return list
      .map((niche) => {
        const k = this.worstOf(niche);
        return { niche, k, fitness: fitnesses[niche[k]!]! };
      })
      .reduce((worst, other) => (other.fitness < worst.fitness ? other : worst));
  }

  private removeWorst(species: Species): void {
    const { niche, k } = this.worstIn(species);
    this.free.unshift(...niche.splice(k, 1));
    if (niche.length > 0) return;
    species.list.splice(species.list.indexOf(niche), 1);
    for (const [size, members] of species.niches) if (members === niche) species.niches.delete(size);
    if (species.list.length > 0) return;
    this.all = this.all.filter((other) => other !== species);
    this.byFormula.delete(species.formula);
    this.ranked = [];
  }

  private begin(formula: string): Species {
    const species = { formula, niches: new Map(), list: [], best: Number.NEGATIVE_INFINITY };
    this.all.push(species);
    this.byFormula.set(formula, species);
    this.ranked = [];
    return species;
  }

  private rank(): readonly Species[] {
    if (this.ranked.length === 0) this.ranked = [...this.all].sort((a, b) => b.best - a.best);
    return this.ranked;
  }

  private worstOf(members: readonly number[]): number {
    const { fitnesses } = this.members;
    let worst = 0;
    for (let k = 1; k < members.length; k++) {
      if (fitnesses[members[k]!]! < fitnesses[members[worst]!]!) worst = k;
    }
    return worst;
  }

  /** The place of a parent: a species first, then one of its niches, then a member, of which half are the best of `tournament`. */
  select(tournament: number, random: FastRandom): number {
    const { fitnesses } = this.members;
    const { list } = this.drawSpecies(random);
    const draw = () => {
      const niche = list[random.integer(list.length)]!;
      return niche[random.integer(niche.length)]!;
    };
    let best = draw();
    if (random.uniform() >= CONTESTED) return best;
    for (let k = 1; k < tournament; k++) {
      const other = draw();
      if (fitnesses[other]! > fitnesses[best]!) best = other;
    }
    return best;
  }

  private drawSpecies(random: FastRandom): Species {
    const { all } = this;
    if (random.uniform() < EVEN_CHANCE) return all[random.integer(all.length)]!;
    const ranked = this.rank();
    let k = 0;
    while (random.uniform() < PASS_OVER) k++;
    return ranked[k % ranked.length]!;
  }

  /** The places of all members, by species and niche. */
  places(): number[] {
    return this.all.flatMap(({ list }) => list.flat());
  }

  save(hurdles: number): SavedMembers {
    return { first: 0, ...this.members.copyOf(this.places(), hurdles) };
  }

  /** Some of the members, each drawn at most once. */
  draw(count: number, hurdles: number, random: FastRandom): Migrants {
    const places = drawSome(Int32Array.from(this.places()), count, (below) => random.integer(below));
    return this.members.copyOf(places, hurdles);
  }

  /** Fills an empty population: in the order in which it was saved, so that species and niches are what they were. */
  restore(saved: SavedMembers): void {
    this.members.restore(
      saved,
      () => this.spare,
      ({ id, fitness, atHurdles, line }) => this.add(id, fitness, atHurdles, line),
    );
  }
}

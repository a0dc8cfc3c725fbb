// A population of species (docs/discovery.md): programs compete only with those of the same model, which is the formula of their
// prediction, and that learn alike. So a new kind of model, or of learning, is not driven out by old ones that have had time to become
// good. The best of each niche live on. Must not know mutations or how programs are evaluated.
import type { CodeStore } from '../program/flat/code-store.js';
import type { FastRandom } from '../util/fast-random.js';
import type { LivingPrograms } from './evolution.js';
import type { LineageStep } from './lineage.js';
import { drawSome, Members } from './members.js';
import type { Migrants, SavedMembers } from './search-method.js';

/** Members that a niche usually may have. */
export const NICHE_SIZE = 6;
/** How often each species is as likely as any other to have the next child; otherwise the better ones are likelier. */
const EVEN_CHANCE = 0.5;
/** Of the better ones, each is passed over with this probability, from the best on. */
const PASS_OVER = 7 / 8;
/** How often a parent is the best of a tournament in its species, instead of a random one. */
const CONTESTED = 0.5;

/** Programs of one model that learn alike: their places. */
interface Niche {
  readonly learning: number;
  readonly places: number[];
}

/** Programs of one model. */
interface Species {
  readonly formula: string;
  readonly niches: Niche[];
  best: number;
}

/** What a program is like. */
export interface Kind {
  readonly formula: string;
  /** The same number for programs that learn alike. */
  readonly learning: number;
}

/** A member of a niche. */
interface Found {
  readonly niche: Niche;
  readonly k: number;
  readonly fitness: number;
}

export class SpeciesPopulation implements LivingPrograms {
  readonly members: Members;
  private readonly kindOf: (place: number) => Kind;
  private readonly nicheSize: number;
  private readonly free: number[];
  /** From the first to the last that appeared. */
  private readonly all: Species[] = [];
  private readonly byFormula = new Map<string, Species>();
  /** From the best to the worst; empty if that is to be found anew. */
  private ranked: Species[] = [];

  /** `kindOf` says what the program at a place is like. */
  constructor(size: number, store: CodeStore, kindOf: (place: number) => Kind, nicheSize = NICHE_SIZE) {
    this.members = new Members(store, size + 1);
    this.kindOf = kindOf;
    this.nicheSize = nicheSize;
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

  /** Makes the spare program a member if it is good enough for its niche, and says whether it is. Only then its line is asked for. */
  add(id: number, fitness: number, atHurdles: readonly number[], line: () => LineageStep): boolean {
    const place = this.spare;
    const { formula, learning } = this.kindOf(place);
    const known = this.byFormula.get(formula);
    const rival = this.findRival(known, learning, fitness);
    if (rival === undefined) {
      // One place must be left to write the next program to.
      if (this.free.length < 2 && !this.makeRoom(known, fitness)) return false;
      this.free.pop();
      const species = this.byFormula.get(formula) ?? this.begin(formula);
      nicheOf(species, learning).places.push(place);
      this.raise(species, fitness);
    } else {
      const { niche, k } = rival;
      if (rival.fitness > fitness) return false;
      this.free.pop();
      this.free.push(niche.places[k]!);
      niche.places[k] = place;
      this.raise(known!, fitness);
    }
    this.members.set(place, id, fitness, atHurdles, line());
    return true;
  }

  /** What the spare program must reach at each hurdle: as much as the last in its niche, if that is full; otherwise nothing is said. */
  hurdles(count: number): readonly number[] | undefined {
    const { formula, learning } = this.kindOf(this.spare);
    const niche = this.byFormula.get(formula)?.niches.find((one) => one.learning === learning);
    if (niche === undefined || niche.places.length < this.nicheSize) return undefined;
    const { atHurdles } = this.members;
    // One that was cut and looked at all the same has not come to later hurdles.
    const reached = (place: number, k: number) => atHurdles[place]![k] ?? Number.NEGATIVE_INFINITY;
    const leastAt = (k: number) =>
      niche.places.reduce((least, place) => Math.min(least, reached(place, k)), Number.POSITIVE_INFINITY);
    return Array.from({ length: count }, (_, k) => leastAt(k));
  }

  /**
   * Whose place a program would take in its niche: programs with the same fitness do the same, and the newer one goes on, so that
   * what is not live drifts; in a full niche, the worst. Nobody's if there is room.
   */
  private findRival(species: Species | undefined, learning: number, fitness: number): Found | undefined {
    const niche = species?.niches.find((one) => one.learning === learning);
    if (niche === undefined) return undefined;
    const same = niche.places.findIndex((place) => this.members.fitnesses[place] === fitness);
    if (same >= 0) return { niche, k: same, fitness };
    return niche.places.length === this.nicheSize ? this.worstOf(niche) : undefined;
  }

  /** Gives up the worst program of the worst species, unless the new one, of a species that may be known, is no better. */
  private makeRoom(species: Species | undefined, fitness: number): boolean {
    const last = this.rank().at(-1)!;
    const isBetter =
      last === species ? fitness > this.worstIn(last).fitness : Math.max(fitness, species?.best ?? fitness) > last.best;
    if (isBetter) this.removeWorst(last);
    return isBetter;
  }

  private raise(species: Species, fitness: number): void {
    if (fitness <= species.best) return;
    species.best = fitness;
    this.ranked = [];
  }

  private worstOf(niche: Niche): Found {
    const { fitnesses } = this.members;
    const { places } = niche;
    let worst = 0;
    for (let k = 1; k < places.length; k++) if (fitnesses[places[k]!]! < fitnesses[places[worst]!]!) worst = k;
    return { niche, k: worst, fitness: fitnesses[places[worst]!]! };
  }

  private worstIn({ niches }: Species): Found {
    return niches
      .map((niche) => this.worstOf(niche))
      .reduce((worst, other) => (other.fitness < worst.fitness ? other : worst));
  }

  private removeWorst(species: Species): void {
    const { niche, k } = this.worstIn(species);
    this.free.unshift(...niche.places.splice(k, 1));
    if (niche.places.length > 0) return;
    species.niches.splice(species.niches.indexOf(niche), 1);
    if (species.niches.length > 0) return;
    this.all.splice(this.all.indexOf(species), 1);
    this.byFormula.delete(species.formula);
    this.ranked = [];
  }

  private begin(formula: string): Species {
    const species = { formula, niches: [], best: Number.NEGATIVE_INFINITY };
    this.all.push(species);
    this.byFormula.set(formula, species);
    this.ranked = [];
    return species;
  }

  private rank(): readonly Species[] {
    if (this.ranked.length === 0) this.ranked = [...this.all].sort((a, b) => b.best - a.best);
    return this.ranked;
  }

  /** The place of a parent: a species first, then one of its niches, then a member, of which half are the best of `tournament`. */
  select(tournament: number, random: FastRandom): number {
    const { fitnesses } = this.members;
    const { niches } = this.drawSpecies(random);
    const draw = () => {
      const { places } = niches[random.integer(niches.length)]!;
      return places[random.integer(places.length)]!;
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
    return this.all.flatMap(({ niches }) => niches.flatMap(({ places }) => places));
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
      ({ id, fitness, atHurdles, line }) => this.add(id, fitness, atHurdles, () => line),
    );
  }
}

/** The niche of a species for a way to learn; a new one if there is none. */
function nicheOf({ niches }: Species, learning: number): Niche {
  const known = niches.find((niche) => niche.learning === learning);
  if (known !== undefined) return known;
  const niche = { learning, places: [] };
  niches.push(niche);
  return niche;
}

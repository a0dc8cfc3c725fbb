// The best programs that a search has seen, each once: programs of the same canonical form are one. Must not know how programs
// are evaluated.
import { type PackedPrograms, packPrograms, unpackPrograms } from '../program/flat/packed-programs.js';
import type { Program } from '../program/program.js';

export interface Famous {
  /** The hash of the canonical form. */
  readonly hash: string;
  readonly fitness: number;
  readonly program: Program;
  readonly experiment: number;
  /** How many programs the experiment had proposed before. */
  readonly id: number;
}

export interface SavedHall {
  readonly entries: readonly Omit<Famous, 'program'>[];
  readonly programs: PackedPrograms;
}

export class HallOfFame {
  private readonly size: number;
  /** From the best to the worst; of equals the earlier one first. */
  private famous: Famous[] = [];

  constructor(size: number) {
    this.size = size;
  }

  get entries(): readonly Famous[] {
    return this.famous;
  }

  /** Whether a program of this fitness has a chance. */
  mayEnter(fitness: number): boolean {
    return this.famous.length < this.size || fitness > this.famous[this.famous.length - 1]!.fitness;
  }

  enter(candidate: Famous): void {
    const known = this.famous.findIndex(({ hash }) => hash === candidate.hash);
    // The tasks of another experiment may have been kinder to it.
    if (known >= 0) {
      if (this.famous[known]!.fitness >= candidate.fitness) return;
      this.famous.splice(known, 1);
    }
    const place = this.famous.findIndex(({ fitness }) => fitness < candidate.fitness);
    this.famous.splice(place < 0 ? this.famous.length : place, 0, candidate);
    this.famous.length = Math.min(this.famous.length, this.size);
  }

  save(): SavedHall {
    return {
      entries: this.famous.map(({ program: _, ...entry }) => entry),
      programs: packPrograms(this.famous.map(({ program }) => program)),
    };
  }

  restore({ entries, programs }: SavedHall): void {
    const unpacked = unpackPrograms(programs);
    this.famous = entries.map((entry, k) => ({ ...entry, program: unpacked[k]! }));
  }
}

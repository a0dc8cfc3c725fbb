// What a reproduction of an experiment of the paper is: its place there, and how its findings come about. Must not know commands.
import type { Findings } from './findings.js';
import type { Laboratory, Scale } from './laboratory.js';

/** What an experiment shows; the rest of its findings says how it was made. */
export type Conclusions = Pick<Findings, 'claims' | 'figures' | 'tables' | 'programs' | 'notes'>;

export interface Reproduction {
  readonly name: string;
  readonly title: string;
  /** Where in the paper. */
  readonly paper: string;
  readonly question: string;
  /** Minutes that it takes on two cores. */
  readonly laptopMinutes: number;
  readonly run: (laboratory: Laboratory) => Promise<Conclusions>;
}

/** Settings of each scale, which an experiment reads like the paper's details. */
export type ByScale<T> = Readonly<Record<Scale, T>>;

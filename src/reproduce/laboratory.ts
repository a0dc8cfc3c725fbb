// What the experiments of the paper ask for: searches, measurements, files. Must not know how they are carried out: child processes, on
// this machine or on a Redis.
import type { RunResult } from '../experiment/events.js';

/** `smoke` takes seconds and shows that everything works; `laptop` is for two cores; `paper` is the original's size. */
export const SCALES = ['laptop', 'paper', 'smoke'] as const;
export type Scale = (typeof SCALES)[number];

export interface SearchJob {
  /** Its place below the directory of the reproduction: small letters, digits and hyphens. */
  readonly key: string;
  readonly preset: string;
  readonly seed: number;
  /** Changes of the preset, as `--set` takes them. */
  readonly set?: readonly string[];
  readonly islands?: number;
}

export interface FinishedSearch {
  readonly key: string;
  readonly directory: string;
  readonly result: RunResult & { readonly seconds: number; readonly cpuSeconds: number };
}

/** Another command of evozero that prints JSON, such as `eval` or `tune`. */
export interface MeasureJob {
  readonly key: string;
  readonly args: readonly string[];
  /** For commands without threads: several at once. */
  readonly isSingle?: boolean;
}

export interface Laboratory {
  readonly scale: Scale;
  readonly seed: number;
  /** Carries out all of them, some at once; those that are done already are not done again. */
  search(jobs: readonly SearchJob[]): Promise<readonly FinishedSearch[]>;
  /** What the commands printed. */
  measure<T>(jobs: readonly MeasureJob[]): Promise<readonly T[]>;
  /** Writes a file beside the results, for commands to read; returns its path. */
  write(name: string, text: string): string;
}

/** `count` seeds of their own, for independent repeats. */
export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => first + k);
}

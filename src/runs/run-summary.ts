// What a run directory tells of its run in a few numbers, finished or not, for those who only look. What a running search is writing
// may be cut off anywhere; what is whole counts. Must not change anything.
import Papa from 'papaparse';
import type { BestEvent, SelectEvent } from '../experiment/events.js';
import { readEvents } from './read-events.js';
import { describeRun, FILES, type RunDescription, readIfThere } from './run-files.js';

export interface RunSummary {
  readonly status: RunDescription['status'];
  readonly preset: string;
  readonly seed: number;
  /** Null without a fitness that suffices, as before the end; the scores are null where there are none yet. */
  readonly success: boolean | null;
  readonly searchFitness: number | null;
  readonly selectFitness: number | null;
  readonly finalFitness: number | null;
  /** At least so many, while it is not finished. */
  readonly algorithms: number;
  readonly seconds: number | null;
}

function readText(directory: string, file: string): string {
  return readIfThere(directory, file)?.toString('utf8') ?? '';
}

/** How long a run took so far; null if it has not said so yet. */
export function readSeconds(directory: string): number | null {
  const text = readText(directory, FILES.progress);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const { data } = Papa.parse<Record<string, string>>(whole, { header: true, skipEmptyLines: true });
  const row = data.at(-1);
  return row === undefined ? null : Number(row.seconds);
}

/** Throws RunError if it is no run directory, or one that cannot be read. */
export function summarizeRun(directory: string): RunSummary {
  const { status, config, result } = describeRun(directory);
  const preset = String(config.name);
  const seed = Number(config.seed);
  if (result !== undefined) {
    const { success, searchFitness, selectFitness, finalFitness, algorithms, seconds } =
      result as unknown as RunSummary;
    return { status, preset, seed, success, searchFitness, selectFitness, finalFitness, algorithms, seconds };
  }
  let selection: SelectEvent | undefined;
  let best: BestEvent | undefined;
  let algorithms = 0;
  for (const event of readEvents(directory)) {
    // What islands tell of migration counts only their own.
    if (event.type !== 'migration') algorithms = event.algorithms;
    if (event.type === 'best') best = event;
    if (event.type === 'select' && event.isBest) selection = event;
  }
  return {
    status,
    preset,
    seed,
    success: null,
    searchFitness: selection?.searchFitness ?? best?.fitness ?? null,
    selectFitness: selection?.selectFitness ?? null,
    finalFitness: null,
    algorithms,
    seconds: readSeconds(directory),
  };
}

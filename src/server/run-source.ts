// One run as the answers about it need it: its configuration, its result, and what its events tell, of which only what has grown is read
// again. Must not know requests.
import { join } from 'node:path';
import { type Config, parseConfig } from '../experiment/config.js';
import type { LineageEntry } from '../experiment/events.js';
import { type RecordedResult, readRecordedResult } from '../reports/recorded-result.js';
import { FILES, readConfig, readResult } from '../runs/run-files.js';
import { LIMITS, type RunSummary } from './api.js';
import { printCursor } from './event-log.js';
import type { FoundRun } from './find-runs.js';
import { readBests } from './read-bests.js';
import { RecentMap } from './recent-map.js';
import { RunIndex, type Told } from './run-index.js';
import { openIfPlain, readPlainFile } from './safe-file.js';

export interface RunSource {
  readonly run: FoundRun;
  readonly summary: RunSummary;
  readonly config: Config;
  /** Of the evozero that made the run. */
  readonly version: string;
  readonly result: RecordedResult | undefined;
  readonly index: RunIndex;
}

export function eventsPath({ directory }: FoundRun): string {
  return join(directory, FILES.events);
}

/** Milliseconds that an answer waits for the log to be read. */
const PATIENCE = 1500;

/** The indexes of the runs that somebody looked at lately. */
export class RunIndexes {
  private readonly indexes = new RecentMap<string, RunIndex>(LIMITS.comparedRuns, (index) => index.close());

  /** The index of a run, with what was read of its log by now. */
  async open({ directory }: FoundRun): Promise<RunIndex> {
    let index = this.indexes.get(directory);
    if (index === undefined) {
      index = new RunIndex(directory);
      this.indexes.set(directory, index);
    }
    await index.catchUp(PATIENCE);
    return index;
  }

  close(): void {
    for (const index of this.indexes.values()) index.close();
  }
}

/** Throws what `problemOf` explains if the files of the run cannot be read. */
export async function openSource(
  { run, summary }: Pick<RunSource, 'run' | 'summary'>,
  indexes: RunIndexes,
): Promise<RunSource> {
  const { version, config } = readConfig(run.directory, openIfPlain);
  const result = readResult(run.directory, openIfPlain);
  return {
    run,
    summary,
    config: parseConfig(config),
    version,
    result: result && readRecordedResult(result),
    index: await indexes.open(run),
  };
}

/** Another text whenever something else may be told of the run. */
export function versionOf({ run, summary, result, index }: RunSource): string {
  return `${run.id} ${printCursor(index.position)} ${summary.changedAt} ${result !== undefined}`;
}

// --- The line of the best program --------------------------------------------------------------------------------------

/** Steps that are looked at, the last ones. */
const MAX_STEPS = 2000;
const MAX_PROGRAM_BYTES = 256 * 1024;

export interface Line {
  readonly experiment: number | null;
  readonly entries: readonly LineageEntry[];
  readonly isWhole: boolean;
}

/** The places of the steps that led to the selected program; without one, to the best of the last experiment. */
function placesOf({ bests, selection }: Told) {
  const latest = Math.max(...bests.keys());
  const experiment = selection !== undefined && bests.has(selection.experiment) ? selection.experiment : latest;
  const known = new Map((bests.get(experiment) ?? []).map((best) => [best.id, best]));
  let step = known.get(experiment === selection?.experiment ? selection.id : -1) ?? [...known.values()].at(-1);
  const places = [];
  let isWhole = true;
  while (step !== undefined && places.length < MAX_STEPS) {
    places.unshift(step);
    known.delete(step.id);
    const { ancestor }: { ancestor: number | null } = step;
    step = ancestor === null ? undefined : known.get(ancestor);
    isWhole = ancestor === null;
  }
  return { experiment, places, isWhole };
}

export function readLine({ run, result, index }: RunSource): Line {
  const { told } = index;
  if (result !== undefined) {
    const entries = result.lineage.slice(-MAX_STEPS);
    const isWhole = entries.length === result.lineage.length;
    return { experiment: told.selection?.experiment ?? (told.experiment || null), entries, isWhole };
  }
  if (told.bests.size === 0) return { experiment: null, entries: [], isWhole: true };
  const { experiment, places, isWhole } = placesOf(told);
  return { experiment, entries: readBests(eventsPath(run), places), isWhole };
}

/** The text of the best program; null if there is none. */
export function readBestText({ run, result }: RunSource, { entries }: Line): string | null {
  const text = result?.program ?? entries.at(-1)?.program;
  return text ?? readPlainFile(join(run.directory, FILES.best), MAX_PROGRAM_BYTES)?.toString('utf8') ?? null;
}

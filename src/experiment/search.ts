// A whole search as a stream of events, for programs that use evozero as a library, in Node and in a browser. Lets others have a turn
// often enough for a page to stay alive. Must not know files.
import { type OpenTasks, openBuiltinTasks } from '../tasks/open-tasks.js';
import { type Config, type ConfigInput, parseConfig } from './config.js';
import type { RunEvent } from './events.js';
import { findPreset } from './presets.js';
import { resolvePrograms } from './program-references.js';
import { Run } from './run.js';
import type { Snapshot } from './snapshot.js';

/** How to search, beside what. */
export interface SearchOptions {
  /** Overrides the configuration's seed. */
  readonly seed?: number;
  /** An AbortSignal: ends the search; the events end with those of selecting and of the final evaluation of what was found. */
  readonly signal?: { readonly aborted: boolean };
  /** Opens tasks that lie in files: `openTasks` of evozero/data. Without it, those that need none can be searched on. */
  readonly openTasks?: OpenTasks;
  /** Goes on from here. */
  readonly snapshot?: Snapshot;
}

/** Milliseconds of work before others have a turn. */
const SLICE_MS = 20;
const FIRST_SLICE = 100;

/** How many algorithms to try next, so that a slice takes about as long as it should. */
export function nextSlice(slice: number, milliseconds: number, wanted = SLICE_MS): number {
  const factor = Math.min(4, Math.max(0.25, wanted / Math.max(milliseconds, 0.01)));
  return Math.max(1, Math.round(slice * factor));
}

interface Timers {
  readonly setTimeout: (work: () => void, milliseconds: number) => unknown;
  readonly performance: { now(): number };
}
const { setTimeout: later, performance: clock } = globalThis as unknown as Timers;

function readSearch(search: string | ConfigInput | Config, seed: number | undefined): Config {
  const config = typeof search === 'string' ? findPreset(search) : parseConfig(search);
  const seeded = seed === undefined ? config : parseConfig({ ...config, seed });
  return resolvePrograms(seeded, (path) => {
    throw new Error(`${path}: give the text of the program, not its path`);
  });
}

/** Searches: a preset by name, or a configuration. The last event has the result. Throws ConfigError. */
export async function* search(
  what: string | ConfigInput | Config,
  { seed, signal, openTasks = openBuiltinTasks, snapshot }: SearchOptions = {},
): AsyncGenerator<RunEvent, void, void> {
  const config = readSearch(what, seed);
  const run = await Run.start(config, openTasks, snapshot);
  const startedAt = clock.now();
  const limit = config.stop.minutes === null ? Number.POSITIVE_INFINITY : config.stop.minutes * 60_000;
  let slice = FIRST_SLICE;
  try {
    while (!run.isDone) {
      const now = clock.now();
      const reason = signal?.aborted ? 'stopped' : now - startedAt >= limit ? 'minutes' : undefined;
      if (reason !== undefined && run.phase === 'search') yield* run.endSearch(reason);
      else yield* await run.advance(slice);
      slice = nextSlice(slice, clock.now() - now);
      await new Promise<void>((resolve) => later(resolve, 0));
    }
  } finally {
    run.dispose();
  }
}

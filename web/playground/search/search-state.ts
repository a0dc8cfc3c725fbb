// The search that the page shows: what it has told so far. The work is done by search-worker.ts. Must not know how it is shown.
import { batch, signal } from '@preact/signals';
import type { TechniqueName } from '../../../src/analysis/explain/explanation.js';
import type { Config } from '../../../src/experiment/config.js';
import type { BestEvent, RunEvent, RunResult } from '../../../src/experiment/events.js';
import type { FitnessPoint } from '../../shared/chart-data.js';
import { explainText } from '../../shared/explained-program.js';
import { contextOf } from '../../shared/program-context.js';
import { connectWorker, type WorkerCalls } from '../connection/worker-calls.js';
import { addPoint } from './chart-points.js';
import type { SessionNews, SessionOrder, SessionStatus } from './search-session.js';
import type { SearchHandlers } from './search-worker.js';

/** A technique that a best program was the first of its experiment to use. */
export interface Appearance {
  readonly technique: TechniqueName;
  readonly algorithms: number;
  readonly fitness: number;
}

export const searched = signal<Config | undefined>(undefined);
export const status = signal<SessionStatus | undefined>(undefined);
export const points = signal<readonly FitnessPoint[]>([]);
export const best = signal<BestEvent | undefined>(undefined);
export const appearances = signal<readonly Appearance[]>([]);
export const result = signal<RunResult | undefined>(undefined);
export const failure = signal<string | undefined>(undefined);
/** Algorithms per second, over the last moments. */
export const rate = signal(0);
/** Chosen by the user; null for as fast as can be. */
export const perSecond = signal<number | null>(null);

let worker: WorkerCalls<SearchHandlers> | undefined;

// --- What is told ------------------------------------------------------------------------------------------------------

/** So that a number that changes ten times a second can be read. */
const RATE_MS = 1000;
let ratedAt = { algorithms: 0, milliseconds: 0 };

function noteRate({ phase, counts: { algorithms }, milliseconds }: SessionStatus): void {
  // What comes after the search takes time, and tries no algorithm.
  if (phase !== 'search') return;
  const passed = milliseconds - ratedAt.milliseconds;
  // In the first moments the rate is that of all so far.
  const isFirst = ratedAt.milliseconds === 0;
  if (passed <= 0 || (passed < RATE_MS && !isFirst)) return;
  rate.value = (1000 * (algorithms - ratedAt.algorithms)) / passed;
  if (passed >= RATE_MS) ratedAt = { algorithms, milliseconds };
}

function noteTechniques(event: BestEvent, config: Config): void {
  const explained = explainText(event.program, contextOf(config));
  if ('problem' in explained) return;
  const known = new Set(appearances.value.map(({ technique }) => technique));
  const fresh = explained.explanation.techniques.filter(({ name }) => !known.has(name));
  if (fresh.length === 0) return;
  const { algorithms, fitness } = event;
  appearances.value = [...appearances.value, ...fresh.map(({ name }) => ({ technique: name, algorithms, fitness }))];
}

function noteEvent(event: RunEvent): void {
  if (event.type === 'experiment') appearances.value = [];
  if (event.type === 'best') {
    best.value = event;
    points.value = addPoint(points.value, { x: event.algorithms, best: event.fitness });
  }
  if (event.type === 'end') result.value = event.result;
}

function noteNews({ events, status: now }: SessionNews): void {
  batch(() => {
    for (const event of events) noteEvent(event);
    // Several bests may come at once; what the last one does is what counts.
    const last = events.findLast((event) => event.type === 'best');
    if (last !== undefined) noteTechniques(last, searched.value!);
    status.value = now;
    noteRate(now);
    if (now.phase !== 'search' || now.counts.algorithms === 0) return;
    const hurdle = now.hurdles.at(-1) ?? null;
    points.value = addPoint(points.value, { x: now.counts.algorithms, best: now.best, mean: now.mean, hurdle });
  });
}

// --- What is asked for -------------------------------------------------------------------------------------------------

/** Ends the search that goes on, if any, and forgets it. */
export function clearSearch(): void {
  worker?.dispose();
  worker = undefined;
  ratedAt = { algorithms: 0, milliseconds: 0 };
  batch(() => {
    searched.value = undefined;
    status.value = undefined;
    points.value = [];
    best.value = undefined;
    appearances.value = [];
    result.value = undefined;
    failure.value = undefined;
    rate.value = 0;
  });
}

/** `isPaused` waits for steps. */
export function startSearch(config: Config, isPaused = false): void {
  clearSearch();
  searched.value = config;
  const own = connectWorker<SearchHandlers>(
    new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module', name: 'search' }),
  );
  worker = own;
  own.call('search', { config, isPaused }, noteNews).catch((error: Error) => {
    if (worker === own) failure.value = error.message;
  });
  if (perSecond.value !== null) order({ type: 'speed', perSecond: perSecond.value });
}

function order(given: SessionOrder): void {
  void worker?.call('order', given);
}

export const pause = () => order({ type: 'pause' });
export const resume = () => order({ type: 'resume' });
export const stop = () => order({ type: 'stop' });

export function step(config: Config, until: 'algorithm' | 'best'): void {
  if (searched.value === undefined) startSearch(config, true);
  order({ type: 'step', until });
}

export function setSpeed(speed: number | null): void {
  perSecond.value = speed;
  order({ type: 'speed', perSecond: speed });
}

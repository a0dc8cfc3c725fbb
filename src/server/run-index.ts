// What the events of one run tell, kept up to date by reading only what has grown: lines of the chart, steps of the lineage by their place
// in the log, counts, islands. Of a million events a few megabytes are kept. Must not know requests.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  BestEvent,
  FinalEvent,
  MigrationEvent,
  ProgressEvent,
  RunEvent,
  SelectEvent,
} from '../experiment/events.js';
import { FILES } from '../runs/run-files.js';
import { LIMITS } from './api.js';
import { BEGINNING, type LoggedEvent, type Position, readEventsFrom } from './event-log.js';
import { finiteOr } from './numbers.js';
import { GrowingRows } from './thin-rows.js';

/** Where the log has a program that was the best. */
export interface LoggedBest {
  readonly experiment: number;
  readonly id: number;
  /** Programs that the experiment had proposed when it was found: where the chart has it. */
  readonly place: number;
  readonly ancestor: number | null;
  readonly offset: number;
  readonly length: number;
}

export interface IndexedExperiment {
  readonly start: number;
  /** Best, mean and hurdle; not quite in order, since islands tell of what they found one after the other. */
  readonly lines: GrowingRows;
  best: number;
  /** The place of its last progress: what comes later was found later. */
  reached: number;
}

/** What the events so far tell. */
export interface Told {
  readonly experiments: Map<number, IndexedExperiment>;
  leftOut: number;
  /** The best over the whole run. */
  readonly overall: GrowingRows;
  bests: Map<number, LoggedBest[]>;
  experiment: number;
  algorithms: number;
  selection: SelectEvent | undefined;
  final: FinalEvent | undefined;
  latest: ProgressEvent | undefined;
  /** Of the current experiment. */
  islands: Map<number, MigrationEvent>;
}

function nothingTold(): Told {
  return {
    experiments: new Map(),
    leftOut: 0,
    overall: new GrowingRows(1, 0),
    bests: new Map(),
    experiment: 0,
    algorithms: 0,
    selection: undefined,
    final: undefined,
    latest: undefined,
    islands: new Map(),
  };
}

/** Bests of one experiment that are remembered: more than any lineage has. */
const MAX_BESTS = 100_000;

// --- Telling -----------------------------------------------------------------------------------------------------------

/** Only the selected experiment and the last two can have led to the best program. */
function forgetBests(told: Told, current: number): void {
  const selected = told.selection?.experiment;
  for (const experiment of told.bests.keys()) {
    if (experiment !== selected && experiment < current - 1) told.bests.delete(experiment);
  }
}

function forgetLines(told: Told): void {
  if (told.experiments.size <= LIMITS.experiments) return;
  const selected = told.selection?.experiment;
  const oldest = [...told.experiments.keys()].find((experiment) => experiment !== selected)!;
  told.experiments.delete(oldest);
  told.leftOut++;
}

/** The experiment of an event, which begins with its first one. */
function experimentOf(told: Told, event: RunEvent): IndexedExperiment {
  const known = told.experiments.get(event.experiment);
  if (known !== undefined) return known;
  const start = event.type === 'experiment' ? event.algorithms : told.algorithms;
  const begun = { start, lines: new GrowingRows(3, start), best: Number.NEGATIVE_INFINITY, reached: 0 };
  told.experiments.set(event.experiment, begun);
  told.islands = new Map();
  forgetBests(told, event.experiment);
  forgetLines(told);
  return begun;
}

interface PointValues {
  readonly best: unknown;
  readonly mean?: unknown;
  readonly hurdle?: unknown;
}

function addPoint(told: Told, experiment: IndexedExperiment, algorithms: number, values: PointValues): void {
  const [best, mean, hurdle] = [values.best, values.mean, values.hurdle].map((value) => finiteOr(value, Number.NaN));
  experiment.lines.add(algorithms, [best!, mean!, hurdle!]);
  if (Number.isNaN(best)) return;
  experiment.best = Math.max(experiment.best, best!);
  told.overall.add(algorithms, [best!]);
}

function addBest(told: Told, event: BestEvent, { offset, length }: LoggedEvent): void {
  const { experiment, id, ancestor } = event;
  const indexed = experimentOf(told, event);
  // The event comes when all islands have come to a stop. The program's number says when it was found, unless its island was ahead, or
  // behind: those whose tasks take long try fewer.
  const number = Math.max(0, finiteOr(id, 0)) + 1;
  const place = Math.min(Math.max(indexed.reached, number), told.algorithms - indexed.start);
  const bests = told.bests.get(experiment) ?? [];
  if (bests.length < MAX_BESTS) bests.push({ experiment, id, place, ancestor, offset, length });
  told.bests.set(experiment, bests);
  addPoint(told, indexed, indexed.start + place, { best: event.fitness });
}

function tell(told: Told, logged: LoggedEvent): void {
  const { event } = logged;
  experimentOf(told, event);
  told.experiment = Math.max(told.experiment, event.experiment);
  // Those of migration events are of one island. A chart needs them in order, whatever a file says.
  if (event.type !== 'migration') told.algorithms = Math.max(told.algorithms, event.algorithms);
  if (event.type === 'best') addBest(told, event, logged);
  if (event.type === 'progress') {
    told.latest = event;
    const { best, mean, hurdles } = event;
    const indexed = experimentOf(told, event);
    indexed.reached = told.algorithms - indexed.start;
    addPoint(told, indexed, told.algorithms, {
      best,
      mean,
      hurdle: Array.isArray(hurdles) ? hurdles.at(-1) : undefined,
    });
  }
  if (event.type === 'select' && event.isBest) told.selection = event;
  if (event.type === 'final') told.final = event;
  if (event.type === 'migration' && (told.islands.size < LIMITS.islands || told.islands.has(event.island))) {
    told.islands.set(event.island, event);
  }
}

// --- Reading -----------------------------------------------------------------------------------------------------------

/** Bytes that are read at once: some milliseconds' work. */
const CHUNK = 1 << 20;

export class RunIndex {
  told = nothingTold();
  position: Position = BEGINNING;
  private readonly path: string;
  private size = 0;
  private reading: Promise<void> | undefined;
  private isClosed = false;

  constructor(directory: string) {
    this.path = join(directory, FILES.events);
  }

  /** How much of the log has been read, from 0 to 1. */
  get readPart(): number {
    return this.size === 0 ? 1 : Math.min(1, this.position.offset / this.size);
  }

  /** Reads what has grown, but waits no longer than this; the rest is read behind the answer. */
  async catchUp(milliseconds: number): Promise<void> {
    this.reading ??= this.readAll().finally(() => {
      this.reading = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.reading, late]);
    clearTimeout(timer);
  }

  close(): void {
    this.isClosed = true;
  }

  private async readAll(): Promise<void> {
    while (!this.isClosed) {
      const { events, next, size, isOther } = readEventsFrom(this.path, this.position, CHUNK);
      if (isOther) {
        this.told = nothingTold();
        this.position = BEGINNING;
        continue;
      }
      for (const logged of events) tell(this.told, logged);
      const isEnd = next.offset === this.position.offset;
      this.position = next;
      // Of a log that ends within a line, all that can be read has been.
      this.size = isEnd ? next.offset : size;
      if (isEnd) return;
      // Requests of others come first.
      await nextTurn();
    }
  }
}

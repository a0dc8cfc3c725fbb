// A run that leaves everything in its directory: events and progress as they come, the best program, checkpoints, the result. Reads the
// clock for what may depend on it: when to save, when time is up, and how long it took; never for what is found.

import { createHash } from 'node:crypto';
import type { Config } from '../experiment/config.js';
import type { ProgressEvent, RunEvent, RunResult } from '../experiment/events.js';
import type { Field } from '../experiment/field.js';
import { Run } from '../experiment/run.js';
import { nextSlice } from '../experiment/search.js';
import type { Snapshot } from '../experiment/snapshot.js';
import { renderReport } from '../pages/run-page.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import { countInstructions } from '../program/program.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import type { RunDirectory } from './run-directory.js';
import { RunMistake } from './run-error.js';

/** Seconds between looks at what was written, and the part of all time that checkpoints may take. */
const FLUSH_SECONDS = 1;
const CHECKPOINT_PART = 0.04;
const CHECKPOINT_SECONDS = { least: 0.2, most: 60 };
const FIRST_SLICE = 100;

/** What a finished run leaves in result.json, and `run --json` prints. */
export interface RecordedResult extends RunResult {
  readonly run: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** How long earlier processes worked on a run. */
interface TimeSpent {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface CheckpointState extends TimeSpent {
  readonly run: unknown;
  /** Which configuration it belongs to. */
  readonly config: string;
}

/** The same for configurations that lead to the same search, however it ends. */
function identify({ stop: _, ...config }: Config): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('hex');
}

/** What a report needs of events, one at a time: thousands of programs, and what every island has told, would fill the memory. */
function* forReport(events: Iterable<RunEvent>): Generator<RunEvent> {
  for (const event of events) {
    if (event.type === 'best') yield { ...event, program: '', parent: null };
    else if (event.type !== 'migration') yield event;
  }
}

const NO_TIME: TimeSpent = { seconds: 0, cpuSeconds: 0 };

export interface RecordedRunOptions {
  readonly config: Config;
  /** Gives the directory, once it is known that the search can begin. */
  readonly openDirectory: () => RunDirectory;
  readonly openTasks: OpenTasks;
  /** Where it searches; without one, in this thread. */
  readonly makeField?: () => Field | undefined;
  /** Of the evozero that made the run. */
  readonly version: string;
  /** Goes on from here. */
  readonly checkpoint?: Snapshot | undefined;
  /** When this process began to work on it, as performance.now() tells; and how to measure its processor time, in seconds. */
  readonly startedAt: number;
  readonly cpuSeconds: () => number;
}

export class RecordedRun {
  readonly run: Run;
  readonly directory: RunDirectory;
  private readonly options: RecordedRunOptions;
  private readonly before: TimeSpent;
  private slice = FIRST_SLICE;
  private flushedAt = 0;
  private savedAt: number;
  private readonly beganAt: number;
  private checkpointSeconds = 0;
  /** What the files say of the best programs; not known at first, since a killed process may have got further. */
  private written = '';
  private recorded: RecordedResult | undefined;

  private constructor(run: Run, directory: RunDirectory, options: RecordedRunOptions, before: TimeSpent) {
    this.run = run;
    this.options = options;
    this.directory = directory;
    this.before = before;
    this.savedAt = this.seconds;
    this.beganAt = this.savedAt;
  }

  static async start(options: RecordedRunOptions): Promise<RecordedRun> {
    const { checkpoint, config, openTasks } = options;
    const state = checkpoint?.state as CheckpointState | undefined;
    const snapshot = checkpoint && { state: state!.run, arrays: checkpoint.arrays };
    if (state !== undefined && state.config !== identify(config)) {
      throw new RunMistake(
        'its config.json has changed since it was stopped; only its stop rules may: start a new run',
      );
    }
    const run = await Run.start(config, openTasks, snapshot, options.makeField?.());
    try {
      return new RecordedRun(run, options.openDirectory(), options, state ?? NO_TIME);
    } catch (error) {
      run.dispose();
      throw error;
    }
  }

  /** Seconds that were spent on the run, by all processes. */
  get seconds(): number {
    return this.before.seconds + (performance.now() - this.options.startedAt) / 1000;
  }

  private get cpuSeconds(): number {
    return this.before.cpuSeconds + this.options.cpuSeconds();
  }

  /** Goes on for about a fiftieth of a second. Gives what happened. */
  async advance(): Promise<readonly RunEvent[]> {
    const { run } = this;
    const { minutes } = this.options.config.stop;
    const isLate = minutes !== null && this.seconds >= 60 * minutes && run.phase === 'search';
    // What was found until now is kept, so that the search can go on with more time.
    if (isLate) await this.save();
    const startedAt = performance.now();
    const events = isLate ? run.endSearch('minutes') : await run.advance(this.slice);
    this.slice = nextSlice(this.slice, performance.now() - startedAt);
    for (const event of events) this.record(event);
    await this.keep();
    return events;
  }

  /** Saves everything, so that the run can go on from here. */
  async save(): Promise<void> {
    const startedAt = performance.now();
    this.writeFound();
    const { state, arrays } = await this.run.snapshot();
    const config = identify(this.options.config);
    const spent: CheckpointState = { run: state, config, seconds: this.seconds, cpuSeconds: this.cpuSeconds };
    this.directory.saveCheckpoint({ state: spent, arrays });
    this.checkpointSeconds = (performance.now() - startedAt) / 1000;
    this.savedAt = this.seconds;
  }

  /** What the run has found; and what it took. */
  result(): RecordedResult {
    const { directory, seconds, cpuSeconds } = this;
    return this.recorded ?? { run: directory.directory, ...this.run.result(), seconds, cpuSeconds };
  }

  dispose(): void {
    this.run.dispose();
  }

  private record(event: RunEvent): void {
    const { directory } = this;
    directory.appendEvent(event);
    if (event.type === 'progress') directory.appendProgress(this.progressRow(event));
    if (event.type !== 'end') return;
    this.writeFound();
    directory.flush();
    this.recorded = this.result();
    const { config, version } = this.options;
    const events = [...forReport(directory.readEvents())];
    directory.writeReport(renderReport({ result: this.recorded, config, events, version }));
    // Last: with a result, the run is finished, and nobody writes what is missing.
    directory.writeResult(this.recorded);
  }

  private progressRow(event: ProgressEvent) {
    const { type: _, hurdles, work: _work, mean, ...columns } = event;
    const heights = Object.fromEntries(hurdles.map((hurdle, k) => [`hurdle${k + 1}`, hurdle ?? '']));
    return { seconds: this.seconds, cpuSeconds: this.cpuSeconds, ...columns, mean: mean ?? '', ...heights };
  }

  /** Writes what is due. Once a run is ending, its last checkpoint stays: with more time the search could go on from there. */
  private async keep(): Promise<void> {
    const { seconds } = this;
    if (seconds - this.flushedAt >= FLUSH_SECONDS) {
      this.flushedAt = seconds;
      this.directory.flush();
      this.writeFound();
    }
    if (this.run.isEnding) return;
    const { least, most } = CHECKPOINT_SECONDS;
    // A young process saves more often, so that what it did in about half of its time is kept however soon it is killed.
    const young = (seconds - this.beganAt) / 2;
    const wait = Math.min(most, Math.max(least, Math.min(this.checkpointSeconds / CHECKPOINT_PART, young)));
    if (seconds - this.savedAt >= wait) await this.save();
  }

  /** Writes the best programs, unless they are those that it wrote last. */
  private writeFound(): void {
    const { run, directory } = this;
    const { line, experiment } = run.selected ?? { line: run.best, experiment: run.experiment };
    if (line === undefined) return;
    const { entries } = run.hall;
    const found = JSON.stringify([experiment, line.id, ...entries.map((entry) => [entry.experiment, entry.id])]);
    if (found === this.written) return;
    const { program } = line;
    directory.writeBest(printProgram(program, run.labels), printProgram(simplify(program, run.labels), run.labels));
    directory.writeHallOfFame(
      entries.map((entry, k) => ({
        rank: k + 1,
        fitness: entry.fitness,
        experiment: entry.experiment,
        id: entry.id,
        hash: entry.hash,
        instructions: countInstructions(simplify(entry.program, run.labels)),
        program: printProgram(simplify(entry.program, run.labels), run.labels),
      })),
    );
    this.written = found;
  }
}

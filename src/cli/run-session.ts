// Drives a recorded run at the terminal: the live view, keys and signals that end it cleanly, and what is said at the end. Shared by
// `run`, `resume` and whoever else searches. Must not know how a run comes about.
import type { RunEvent } from '../experiment/events.js';
import { islandCount } from '../experiment/groups.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import type { RecordedRun } from '../runs/recorded-run.js';
import { EXIT_FAILURE, EXIT_SIGNALS } from './errors.js';
import { onKeys } from './keys.js';
import { View } from './live-view.js';
import { colors, count, duration, print, printJson } from './output.js';
import { colorProgram } from './program-colors.js';
import type { RunStatus } from './run-view.js';

/** Moments that the sparkline remembers, at most. */
const MAX_HISTORY = 400;
/** Seconds over which rates are taken. */
const RATE_SECONDS = 2;

interface Moment {
  readonly seconds: number;
  readonly algorithms: number;
  readonly trainSteps: number;
}

/** Follows a run: rates, and the best fitness over time. */
class Watcher {
  private readonly recorded: RecordedRun;
  private moments: Moment[] = [];
  private history: number[] = [];
  private everyNth = 1;
  private seen = 0;
  private shown: { readonly id: number; readonly experiment: number; readonly text: string } | undefined;

  constructor(recorded: RecordedRun) {
    this.recorded = recorded;
  }

  look(): RunStatus {
    const { run, seconds, directory } = this.recorded;
    const { config, counts, best, selected } = run;
    const islands = islandCount(config);
    const { algorithms, trainSteps } = counts;
    this.remember({ seconds, algorithms, trainSteps }, best?.fitness);
    const first = this.moments[0]!;
    const span = Math.max(1e-3, seconds - first.seconds);
    const hurdle = run.hurdles.at(-1);
    const { minutes, experiments, fitness } = config.stop;
    const part = Math.max(run.progress ?? 0, minutes === null ? 0 : Math.min(1, seconds / (60 * minutes)));
    const isLimited = run.progress !== undefined || minutes !== null;
    return {
      title: [config.name, `seed ${config.seed}`, ...(islands > 1 ? [`${islands} islands`] : [])].join(', '),
      about: config.about ?? '',
      phase: run.phase === 'done' ? 'final' : run.phase,
      experiment: Math.max(1, run.experiment),
      ...(experiments !== null && { experiments }),
      algorithms,
      trainSteps,
      algorithmsPerSecond: (algorithms - first.algorithms) / span,
      stepsPerSecond: (trainSteps - first.trainSteps) / span,
      canonicalHits: counts.canonicalHits,
      fingerprintHits: counts.fingerprintHits,
      evaluated: counts.evaluated,
      cut: counts.cut,
      overBudget: counts.overBudget,
      ...(hurdle !== undefined && Number.isFinite(hurdle) && { hurdle }),
      hasFingerprint: config.evaluation.fingerprint !== null,
      hasHurdles: config.evaluation.hurdles !== null,
      ...(best !== undefined && { bestFitness: best.fitness }),
      bestHistory: this.history,
      ...(selected !== undefined && { selectFitness: selected.selectFitness }),
      ...(fitness !== null && { target: fitness }),
      elapsedSeconds: seconds,
      ...(isLimited && { progress: part }),
      ...(isLimited && part > 0 && { secondsLeft: (seconds / part) * (1 - part) }),
      ...this.bestProgram(),
      programAge: run.sinceBest,
      directory: directory.directory,
    };
  }

  private remember(moment: Moment, fitness: number | undefined): void {
    this.moments.push(moment);
    while (this.moments.length > 2 && moment.seconds - this.moments[1]!.seconds > RATE_SECONDS) this.moments.shift();
    if (fitness === undefined || this.seen++ % this.everyNth !== 0) return;
    this.history.push(fitness);
    if (this.history.length < MAX_HISTORY) return;
    this.history = this.history.filter((_, k) => k % 2 === 0);
    this.everyNth *= 2;
  }

  private bestProgram(): Pick<RunStatus, 'program' | 'mutation' | 'parentFitness'> {
    const { run } = this.recorded;
    const { best, experiment } = run;
    if (best === undefined) return {};
    if (this.shown?.id !== best.id || this.shown.experiment !== experiment) {
      const text = printProgram(simplify(best.program, run.labels), run.labels);
      this.shown = { id: best.id, experiment, text };
    }
    const parent = best.parent === undefined ? {} : { parentFitness: best.parent.fitness };
    return { program: this.shown.text, mutation: best.origin, ...parent };
  }
}

const EXIT_INTERRUPTED: Readonly<Record<string, number>> = { q: 0, ...EXIT_SIGNALS };
const CTRL_C = '\u0003';

/** Ends the process at once: what the last checkpoint has is kept. */
function leaveNow(why: string): never {
  process.exit(EXIT_INTERRUPTED[why] ?? EXIT_FAILURE);
}

/** Listens for whatever is to end the run. */
function listen(): { readonly why: () => string | undefined; readonly stop: () => void } {
  let why: string | undefined;
  const onSignal = (signal: string) => {
    if (why !== undefined && signal === 'SIGINT') leaveNow(signal);
    why ??= signal;
  };
  const signals = Object.keys(EXIT_SIGNALS);
  for (const signal of signals) process.on(signal, onSignal);
  const stopKeys = onKeys((key) => {
    if (key === 'q') why ??= 'q';
    if (key === CTRL_C) onSignal('SIGINT');
  });
  return {
    why: () => why,
    stop: () => {
      for (const signal of signals) process.off(signal, onSignal);
      stopKeys();
    },
  };
}

function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export interface FollowOptions {
  readonly json: boolean;
  /** The command that goes on with the run. */
  readonly goOn: (directory: string) => string;
}

/** Runs to the end, or until somebody ends it. */
export async function follow(recorded: RecordedRun, { json, goOn }: FollowOptions): Promise<void> {
  const watcher = new Watcher(recorded);
  const view = new View();
  const listening = listen();
  const look = () => watcher.look();
  let events: readonly RunEvent[] = [];
  try {
    while (!recorded.run.isDone && listening.why() === undefined) {
      events = await recorded.advance();
      view.show(recorded.seconds, look);
      await yieldToOthers();
    }
    if (!recorded.run.isDone && !recorded.run.isEnding) await recorded.save();
    view.show(recorded.seconds, look, process.stderr.isTTY !== true);
  } finally {
    listening.stop();
    view.finish();
    recorded.dispose();
  }
  const why = listening.why();
  if (json) printJson(recorded.result());
  else if (events.some(({ type }) => type === 'end')) printResult(recorded);
  else printInterruption(recorded, goOn);
  if (why !== undefined && !recorded.run.isDone) process.exitCode = EXIT_INTERRUPTED[why] ?? EXIT_FAILURE;
}

function printInterruption(recorded: RecordedRun, goOn: FollowOptions['goOn']): void {
  const { directory, seconds, run } = recorded;
  const kept = run.isEnding ? 'what it did since its last checkpoint will be done again' : 'everything is kept';
  print(`Stopped after ${count(run.algorithms, 'algorithm')} and ${duration(seconds)}; ${kept}.`);
  print(`Go on with:  ${goOn(directory.directory)}`);
}

function shownFitness(fitness: number | null): string {
  return fitness === null ? 'none' : fitness.toFixed(6);
}

function printResult(recorded: RecordedRun): void {
  const result = recorded.result();
  const { success, simplified, counts, seconds, run } = result;
  const rate = Math.round(counts.algorithms / Math.max(seconds, 1e-3)).toLocaleString('en-US');
  if (simplified === null) print('No program was found.');
  else {
    const { stop, tasks } = recorded.run.config;
    const verdict =
      success === null
        ? 'The best program'
        : success
          ? 'Found'
          : `Not good enough (below ${stop.fitness}), but the best`;
    print(
      `${colors.bold(verdict)}, in ${duration(seconds)} and ${count(counts.algorithms, 'algorithm')} (${rate}/s):\n`,
    );
    print(colorProgram(simplified.trimEnd(), colors));
    print('');
    const row = (name: string, fitness: number | null, set: { set: string; count: number }) =>
      print(`  ${name.padEnd(8)} ${colors.bold(shownFitness(fitness))}  on ${count(set.count, `${set.set} task`)}`);
    row('search', result.searchFitness, tasks.search);
    row('select', result.selectFitness, tasks.select);
    row('final', result.finalFitness, tasks.final);
  }
  if (counts.cut > 0) {
    const found = result.rescued === 0 ? 'none was' : result.rescued === 1 ? '1 was' : `${result.rescued} were`;
    print(
      `  hurdles cut ${count(counts.cut, 'algorithm')}; of ${counts.audited} that were evaluated all the same, ${found} the best so far`,
    );
  }
  const found = simplified === null ? [] : ['best.alg', 'hall-of-fame.csv'];
  print(`\nIn ${run}: ${['report.html', ...found, 'result.json', 'progress.csv', 'events.jsonl'].join(', ')}`);
}

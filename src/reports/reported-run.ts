// A run as its page needs it, finished or not: what it found, and how fitness went, out of events of which there may be a million.
// Must not know files or pages.
import { lineFromEvents } from '../analysis/lineage-steps.js';
import { noCounts } from '../evaluate/candidate-evaluator.js';
import type { Config } from '../experiment/config.js';
import type { ProgressEvent, RunEvent, SelectEvent } from '../experiment/events.js';
import { addPoint, type ExperimentLines, type Point, readLines } from '../pages/progress-lines.js';
import type { ReportData } from '../pages/run-page.js';
import { simplifyText } from '../program/simplify-text.js';
import type { ReportedAblation } from './ablation-section.js';
import type { RecordedResult } from './recorded-result.js';

export interface RunSource {
  readonly name: string;
  readonly directory: string;
  readonly status: 'running' | 'stopped' | 'finished';
  /** Of the evozero that made the run. */
  readonly version: string;
  readonly config: Config;
  readonly result: RecordedResult | undefined;
  /** From the beginning, each time that it is asked. */
  readonly events: () => Iterable<RunEvent>;
  /** How long an unfinished run took so far, and the text of its best program, where they are known. */
  readonly seconds: number | null;
  readonly program: string | undefined;
}

export interface ReportedRun {
  readonly name: string;
  readonly status: RunSource['status'];
  /** Of an unfinished run, the result is what it would be if it ended now; `events` are those that selected and that scored. */
  readonly data: ReportData;
  /** Null where the run has not said so yet. */
  readonly seconds: number | null;
  readonly counts: RecordedResult['counts'] | undefined;
  /** Whether its lineage has every step. */
  readonly isWhole: boolean;
  readonly lines: readonly ExperimentLines[];
  /** The experiment that found the program, if it was selected. */
  readonly selected: number | undefined;
  /** The best fitness so far over the algorithms of the whole run. */
  readonly progress: readonly Point[];
  readonly ablation?: ReportedAblation;
}

// --- Events ------------------------------------------------------------------------------------------------------------

interface Told {
  readonly lines: readonly ExperimentLines[];
  readonly progress: readonly Point[];
  /** The last of each kind. */
  readonly selection: SelectEvent | undefined;
  readonly final: RunEvent | undefined;
  readonly latest: ProgressEvent | undefined;
  readonly experiments: number;
  readonly algorithms: number;
}

/** What all events tell, in one pass. */
function readAll(events: Iterable<RunEvent>): Told {
  const progress: Point[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let selection: SelectEvent | undefined;
  let final: RunEvent | undefined;
  let latest: ProgressEvent | undefined;
  let experiments = 0;
  let algorithms = 0;
  const look = (event: RunEvent) => {
    experiments = Math.max(experiments, event.experiment);
    // Those of migration events are of one island.
    if (event.type !== 'migration') algorithms = event.algorithms;
    if (event.type === 'select' && event.isBest) selection = event;
    if (event.type === 'final') final = event;
    if (event.type === 'progress') latest = event;
    if (event.type !== 'best' && event.type !== 'progress') return;
    const fitness = event.type === 'best' ? event.fitness : event.best;
    if (fitness > best) best = fitness;
    addPoint(progress, event.algorithms, best);
  };
  function* watch(): Generator<RunEvent> {
    for (const event of events) {
      look(event);
      yield event;
    }
  }
  const lines = readLines(watch());
  return { lines, progress, selection, final, latest, experiments, algorithms };
}

// --- Runs without a result ---------------------------------------------------------------------------------------------

/** As of the last event that counts. */
function countsOf({ latest }: Told): RecordedResult['counts'] | undefined {
  if (latest === undefined) return undefined;
  const { algorithms, overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated, trainSteps, work } = latest;
  return { algorithms, overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated, trainSteps, work };
}

/** What the result would be now. */
function resultSoFar(source: RunSource, told: Told): { result: RecordedResult; isWhole: boolean } {
  const { config, directory, seconds } = source;
  const { entries, isWhole } = lineFromEvents(source.events());
  const last = entries.at(-1);
  const program = last?.program ?? source.program ?? null;
  const result: RecordedResult = {
    run: directory,
    preset: config.name,
    seed: config.seed,
    success: null,
    reason: 'stopped',
    searchFitness: told.selection?.searchFitness ?? last?.fitness ?? null,
    selectFitness: told.selection?.selectFitness ?? null,
    finalFitness: null,
    experiments: told.experiments,
    algorithms: told.algorithms,
    trainSteps: told.latest?.trainSteps ?? 0,
    counts: countsOf(told) ?? { ...noCounts(), algorithms: told.algorithms },
    rescued: 0,
    program,
    simplified: program && simplifyText(program, config.space.memory),
    lineage: entries,
    seconds: seconds ?? 0,
    cpuSeconds: 0,
  };
  return { result, isWhole };
}

export function collectRun(source: RunSource): ReportedRun {
  const { name, status, version, config, seconds } = source;
  const told = readAll(source.events());
  const { result, isWhole } =
    source.result === undefined ? resultSoFar(source, told) : { result: source.result, isWhole: true };
  const events = [told.selection, told.final].filter((event) => event !== undefined);
  return {
    name,
    status,
    data: { result, config, events, version },
    seconds: source.result?.seconds ?? seconds,
    counts: source.result?.counts ?? countsOf(told),
    isWhole,
    lines: told.lines,
    selected: told.selection?.experiment,
    progress: told.progress,
  };
}

// The contract between the dashboard's server and its page: routes, the JSON of their answers, the messages of their streams, and the
// limits that hold for all of them. Types and constants only, so that the page can import it; must not know how anything is found.
import type { Origin } from '../evolve/lineage.js';
import type { Config } from '../experiment/config.js';
import type { EndReason, MigrationCounts, RunCounts } from '../experiment/events.js';

export type {
  BestProgram,
  ExplainedText,
  HallOfFame,
  Lineage,
  LineageStep,
  ProgramText,
  TechniqueNote,
} from './api-programs.js';
export type { ExperimentSeries, RunSeries, SeriesAnswer } from './api-series.js';

// --- Routes ------------------------------------------------------------------------------------------------------------

/**
 * Where everything is. ID is a `RunSummary.id`, never a path. Answers are JSON unless it says otherwise; what goes wrong is an `ApiError`
 * with a status of 400 and above. Numbers that JSON lacks are null.
 */
export const ROUTES = {
  /** GET: ServerInfo. */
  info: '/api/info',
  /** GET: RunList. POST (control): StartRequest, answered by Started. */
  runs: '/api/runs',
  /** GET: a stream of ListMessage. */
  listStream: '/api/stream',
  /** GET ?runs=ID,ID&points=N&scale=log: SeriesAnswer. Of one run or several, to compare. */
  series: '/api/series',
  /** GET: PresetList. */
  presets: '/api/presets',
  /** GET: ConfigForm. */
  form: '/api/config-schema',
  /** GET: RunDetail. */
  run: (id: string) => `/api/runs/${id}`,
  /** GET ?cursor=CURSOR: a stream of RunMessage, from the cursor on; without one, from now on. */
  stream: (id: string) => `/api/runs/${id}/stream`,
  /** GET: BestProgram. */
  program: (id: string) => `/api/runs/${id}/program`,
  /** GET ?from=K&count=N: Lineage. */
  lineage: (id: string) => `/api/runs/${id}/lineage`,
  /** GET: HallOfFame. */
  hall: (id: string) => `/api/runs/${id}/hall-of-fame`,
  /** GET ?style=none: an SVG image of the flow of data; without its own style, to be put into a page that has one. */
  diagram: (id: string) => `/api/runs/${id}/diagram.svg`,
  /** GET: one of `RunDetail.files`, as a download. */
  file: (id: string, file: DownloadName) => `/api/runs/${id}/files/${file}`,
  /** POST (control): {}, answered by Accepted. The search saves a checkpoint and ends. */
  stop: (id: string) => `/api/runs/${id}/stop`,
  /** POST (control): ResumeRequest, answered by Accepted. */
  resume: (id: string) => `/api/runs/${id}/resume`,
} as const;

/** Every POST needs this header, which no form and no other site can send. */
export const CONTROL_HEADER = { name: 'X-Evozero-Control', value: '1' } as const;

export const LIMITS = {
  /** Points of each line that may be asked for. */
  leastPoints: 16,
  points: 1000,
  mostPoints: 5000,
  /** Runs in one request for series. */
  comparedRuns: 32,
  /** Experiments of a run that have lines of their own: the selected one and the last ones. */
  experiments: 64,
  /** Runs of a directory that are listed at all. */
  runs: 10_000,
  /** Steps of a lineage in one answer. */
  lineageSteps: 200,
  /** Islands of a run that are told one by one. */
  islands: 1000,
  /** Points in one message of a stream. */
  messagePoints: 200,
  /** Open streams of all pages together. */
  streams: 100,
  /** Bytes of the body of a request. */
  bodyBytes: 256 * 1024,
} as const;

export interface ApiError {
  /** One line for the user. */
  readonly error: string;
  /** Of a configuration: which fields are wrong. */
  readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

export interface ServerInfo {
  /** Of the evozero that serves. */
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  /** As it was given on the command line. */
  readonly directory: string;
  /** Whether runs may be started, stopped and resumed. */
  readonly canControl: boolean;
  /** Threads that a search uses if nobody says how many. */
  readonly cores: number;
}

// --- The list ----------------------------------------------------------------------------------------------------------

/**
 * `failed`: its process ended without saving, or with an error; it can be resumed like one that was stopped. `corrupt`: its files cannot be
 * read. Both have a `problem`.
 */
export type RunStatus = 'running' | 'stopped' | 'finished' | 'failed' | 'corrupt';

export interface RunSummary {
  /** Stable while the directory has its place, over restarts of the server too. Letters, digits, - and _ only. */
  readonly id: string;
  /** The path from the directory of runs, with /. May hold anything that a file name may. */
  readonly name: string;
  readonly status: RunStatus;
  /** One line, where the status needs one. */
  readonly problem?: string;
  /** It has been told to stop, and is saving. */
  readonly isStopping?: true;
  /** Null where the configuration cannot be read. */
  readonly preset: string | null;
  readonly seed: number | null;
  /** Whether the selected program is as good as was asked for; null before the end, and if nothing was asked for. */
  readonly success: boolean | null;
  /** The best fitness on the tasks of the search, of all experiments. The selected program may have less. */
  readonly bestFitness: number | null;
  /** Of the selected program. */
  readonly selectFitness: number | null;
  readonly finalFitness: number | null;
  readonly algorithms: number;
  /** Lately, of a running search; else on average. Null before it is known. */
  readonly algorithmsPerSecond: number | null;
  readonly seconds: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly changedAt: number | null;
}

export interface RunList {
  readonly runs: readonly RunSummary[];
  /** More than `LIMITS.runs` directories were found; these are the first. */
  readonly isCut: boolean;
}

/**
 * Messages of the list's stream: `event` is `type`, `data` the object. The first is always a `list`, unless Last-Event-ID says that the
 * page has this very list. A page replaces what it has by a `list`, and applies `changes` to it.
 */
export type ListMessage =
  | ({ readonly type: 'list' } & RunList)
  | { readonly type: 'changes'; readonly changed: readonly RunSummary[]; readonly removed: readonly string[] };

// --- One run -----------------------------------------------------------------------------------------------------------

export const DOWNLOADS = [
  'best.alg',
  'best.simplified.alg',
  'best.ts',
  'best.js',
  'best.py',
  'progress.csv',
  'hall-of-fame.csv',
  'config.json',
  'result.json',
  'events.jsonl',
  'report.html',
] as const;
export type DownloadName = (typeof DOWNLOADS)[number];

export interface DownloadFile {
  readonly name: DownloadName;
  /** Null for what is made when it is asked for. */
  readonly bytes: number | null;
}

/** Parts of all algorithms, from 0 to 1. */
export interface JudgementRates {
  readonly overBudget: number;
  readonly canonicalHits: number;
  readonly fingerprintHits: number;
  readonly cut: number;
  readonly evaluated: number;
}

export interface IslandState extends MigrationCounts {
  /** From 1 on. */
  readonly island: number;
  /** Programs that it proposed in the current experiment. */
  readonly algorithms: number;
  readonly best: number | null;
  readonly mean: number | null;
}

export interface RunDetail {
  readonly summary: RunSummary;
  /** Null if it cannot be read; then `summary.problem` says why, and most else is empty. */
  readonly config: Config | null;
  /** Of the evozero that made the run. */
  readonly version: string | null;
  /** In a shell, where config.json is if the command names it. */
  readonly command: string | null;
  /** Which experiment runs, from 1 on; 0 before the first. */
  readonly experiment: number;
  readonly selectedExperiment: number | null;
  /** Of the end; null before. */
  readonly reason: EndReason | null;
  readonly scores: {
    /** Of the selected program; of the best of the last experiment if none is selected. */
    readonly search: number | null;
    readonly select: number | null;
    readonly final: number | null;
    /** On each of the final tasks. */
    readonly finalFitnesses: readonly number[];
  };
  readonly cpuSeconds: number | null;
  /** As of the last event that counts. */
  readonly counts: RunCounts | null;
  readonly rates: JudgementRates | null;
  /** The fitness to reach at each hurdle. */
  readonly hurdles: readonly (number | null)[];
  /** Of several islands; the first `LIMITS.islands` of them. */
  readonly islands: readonly IslandState[];
  readonly islandCount: number;
  /** What `evozero ablate RUN --tasks TASKS --json` printed, if that was saved as ablation.json in the run directory. */
  readonly ablation: Ablation | null;
  readonly files: readonly DownloadFile[];
  /** How much of its events this tells of, from 0 to 1: the answer to the first request for a huge run does not wait for all. */
  readonly readPart: number;
}

export interface Ablation {
  /** Mean fitness of the whole program. */
  readonly intact: number | null;
  /** At most 100. */
  readonly sections: readonly {
    readonly label: string;
    readonly technique: string | null;
    /** Of fitness, without it. */
    readonly loss: number | null;
    readonly interval: readonly [number, number] | null;
    readonly isSignificant: boolean;
  }[];
}

// --- The stream of a run -----------------------------------------------------------------------------------------------

/** A point of the chart: as a row of ExperimentSeries. Of several groups of islands, the best so far is the greatest `best` so far. */
export interface SeriesPoint {
  readonly experiment: number;
  /** Of a best program: its number in the experiment, from 0 on, which says better than `algorithms` when it was found. */
  readonly id: number | null;
  readonly algorithms: number;
  readonly best: number | null;
  readonly mean: number | null;
  readonly hurdle: number | null;
}

/** A program that was better than all before it in its experiment. `program` and `lineage` tell more. */
export interface NewBest {
  readonly experiment: number;
  readonly algorithms: number;
  readonly island: number | null;
  readonly id: number;
  readonly fitness: number | null;
  readonly origin: Origin;
}

/** What happened between two cursors. Every event of the run is in exactly one update. */
export interface RunUpdate {
  readonly type: 'update';
  /** Experiments that began. */
  readonly began: readonly { readonly experiment: number; readonly start: number }[];
  /** At most `LIMITS.messagePoints`, thinned out as series are. */
  readonly points: readonly SeriesPoint[];
  /** At most `LIMITS.messagePoints`, the last ones. */
  readonly bests: readonly NewBest[];
  readonly counts: RunCounts | null;
  readonly hurdles: readonly (number | null)[] | null;
  /** Islands that told something. */
  readonly islands: readonly IslandState[];
  /** A program was selected, or scored, or the run ended: ask for the details again. */
  readonly hasNews: boolean;
}

/**
 * Messages of a run's stream: `event` is `type`, `data` the object. An `update` has the cursor behind it as its id, so that an EventSource that
 * reconnects, to this server or to one that was started later, goes on after it. `reset`: the log is no longer what the cursor was for
 * (a killed search that goes on has forgotten what came after its checkpoint), and nothing more comes: close the stream, forget all points, ask
 * for series again and open a stream from their cursor. `summary`, without an id: what the list shows of it has changed.
 */
export type RunMessage =
  | RunUpdate
  | { readonly type: 'reset' }
  | { readonly type: 'summary'; readonly summary: RunSummary };

// --- Control -----------------------------------------------------------------------------------------------------------

export interface PresetList {
  readonly presets: readonly { readonly name: string; readonly about: string; readonly config: Config }[];
}

export interface ConfigForm {
  /** JSON Schema (draft 2020-12) of what `StartRequest.config` may hold. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** For fields that JSON Schema says little about. */
  readonly opNames: readonly string[];
  readonly taskSets: readonly string[];
  readonly programs: readonly string[];
}

export interface StartRequest {
  /** As in a configuration file; defaults may be left out. Programs are built-in names or texts, not files. */
  readonly config: unknown;
  /** Of the run directory: 1 to 64 letters, digits, - and _, not a - first; without it, preset and seed. */
  readonly name?: string;
  /** Threads. */
  readonly workers?: number;
}

export interface ResumeRequest {
  readonly workers?: number;
  /** More of what a finished run ran out of. */
  readonly minutes?: number;
  readonly maxAlgorithms?: number;
  readonly maxSteps?: number;
}

/** The search runs, or has not yet said that it cannot: then it is not in the list yet, and `id` is what it will have. */
export interface Started {
  readonly id: string;
  readonly name: string;
}

export interface Accepted {
  readonly id: string;
}

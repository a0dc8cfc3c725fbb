// What the rest of evozero sees of Redis: experiments whose islands run on many machines, their claims, and the exchange of
// programs (paper, supplement "Parallelism"). Types only; must not know how Redis keeps it.

/** How long a call may take. Then it rejects with RedisOutage; whether it was done is unknown, and doing it again is harmless. */
export interface Patience {
  /** In milliseconds; 10 s where it is not given, and `Infinity` waits for as long as Redis is away. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface NewExperiment {
  /** Letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** JSON text. */
  readonly config: string;
  readonly islands: number;
  /** The version of the program format: only workers of the same take its islands. */
  readonly format: number;
  /** The version of evozero: only workers of the same run its islands. */
  readonly evozero: string;
}

/** How many islands are in each state. Each is in exactly one. */
export interface IslandCounts {
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  /** Whose runs failed as often as they may. */
  readonly failed: number;
}

export interface ExperimentStatus {
  readonly name: string;
  /** In milliseconds since 1970, by the clock of Redis. */
  readonly created: number;
  readonly format: number;
  readonly islands: IslandCounts;
  /** Of all islands, as of their last saves. */
  readonly algorithms: number;
  readonly best: number | null;
  readonly stop: string | null;
  /** Why islands failed; some of them, if many did. */
  readonly failures: readonly { readonly island: number; readonly reason: string }[];
}

export interface ExperimentList {
  readonly experiments: readonly ExperimentStatus[];
  /** Names of experiments whose description is unreadable. They can only be removed. */
  readonly damaged: readonly string[];
}

export interface Report {
  readonly island: number;
  readonly text: string;
}

export interface Experiment extends NewExperiment {
  readonly created: number;
  /** Queues every island that is neither done nor queued nor failed, unless there is a reason to stop. For repair, call it now and then. */
  enqueue(patience?: Patience): Promise<void>;
  /** Takes an island over from whoever has it. Rejects with RedisMistake if the experiment is gone. */
  claim(island: number, patience?: Patience): Promise<Claim>;
  /** Tells all islands, at their next call, to stop. */
  setStop(reason: string, patience?: Patience): Promise<void>;
  /** Tells them to stop, and takes those that wait out of the queue. */
  cancel(reason: string, patience?: Patience): Promise<void>;
  status(patience?: Patience): Promise<ExperimentStatus>;
  /** Reports after an id, '0' for all; waits `wait` milliseconds for the first. `next` is the id for the next call. */
  readReports(
    after: string,
    options: { readonly wait: number; readonly count: number } & Patience,
  ): Promise<{ next: string; reports: Report[] }>;
  /** Forgets the reports up to an id, that included. */
  trimReports(upTo: string, patience?: Patience): Promise<void>;
  remove(patience?: Patience): Promise<void>;
}

export interface Save {
  readonly checkpoint: Uint8Array;
  /** What happened since the last save that resolved. After one that rejected: the same reports again, and any newer ones. */
  readonly reports: readonly string[];
  /** No more runs of this island. */
  readonly isDone?: boolean;
  /** Since the island began. */
  readonly counts: { readonly algorithms: number; readonly best: number | null };
}

export interface Exchange {
  readonly upload: readonly Uint8Array[];
  /** How many programs to draw, with replacement, from those that all islands uploaded last. */
  readonly wanted: number;
  /** The most programs that any island uploads, if others upload another number. */
  readonly largest?: number;
  /** Counts the exchanges of this claim upwards: one that comes late does not replace the programs of a newer one. */
  readonly round: number;
}

export interface Exchanged {
  /** Fewer than wanted only if the pool is empty or damaged. Within the limits of size; not yet validated. */
  readonly programs: Uint8Array[];
  readonly stop: string | null;
  /** False: another worker has this island now, or the experiment is gone. */
  readonly owned: boolean;
}

/** A worker's hold on an island, until another worker claims it. */
export interface Claim {
  readonly island: number;
  readonly token: number;
  readonly checkpoint?: Uint8Array;
  /** Saved before, but the checkpoint is gone or unreadable: the island starts again, and its reports come a second time. */
  readonly isCheckpointLost: boolean;
  readonly isDone: boolean;
  readonly stop: string | null;
  /** Replaces the checkpoint and publishes the reports, both or neither. One at a time. */
  save(save: Save, patience?: Patience): Promise<{ owned: boolean }>;
  /** Replaces this island's programs in the pool and draws others, in one round trip. */
  exchange(exchange: Exchange, patience?: Patience): Promise<Exchanged>;
}

export interface IslandJob {
  readonly experiment: string;
  readonly island: number;
}

/** In milliseconds. */
export interface ServeTiming {
  /** How long a worker that says nothing keeps its islands. */
  readonly lock: number;
  /** How often workers look for islands of dead ones. */
  readonly stalled: number;
  /** Before the second run of an island whose first failed; then twice as long each time. */
  readonly retry: number;
}

export interface ServeOptions {
  /** The version of the program format of this worker. */
  readonly format: number;
  /** The version of evozero of this worker. */
  readonly evozero: string;
  /** How many islands run at once. */
  readonly slots: number;
  /** Stops taking islands, aborts the running ones, and gives them back to the queue once they have saved. */
  readonly signal: AbortSignal;
  /**
   * Runs an island to its end, or until the signal; must not block this thread. Rejecting counts as a failure, after several of
   * which the island is given up; rejecting with RedisOutage does not.
   */
  readonly run: (job: IslandJob, signal: AbortSignal) => Promise<void>;
  /** Told of experiments of other formats or versions and of failures, each in one line; the same line may come again. */
  readonly warn: (text: string) => void;
  readonly timing?: ServeTiming;
}

export interface RedisServer {
  /** Without its password. */
  readonly url: string;
  /** What an operator should know about this server, each in one line. */
  readonly warnings: readonly string[];
  /** How many values of a wrong type, size or form were met, and ignored or deleted. */
  readonly rubbish: number;
  /** Rejects with RedisMistake if the name is taken. */
  createExperiment(settings: NewExperiment, patience?: Patience): Promise<Experiment>;
  /** Rejects with RedisMistake if there is none of this name. */
  openExperiment(name: string, patience?: Patience): Promise<Experiment>;
  listExperiments(patience?: Patience): Promise<ExperimentList>;
  /** Whatever is left of it; islands that run find out at their next call. False if there was nothing. */
  removeExperiment(name: string, patience?: Patience): Promise<boolean>;
  /** Runs islands of all experiments. Resolves when the signal was given and the islands are back in the queue. */
  serve(options: ServeOptions): Promise<void>;
  close(): Promise<void>;
}

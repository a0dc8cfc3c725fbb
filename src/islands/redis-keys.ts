// How everything is called in Redis, how long it lives and how large it may be. All keys begin with `evozero:`, so that a user
// limited to `~evozero:*` can do everything; those of an experiment share a hash tag, and so do those of a queue.
import { quote } from '../util/quote.js';
import { RedisMistake } from './redis-errors.js';

/** Of every key, in milliseconds, from when it was last written. */
export const LIFETIME = 7 * 24 * 3600 * 1000;

export const MAX_PROGRAM_BYTES = 64 * 1024;
export const MAX_PROGRAMS = 2000;
export const MAX_CHECKPOINT_BYTES = 64 * 1024 * 1024;
export const MAX_REPORT_BYTES = 1024 * 1024;
/** Of all reports in one save, and in one reading. */
export const MAX_REPORTS_BYTES = 16 * 1024 * 1024;
export const MAX_CONFIG_BYTES = 1024 * 1024;
export const MAX_REASON_LENGTH = 500;

const NAME = /^[\w.-]{1,100}$/;

export function isExperimentName(name: string): boolean {
  return NAME.test(name);
}

export function checkExperimentName(name: string): void {
  if (isExperimentName(name)) return;
  throw new RedisMistake(`${quote(name)}: a name has 1 to 100 letters, digits, dots, underscores and hyphens`);
}

export interface ExperimentKeys {
  /** Hash: what createExperiment was given. The experiment exists while this does. */
  readonly about: string;
  /** Hash, a field for each island: who has it and how far it is (redis-scripts.ts). */
  readonly states: string;
  /** Stream of reports that the coordinator has not yet stored. */
  readonly reports: string;
  /** String: the reason to stop. */
  readonly stop: string;
  /** Hash of programs, fields ISLAND:INDEX. */
  readonly pool: string;
  /** String: how many programs each island has in the pool (redis-exchange-script.ts). */
  readonly sizes: string;
  /** String: where an island goes on after its worker died. */
  checkpoint(island: number): string;
}

function experimentPrefix(name: string): string {
  return `evozero:{${name}}:`;
}

export function experimentKeys(name: string): ExperimentKeys {
  const prefix = experimentPrefix(name);
  return {
    about: `${prefix}about`,
    states: `${prefix}states`,
    reports: `${prefix}reports`,
    stop: `${prefix}stop`,
    pool: `${prefix}pool`,
    sizes: `${prefix}sizes`,
    checkpoint: (island) => `${prefix}checkpoint:${island}`,
  };
}

/** What SCAN must match to find everything of an experiment. No character of a name means anything else there. */
export function experimentPattern(name: string): string {
  return `${experimentPrefix(name)}*`;
}

export const ABOUT_PATTERN = 'evozero:{*}:about';

/** The experiment that a key describes. */
export function experimentOfAbout(key: string): string | undefined {
  return /^evozero:\{(.*)\}:about$/s.exec(key)?.[1];
}

// --- Queues: one for each program format, so that workers never take what they cannot read ------------------------------

export const QUEUE_PREFIX = 'evozero:queue';

export function queueName(format: number): string {
  return `{format-${format}}`;
}

/** BullMQ's keys, other than those of jobs. `tidied` is ours. */
export function queueKey(format: number, part: string): string {
  return `${QUEUE_PREFIX}:${queueName(format)}:${part}`;
}

export function jobId(name: string, island: number): string {
  return `${name}/${island}`;
}

/** The island of a job, which its id alone tells: what else is in a job is never believed. */
export function parseJobId(id: string): { experiment: string; island: number } | undefined {
  const [, experiment, island] = /^([^/]+)\/(0|[1-9]\d{0,5})$/.exec(id) ?? [];
  return experiment === undefined || !isExperimentName(experiment) ? undefined : { experiment, island: Number(island) };
}

export function jobPattern(name: string): string {
  return `${QUEUE_PREFIX}:{format-*}:${name}/*`;
}

/** The format of the queue that a job's key is part of. */
export function formatOfJobKey(key: string): number | undefined {
  const [, format] = /^evozero:queue:\{format-(\d{1,9})\}:/.exec(key) ?? [];
  return format === undefined ? undefined : Number(format);
}

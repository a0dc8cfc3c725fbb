// Experiments in Redis: made, opened, watched, stopped and removed, by the coordinator and by commands. Must not know BullMQ
// beyond `JobQueue`, nor what configurations, reports and checkpoints mean.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ISLANDS } from '../experiment/config-schema.js';
import { quote } from '../util/quote.js';
import type {
  Experiment,
  ExperimentList,
  ExperimentStatus,
  IslandJob,
  NewExperiment,
  Patience,
  Report,
} from './redis-api.js';
import { claimIsland } from './redis-claim.js';
import type { RedisCommands } from './redis-commands.js';
import { RedisMistake } from './redis-errors.js';
import {
  ABOUT_PATTERN,
  checkExperimentName,
  experimentKeys,
  experimentOfAbout,
  experimentPattern,
  formatOfJobKey,
  isExperimentName,
  jobPattern,
  LIFETIME,
  MAX_CONFIG_BYTES,
  MAX_REASON_LENGTH,
  MAX_REPORT_BYTES,
  MAX_REPORTS_BYTES,
  parseJobId,
  queueKey,
} from './redis-keys.js';
import { type JobQueue, queueIslands, readFailures, removeIslands, type Survey, surveyQueue } from './redis-queue.js';
import {
  asArray,
  asCount,
  asText,
  type Description,
  type IslandState,
  parseDescription,
  parseState,
} from './redis-replies.js';
import { CREATE, DESCRIBE, READ_REPORTS, RESTORE, STATUS, STOP, TRIM_REPORTS } from './redis-scripts.js';

/** How many failures a status explains. */
const EXPLAINED_FAILURES = 20;
/** In milliseconds: how often a reader that waits for reports looks. */
const POLL_INTERVAL = 100;

/** A described experiment, within one server. */
interface Known extends Description {
  readonly name: string;
}

interface Place {
  readonly commands: RedisCommands;
  readonly queue: JobQueue;
}

// --- Descriptions ------------------------------------------------------------------------------------------------------

function checkSettings({ name, config, islands, format }: NewExperiment): void {
  checkExperimentName(name);
  if (Buffer.byteLength(config) > MAX_CONFIG_BYTES) throw new RedisMistake(`the configuration of ${name} is too large`);
  if (!Number.isInteger(islands) || islands < 1 || islands > MAX_ISLANDS) {
    throw new RedisMistake(`${islands} islands: expected 1 to ${MAX_ISLANDS}`);
  }
  if (!Number.isInteger(format) || format < 0) throw new RangeError(`the program format ${format} is not a version`);
}

function describedFields({ config, islands, format, evozero }: NewExperiment): (string | number)[] {
  return ['config', config, 'islands', islands, 'format', format, 'evozero', evozero];
}

export async function createExperiment(
  place: Place,
  settings: NewExperiment,
  patience?: Patience,
): Promise<Experiment> {
  const { name } = settings;
  checkSettings(settings);
  const id = randomBytes(16).toString('hex');
  const { commands } = place;
  const { about } = experimentKeys(name);
  const reply = await commands.run(CREATE, [about], [LIFETIME, id, ...describedFields(settings)], patience);
  const created = asCount(reply);
  if (created === 0) throw new RedisMistake(`${commands.url}: there is an experiment ${name} already`);
  // What an earlier experiment of this name left, if its removal was interrupted.
  const leftovers = (await findKeys(commands, experimentPattern(name), patience)).filter((key) => key !== about);
  await unlink(commands, leftovers, patience);
  return makeExperiment(place, { ...settings, id, created });
}

/** Undefined: there is none. 'damaged': there is something that cannot be read. */
async function describe(
  commands: RedisCommands,
  name: string,
  patience?: Patience,
): Promise<Known | 'damaged' | undefined> {
  const reply = await commands.run(DESCRIBE, [experimentKeys(name).about], [MAX_CONFIG_BYTES], patience);
  if (reply === null) return undefined;
  const description = parseDescription(reply, MAX_ISLANDS);
  if (description !== undefined) return { ...description, name };
  commands.rubbish++;
  return 'damaged';
}

export async function openExperiment(place: Place, name: string, patience?: Patience): Promise<Experiment> {
  checkExperimentName(name);
  const known = await describe(place.commands, name, patience);
  const { url } = place.commands;
  if (known === undefined) throw new RedisMistake(`${url}: there is no experiment ${name}`);
  if (known === 'damaged') throw new RedisMistake(`${url}: the description of the experiment ${name} is damaged`);
  return makeExperiment(place, known);
}

// --- All keys of an experiment -----------------------------------------------------------------------------------------

async function findKeys(commands: RedisCommands, pattern: string, patience?: Patience): Promise<string[]> {
  const keys = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = asArray(await commands.command('SCAN', [cursor, 'MATCH', pattern, 'COUNT', 1000], patience));
    // Names that are not text could not be deleted by their text.
    for (const key of asArray(found)) if (Buffer.isBuffer(key)) keys.add(key.toString('latin1'));
    cursor = asText(next) ?? '0';
  } while (cursor !== '0');
  return [...keys];
}

async function unlink(commands: RedisCommands, keys: readonly string[], patience?: Patience): Promise<void> {
  const CHUNK = 1000;
  for (let first = 0; first < keys.length; first += CHUNK) {
    const some = keys.slice(first, first + CHUNK).map((key) => Buffer.from(key, 'latin1'));
    await commands.command('UNLINK', some, patience);
  }
}

export async function removeExperiment(
  { commands, queue }: Place,
  name: string,
  patience?: Patience,
): Promise<boolean> {
  checkExperimentName(name);
  // Islands that run find out by the first; the others must not come back after it.
  const about = await commands.command('UNLINK', [experimentKeys(name).about], patience);
  const jobKeys = await findKeys(commands, jobPattern(name), patience);
  const formats = new Map<number, Set<number>>();
  for (const key of jobKeys) {
    const format = formatOfJobKey(key);
    if (format === undefined) continue;
    const job = parseJobId(key.slice(queueKey(format, '').length).replace(/:.*$/s, ''));
    if (job?.experiment !== name) continue;
    formats.set(format, (formats.get(format) ?? new Set()).add(job.island));
  }
  for (const [format, islands] of formats) {
    await removeIslands(commands, queue, { name, format }, [...islands], patience);
  }
  const keys = await findKeys(commands, experimentPattern(name), patience);
  await unlink(commands, keys, patience);
  return about === 1 || keys.length > 0 || formats.size > 0;
}

// --- Status ------------------------------------------------------------------------------------------------------------

interface Progress {
  readonly stop: string | null;
  readonly states: readonly (IslandState | undefined)[];
}

async function readProgress(commands: RedisCommands, known: Known, patience?: Patience): Promise<Progress> {
  const { about, states, stop } = experimentKeys(known.name);
  const args = [known.id, LIFETIME, known.islands];
  const [rubbish, reason, ...found] = asArray(await commands.run(STATUS, [about, states, stop], args, patience));
  commands.rubbish += asCount(rubbish);
  const parsed = Array.from({ length: known.islands }, (_, island) => {
    const text = found[island] ?? null;
    if (text === null) return undefined;
    const state = parseState(asText(text) ?? '');
    if (state === undefined) commands.rubbish++;
    return state;
  });
  return { stop: asText(reason) ?? null, states: parsed };
}

function stateOf(island: number, state: IslandState | undefined, { active, failed }: Survey) {
  if (state?.isDone === true) return 'done';
  if (active.has(island)) return 'active';
  // In no list: it waits until the coordinator queues it again.
  return failed.has(island) ? 'failed' : 'waiting';
}

async function readStatus(commands: RedisCommands, known: Known, patience?: Patience): Promise<ExperimentStatus> {
  const { name, created, format } = known;
  const [{ stop, states }, survey] = await Promise.all([
    readProgress(commands, known, patience),
    surveyQueue(commands, known, patience),
  ]);
  const islands = { waiting: 0, active: 0, done: 0, failed: 0 };
  const failed: number[] = [];
  let algorithms = 0;
  let best: number | null = null;
  for (const [island, state] of states.entries()) {
    const now = stateOf(island, state, survey);
    islands[now]++;
    if (now === 'failed') failed.push(island);
    algorithms += state?.algorithms ?? 0;
    if (state?.best != null) best = Math.max(best ?? state.best, state.best);
  }
  const failures = await readFailures(commands, known, failed.slice(0, EXPLAINED_FAILURES), patience);
  return { name, created, format, islands, algorithms, best, stop, failures };
}

export async function isIslandDone(
  { commands }: Place,
  { experiment, island }: IslandJob,
  patience?: Patience,
): Promise<boolean> {
  const reply = await commands.command('HGET', [experimentKeys(experiment).states, island], patience);
  return parseState(asText(reply) ?? '')?.isDone === true;
}

/** Whether there is a reason to stop. A value of another type is none. */
export async function isStopped({ commands }: Place, name: string, patience?: Patience): Promise<boolean> {
  const [reply] = await commands.batch([['GET', experimentKeys(name).stop]], patience);
  return asText(reply) !== undefined;
}

export async function listExperiments({ commands }: Place, patience?: Patience): Promise<ExperimentList> {
  const names = (await findKeys(commands, ABOUT_PATTERN, patience)).map((key) => experimentOfAbout(key) ?? '').sort();
  const experiments: ExperimentStatus[] = [];
  const damaged: string[] = [];
  for (const name of names) {
    const known = isExperimentName(name) ? await describe(commands, name, patience) : undefined;
    if (known === 'damaged') damaged.push(name);
    else if (known !== undefined) experiments.push(await readStatus(commands, known, patience));
    // Not a name that evozero gives: somebody else's.
    else if (!isExperimentName(name)) commands.rubbish++;
  }
  return { experiments, damaged };
}

// --- Reports -----------------------------------------------------------------------------------------------------------

function checkReportId(id: string): void {
  if (!/^\d{1,20}(-\d{1,20})?$/.test(id)) throw new RangeError(`${quote(id)} is not the id of a report`);
}

async function readReports(
  commands: RedisCommands,
  known: Known,
  after: string,
  count: number,
  patience: Patience,
): Promise<{ next: string; reports: Report[] }> {
  const args = [after, count, known.islands, MAX_REPORT_BYTES, MAX_REPORTS_BYTES];
  const reply = await commands.run(READ_REPORTS, [experimentKeys(known.name).reports], args, patience);
  const [rubbish, next, ...found] = asArray(reply);
  commands.rubbish += asCount(rubbish);
  const reports: Report[] = [];
  for (let k = 0; k + 1 < found.length; k += 2) {
    const text = asText(found[k + 1]);
    if (text === undefined) commands.rubbish++;
    else reports.push({ island: asCount(found[k]), text });
  }
  return { next: asText(next) ?? after, reports };
}

/** Looks until there is a report or the time is over, and at once again while there was only rubbish. */
async function awaitReports(
  commands: RedisCommands,
  known: Known,
  after: string,
  { wait, count, ...patience }: { wait: number; count: number } & Patience,
): Promise<{ next: string; reports: Report[] }> {
  checkReportId(after);
  const end = performance.now() + wait;
  for (let from = after; ; ) {
    const found = await readReports(commands, known, from, count, patience);
    const left = end - performance.now();
    if (found.reports.length > 0 || left <= 0 || patience.signal?.aborted === true) return found;
    if (found.next === from) await sleep(Math.min(left, POLL_INTERVAL));
    from = found.next;
  }
}

async function trimReports(commands: RedisCommands, known: Known, upTo: string, patience?: Patience): Promise<void> {
  checkReportId(upTo);
  const [ms = '0', sequence = '0'] = upTo.split('-');
  const oldest = `${ms}-${BigInt(sequence) + 1n}`;
  const reply = await commands.run(TRIM_REPORTS, [experimentKeys(known.name).reports], [oldest], patience);
  commands.rubbish += asCount(asArray(reply)[0]);
}

// --- An experiment ----------------------------------------------------------------------------------------------------

async function enqueue({ commands, queue }: Place, known: Known, patience?: Patience): Promise<void> {
  const { about, states, stop, reports, pool, sizes, checkpoint } = experimentKeys(known.name);
  const used = [about, states, stop, reports, pool, sizes];
  const beginning = checkpoint(0).slice(0, -1);
  const fields = ['id', known.id, 'created', known.created, ...describedFields(known)];
  const args = [known.id, LIFETIME, beginning, known.islands, ...fields];
  const [rubbish, lives] = asArray(await commands.run(RESTORE, used, args, patience));
  commands.rubbish += asCount(rubbish);
  if (lives !== 1) throw new RedisMistake(`${commands.url}: the experiment ${known.name} is gone`);
  const progress = await readProgress(commands, known, patience);
  const islands = [...progress.states.keys()].filter((island) => progress.states[island]?.isDone !== true);
  if (progress.stop === null) await queueIslands(commands, queue, known, islands, patience);
}

async function setStop(commands: RedisCommands, known: Known, reason: string, patience?: Patience): Promise<void> {
  const { about, states, stop } = experimentKeys(known.name);
  const args = [known.id, LIFETIME, reason.slice(0, MAX_REASON_LENGTH)];
  const [rubbish] = asArray(await commands.run(STOP, [about, states, stop], args, patience));
  commands.rubbish += asCount(rubbish);
}

function makeExperiment(place: Place, known: Known): Experiment {
  const { commands, queue } = place;
  const { id, name, config, islands, format, evozero, created } = known;
  const claimed = { id, name, islands, keys: experimentKeys(name) };
  return {
    name,
    config,
    islands,
    format,
    evozero,
    created,
    enqueue: (patience) => enqueue(place, known, patience),
    claim: async (island, patience) => {
      if (!Number.isInteger(island) || island < 0 || island >= islands)
        throw new RangeError(`there is no island ${island}`);
      return claimIsland(commands, claimed, island, patience);
    },
    setStop: (reason, patience) => setStop(commands, known, reason, patience),
    cancel: async (reason, patience) => {
      await setStop(commands, known, reason, patience);
      const { waiting } = await surveyQueue(commands, known, patience);
      await removeIslands(commands, queue, known, [...waiting], patience);
    },
    status: (patience) => readStatus(commands, known, patience),
    readReports: (after, options) => awaitReports(commands, known, after, options),
    trimReports: (upTo, patience) => trimReports(commands, known, upTo, patience),
    remove: async (patience) => {
      await removeExperiment(place, name, patience);
    },
  };
}

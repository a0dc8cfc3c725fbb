// One worker's hold on an island: saving it and exchanging programs, both under the token of the claim, so that a worker that
// has lost the island cannot disturb the one that has it now. Must not know what checkpoints and programs are.
import { randomInt } from 'node:crypto';
import type { Claim, Exchange, Exchanged, Patience, Save } from './redis-api.js';
import { type RedisCommands, toArgument } from './redis-commands.js';
import { RedisMistake } from './redis-errors.js';
import { EXCHANGE } from './redis-exchange-script.js';
import {
  type ExperimentKeys,
  LIFETIME,
  MAX_CHECKPOINT_BYTES,
  MAX_PROGRAM_BYTES,
  MAX_PROGRAMS,
  MAX_REPORT_BYTES,
  MAX_REPORTS_BYTES,
} from './redis-keys.js';
import { asArray, asCount, asText, bestText, textToCount } from './redis-replies.js';
import { CLAIM, SAVE } from './redis-scripts.js';

/** Where the claimed islands are. */
export interface ClaimedExperiment {
  readonly name: string;
  readonly id: string;
  readonly islands: number;
  readonly keys: ExperimentKeys;
}

function refuse(what: string): never {
  throw new RangeError(`${what}; nothing was sent`);
}

function checkSave({ checkpoint, reports }: Save): void {
  if (checkpoint.byteLength > MAX_CHECKPOINT_BYTES)
    refuse(`a checkpoint of ${checkpoint.byteLength} bytes is too large`);
  const sizes = reports.map((report) => Buffer.byteLength(report));
  if (sizes.some((size) => size > MAX_REPORT_BYTES)) refuse(`a report has more than ${MAX_REPORT_BYTES} bytes`);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MAX_REPORTS_BYTES) refuse(`the reports of one save have ${total} bytes, more than ${MAX_REPORTS_BYTES}`);
}

function isProgram(bytes: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && bytes.byteLength > 0 && bytes.byteLength <= MAX_PROGRAM_BYTES;
}

function checkExchange({ upload, wanted, round }: Exchange): void {
  if (upload.length > MAX_PROGRAMS || wanted > MAX_PROGRAMS) refuse(`at most ${MAX_PROGRAMS} programs go up or down`);
  if (!upload.every(isProgram)) refuse(`a program has 1 to ${MAX_PROGRAM_BYTES} bytes`);
  if (!Number.isSafeInteger(round) || round < 1) refuse('rounds count from 1');
}

function makeSave(commands: RedisCommands, { id, keys }: ClaimedExperiment, island: number, token: number) {
  let sequence = 0;
  /** Reports of this claim that are known to be published. */
  let published = 0;
  return async (save: Save, patience?: Patience): Promise<{ owned: boolean }> => {
    checkSave(save);
    const { counts, checkpoint, reports, isDone = false } = save;
    const done = isDone ? '1' : '0';
    const place = [id, LIFETIME, island, token, ++sequence, published];
    const args = [...place, done, counts.algorithms, bestText(counts.best), toArgument(checkpoint), ...reports];
    const used = [keys.about, keys.states, keys.stop, keys.checkpoint(island), keys.reports];
    const [rubbish, owned] = asArray(await commands.run(SAVE, used, args, patience));
    commands.rubbish += asCount(rubbish);
    published += reports.length;
    return { owned: owned === 1 };
  };
}

/** In milliseconds: so often an exchange takes the long way, which renews lifetimes and mends what it can. */
const LONG_WAY = 3600 * 1000;

/** Of the programs that there may be: with fewer, the script is quicker. */
const LEAST_FILLED = 0.4;

function tokenOf(state: unknown): number {
  return textToCount(/^\d{1,16}/.exec(asText(state) ?? '')?.[0] ?? '') ?? 0;
}

/**
 * Plain commands, sent at once, do an exchange at a third of what the script costs Redis. Whatever is not as it should be is left to
 * the script.
 */
function makeExchange(
  commands: RedisCommands,
  { id, islands, keys }: ClaimedExperiment,
  island: number,
  token: number,
) {
  /** How many programs of this island are in the pool; not known before the script has been there. */
  let uploaded: number | undefined;
  let scriptRanAt = Number.NEGATIVE_INFINITY;

  const runScript = async ({ upload, wanted, round }: Exchange, patience?: Patience): Promise<Exchanged> => {
    const place = [id, LIFETIME, island, islands, token, round];
    const args = [...place, wanted, randomInt(2 ** 31), ...upload.map(toArgument)];
    const used = [keys.about, keys.states, keys.stop, keys.pool, keys.sizes];
    const [rubbish, owned, stop, ...found] = asArray(await commands.run(EXCHANGE, used, args, patience));
    const programs = found.filter(isProgram);
    commands.rubbish += asCount(rubbish) + found.length - programs.length;
    uploaded = upload.length;
    scriptRanAt = performance.now();
    return { programs, stop: asText(stop) ?? null, owned: owned === 1 };
  };

  /** Programs that there may be, each as likely as any other: whether they are there is seen when they are asked for. */
  const drawFields = (count: number, largest: number): string[] =>
    Array.from({ length: count }, () => `${randomInt(islands)}:${randomInt(largest)}`);
  /** Of what was asked for, the part that was there the last time. */
  let filled = 1;

  /** Nothing if the script must do it. HRANDFIELD would give some programs three times as often as others. */
  const runCommands = async (exchange: Exchange, patience?: Patience): Promise<Exchanged | undefined> => {
    const { upload, wanted, largest = upload.length } = exchange;
    const asked = Math.ceil(wanted / filled);
    const fields = upload.flatMap((program, k) => [`${island}:${k}`, toArgument(program)]);
    const replies = await commands.batch(
      [
        ['HGET', keys.about, 'id'],
        ['GET', keys.stop],
        ['HGET', keys.states, island],
        ['HSET', keys.pool, ...fields],
        ['PEXPIRE', keys.pool, LIFETIME],
        ['HMGET', keys.pool, ...drawFields(asked, largest)],
      ],
      patience,
    );
    const [experiment, stop, state, , , drawn] = replies;
    if (replies.some((reply) => reply instanceof Error)) return undefined;
    // It has been removed in the meantime, and must not leave anything behind.
    if (experiment === null) await commands.command('UNLINK', [keys.pool], patience);
    if (asText(experiment) !== id) return undefined;
    if (tokenOf(state) > token) return { programs: [], stop: asText(stop) ?? null, owned: false };
    const found = asArray(drawn);
    const programs = found.filter(isProgram);
    // A little more the next time than would have been enough.
    filled = Math.max(
      LEAST_FILLED,
      Math.min(1, 0.8 * (programs.length / asked) + (programs.length === asked ? 0.2 : 0)),
    );
    const isRubbish = found.some((value) => value !== null && !isProgram(value));
    if (isRubbish || programs.length < wanted) return undefined;
    return { programs: programs.slice(0, wanted), stop: asText(stop) ?? null, owned: true };
  };

  return async (exchange: Exchange, patience?: Patience): Promise<Exchanged> => {
    checkExchange(exchange);
    const { upload, wanted } = exchange;
    const isPlain = upload.length === uploaded && upload.length > 0 && wanted > 0;
    const isDue = performance.now() - scriptRanAt > LONG_WAY;
    if (!isPlain || isDue) return runScript(exchange, patience);
    return (await runCommands(exchange, patience)) ?? runScript(exchange, patience);
  };
}

export async function claimIsland(
  commands: RedisCommands,
  experiment: ClaimedExperiment,
  island: number,
  patience?: Patience,
): Promise<Claim> {
  const { id, keys } = experiment;
  const used = [keys.about, keys.states, keys.stop, keys.checkpoint(island)];
  const args = [id, LIFETIME, island, MAX_CHECKPOINT_BYTES];
  const reply = asArray(await commands.run(CLAIM, used, args, patience));
  const [rubbish, tokenText, done, algorithms, stop, checkpoint] = reply;
  commands.rubbish += asCount(rubbish);
  const token = asCount(tokenText);
  if (token === 0) throw new RedisMistake(`${commands.url}: the experiment ${experiment.name} is gone`);
  const isDone = done === 1;
  return {
    island,
    token,
    ...(Buffer.isBuffer(checkpoint) ? { checkpoint } : {}),
    isCheckpointLost: !Buffer.isBuffer(checkpoint) && (isDone || asCount(algorithms) > 0),
    isDone,
    stop: asText(stop) ?? null,
    save: makeSave(commands, experiment, island, token),
    exchange: makeExchange(commands, experiment, island, token),
  };
}

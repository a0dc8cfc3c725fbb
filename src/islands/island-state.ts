// What must survive the worker of an island: where its search is, as bytes, and back. Without what it remembers of programs it has seen,
// which is large, and only saves time. What comes back may be anything. Must not know where bytes are kept.
import * as z from 'zod';
import type { Config } from '../experiment/config.js';
import type { SavedIsland } from '../experiment/island.js';
import { readSnapshot, type Snapshot, takeSnapshot } from '../experiment/snapshot.js';
import { type PackedPrograms, unpackPrograms } from '../program/packed-programs.js';
import { decodeCheckpoint, encodeCheckpoint } from '../runs/checkpoint-file.js';
import { ISLAND_FORMAT, isOfSearch } from './migrant-bytes.js';

export interface IslandState {
  /** From 1 on. */
  readonly experiment: number;
  /** What the experiments before took. */
  readonly algorithms: number;
  readonly trainSteps: number;
  /** Nothing at the beginning of an experiment. */
  readonly island: SavedIsland | null;
}

export const FIRST_STATE: IslandState = { experiment: 1, algorithms: 0, trainSteps: 0, island: null };

const NO_CACHE = { keys: new Int32Array(0), values: new Float64Array(0) };

function withoutCaches(island: SavedIsland): SavedIsland {
  const { experiment } = island;
  const evaluator = { ...experiment.evaluator, canonical: NO_CACHE, fingerprints: NO_CACHE };
  return { ...island, experiment: { ...experiment, evaluator } };
}

export function encodeState(state: IslandState): Uint8Array {
  const island = state.island === null ? null : withoutCaches(state.island);
  return Buffer.concat(encodeCheckpoint(takeSnapshot({ ...state, island }), ISLAND_FORMAT));
}

// --- Reading -----------------------------------------------------------------------------------------------------------

const amount = z.number().nonnegative();
const floats = z.instanceof(Float64Array);
const words = z.instanceof(Int32Array);
const packed = z.strictObject({ lengths: words, words, indices: words, constants: floats });
const lines = z.strictObject({ numbers: floats, programs: packed });
const cache = z.strictObject({ keys: words, values: floats });

const STATE = z.strictObject({
  experiment: z.int().positive(),
  algorithms: amount,
  trainSteps: amount,
  island: z
    .strictObject({
      random: z.array(z.int()).length(4),
      lastBestAt: amount,
      migration: z.strictObject({
        migrations: amount,
        sent: amount,
        received: amount,
        judged: amount,
        refused: amount,
      }),
      experiment: z.strictObject({
        method: z.strictObject({
          proposed: amount,
          random: z.array(z.int()).length(4),
          members: z.strictObject({
            first: z.int().nonnegative(),
            ids: floats,
            fitnesses: floats,
            atHurdles: floats,
            lines,
            lineOf: words,
            programs: packed,
          }),
        }),
        evaluator: z.strictObject({ counts: z.record(z.string(), amount), canonical: cache, fingerprints: cache }),
        bestLine: lines,
        bestHash: z.string(),
        rescued: amount,
        hurdles: floats,
      }),
    })
    .nullable(),
});

function isSound(programs: PackedPrograms, config: Config): boolean {
  const { lengths, words, indices, constants } = programs;
  let total = 0;
  for (const length of lengths) {
    if (length < 0) return false;
    total += length;
  }
  const fits = words.length === total && indices.length === total && constants.length === 2 * total;
  return fits && unpackPrograms(programs).every((program) => isOfSearch(program, config));
}

/** Each step points to one before it. */
function areSoundLines({ numbers, programs }: z.infer<typeof lines>, config: Config): boolean {
  const STEP = 6;
  const PREVIOUS = 3;
  for (let k = 0; STEP * k < numbers.length; k++) if (numbers[STEP * k + PREVIOUS]! >= k) return false;
  return programs.lengths.length === numbers.length && isSound(programs, config);
}

/** Nothing if the bytes are no state of an island of this search. */
export function decodeState(bytes: Uint8Array, config: Config): IslandState | undefined {
  let snapshot: Snapshot;
  try {
    snapshot = decodeCheckpoint(new Uint8Array(bytes), ISLAND_FORMAT);
  } catch {
    return undefined;
  }
  const { success, data } = STATE.safeParse(readSnapshot(snapshot));
  if (!success) return undefined;
  if (data.island === null) return data as IslandState;
  const { method, bestLine } = data.island.experiment;
  const { members } = method;
  const count = members.ids.length;
  const isConsistent =
    count <= config.search.population &&
    members.first < Math.max(1, config.search.population) &&
    members.fitnesses.length === count &&
    members.lineOf.length === count &&
    members.programs.lengths.length === 3 * count &&
    [...members.lineOf].every((line) => line >= 0 && 6 * line < members.lines.numbers.length) &&
    areSoundLines(members.lines, config) &&
    areSoundLines(bestLine, config) &&
    isSound(members.programs, config);
  return isConsistent ? (data as unknown as IslandState) : undefined;
}

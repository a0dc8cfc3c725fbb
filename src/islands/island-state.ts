// What must survive the worker of an island: where its search is, as bytes, and back. Without what it remembers of programs it has seen,
// which is large, and only saves time. What comes back may be anything. Must not know where bytes are kept.
import * as z from 'zod';
import { ORIGINS, restoreLines, type SavedLines } from '../evolve/lineage.js';
import type { Config } from '../experiment/config.js';
import type { SavedIsland } from '../experiment/island.js';
import { readSnapshot, type Snapshot, takeSnapshot } from '../experiment/snapshot.js';
import { type PackedPrograms, unpackPrograms } from '../program/flat/packed-programs.js';
import { decodeCheckpoint, encodeCheckpoint } from '../runs/checkpoint-file.js';
import { identifySearch } from './identify-search.js';
import { ISLAND_FORMAT, isOfSearch } from './migrant-bytes.js';
import { amount, counts, migration } from './report-parts.js';

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

/** Whose state it is. */
export interface StateOwner {
  /** That of its group. */
  readonly config: Config;
  readonly island: number;
}

function identify({ config, island }: StateOwner): string {
  return `${identifySearch(config)}/${island}`;
}

export function encodeState(state: IslandState, owner: StateOwner): Uint8Array {
  const island = state.island === null ? null : withoutCaches(state.island);
  const snapshot = takeSnapshot({ owner: identify(owner), ...state, island });
  return Buffer.concat(encodeCheckpoint(snapshot, ISLAND_FORMAT));
}

// --- Reading -----------------------------------------------------------------------------------------------------------

const floats = z.instanceof(Float64Array);
const words = z.instanceof(Int32Array);
const packed = z.strictObject({ lengths: words, words, indices: words, constants: floats });
const lines = z.strictObject({ numbers: floats, programs: packed });
const cache = z.strictObject({ keys: words, values: floats });

const STATE = z.strictObject({
  owner: z.string(),
  experiment: z.int().positive(),
  algorithms: amount,
  trainSteps: amount,
  island: z
    .strictObject({
      random: z.array(z.int()).length(4),
      lastBestAt: amount,
      migration,
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
        evaluator: z.strictObject({ counts, canonical: cache, fingerprints: cache }),
        bestLine: lines,
        bestHash: z.string(),
        rescued: amount,
        hurdles: floats,
      }),
    })
    .nullable(),
});

/** As many as the lengths of their functions say. */
function areWhole({ lengths, words, indices, constants }: PackedPrograms): boolean {
  let total = 0;
  for (const length of lengths) {
    if (length < 0) return false;
    total += length;
  }
  return words.length === total && indices.length === total && constants.length === 2 * total;
}

function areSound(programs: PackedPrograms, config: Config): boolean {
  return areWhole(programs) && unpackPrograms(programs).every((program) => isOfSearch(program, config));
}

/** Each step has an origin, and points to one before it. */
function areSoundLines(saved: SavedLines, config: Config): boolean {
  const { numbers, programs } = saved;
  const STEP = { numbers: 6, origin: 2, previous: 3 };
  if (programs.lengths.length !== numbers.length || !areWhole(programs)) return false;
  for (let k = 0; STEP.numbers * k < numbers.length; k++) {
    const [origin, previous] = [numbers[STEP.numbers * k + STEP.origin]!, numbers[STEP.numbers * k + STEP.previous]!];
    if (ORIGINS[origin] === undefined) return false;
    if (!Number.isInteger(previous) || previous < -1 || previous >= k) return false;
  }
  return restoreLines(saved).every(
    ({ program, parent }) =>
      isOfSearch(program, config) && (parent === undefined || isOfSearch(parent.program, config)),
  );
}

function isConsistent({ island }: Omit<z.infer<typeof STATE>, 'owner'>, config: Config): boolean {
  if (island === null) return true;
  const { method, bestLine } = island.experiment;
  const { members } = method;
  const count = members.ids.length;
  return (
    count <= config.search.population &&
    members.first < Math.max(1, config.search.population) &&
    members.fitnesses.length === count &&
    members.lineOf.length === count &&
    members.programs.lengths.length === 3 * count &&
    [...members.lineOf].every((line) => line >= 0 && 6 * line < members.lines.numbers.length) &&
    areSoundLines(members.lines, config) &&
    areSoundLines(bestLine, config) &&
    areSound(members.programs, config)
  );
}

/** Nothing if the bytes are no state of this island. */
export function decodeState(bytes: Uint8Array, owner: StateOwner): IslandState | undefined {
  let snapshot: Snapshot;
  try {
    snapshot = decodeCheckpoint(new Uint8Array(bytes), ISLAND_FORMAT);
  } catch {
    return undefined;
  }
  const { success, data } = STATE.safeParse(readSnapshot(snapshot));
  if (!success || data.owner !== identify(owner)) return undefined;
  const { owner: _, ...state } = data;
  return isConsistent(state, owner.config) ? (state as IslandState) : undefined;
}

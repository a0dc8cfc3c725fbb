// Which tasks make up a set, by name (paper, supplement "Tasks"): families of regression tasks; pairs of classes times
// projections to search and to select on, all pixels and test images for the final evaluation. Must not know files.
import { nearest } from '../util/nearest.js';
import { quote } from '../util/quote.js';
import { deriveSeed, RandomStream } from '../util/random.js';
import { shuffle } from '../util/shuffle.js';
import { DataError } from './data-error.js';
import { type DatasetName, datasetNames } from './datasets.js';
import type { ImageTaskKind } from './image-task.js';
import { REGRESSION_FAMILIES, type RegressionFamily } from './regression.js';

/** The embedded images, besides the published data sets. */
export const DIGITS = 'digits';

export type ImageDatasetName = DatasetName | typeof DIGITS;

/** 'tune' has the tasks of 'final' but for the test images, so that constants can be tuned for these. */
const ROLES = ['search', 'select', 'final', 'tune'] as const;
type Role = (typeof ROLES)[number];

/** Whether images are taken whole. */
export function isWhole(role: ImageTaskSet['role']): boolean {
  return role === 'final' || role === 'tune';
}

/** A set of tasks made of images. */
export interface ImageTaskSet {
  readonly dataset: ImageDatasetName;
  readonly kind: ImageTaskKind;
  /** 'all': every pair or projection, to search and to select, with training images only. */
  readonly role: Role | 'all';
}

/** A set of synthetic regression tasks. */
export interface RegressionTaskSet {
  readonly family: RegressionFamily;
  /** Sets of different roles have no task in common, whatever the seed. */
  readonly role: Role | 'all';
}

/** A set of tasks, as its name says. */
export type TaskSet = RegressionTaskSet | ImageTaskSet;

export const CLASS_COUNT = 10;

// --- Names -------------------------------------------------------------------------------------------------------------

/** Every name, in its full form. */
export function taskSetNames(): string[] {
  const images = [...datasetNames(), DIGITS].flatMap((dataset) =>
    ['binary', 'multiclass'].flatMap((kind) => ROLES.map((role) => `${dataset}-${kind}-${role}`)),
  );
  const families = Object.keys(REGRESSION_FAMILIES);
  return [...families, ...families.flatMap((family) => ROLES.map((role) => `${family}-${role}`)), DIGITS, ...images];
}

const REGRESSION_SET = new RegExp(`^(${Object.keys(REGRESSION_FAMILIES).join('|')})(?:-(${ROLES.join('|')}))?$`);

const IMAGE_SET = new RegExp(
  `^(${[...datasetNames(), DIGITS].join('|')})(?:-(binary|multiclass))?-(${ROLES.join('|')})$`,
);

/** The set of a name, such as `linear`, `linear-select`, `cifar10-binary-select` or, the same, `cifar10-select`. */
export function parseTaskSet(name: string): TaskSet {
  const [, family, regressionRole = 'all'] = REGRESSION_SET.exec(name) ?? [];
  if (family !== undefined) return { family: family as RegressionFamily, role: regressionRole as Role | 'all' };
  if (name === DIGITS) return { dataset: DIGITS, kind: 'binary', role: 'all' };
  const [, dataset, kind, role] = IMAGE_SET.exec(name) ?? [];
  if (dataset === undefined) {
    const guess = nearest(name, taskSetNames());
    const hint =
      guess === undefined
        ? `expected ${Object.keys(REGRESSION_FAMILIES).join(', ')}, digits, DATASET-binary-select or a file that ends in .csv or .tsv`
        : `did you mean ${guess}?`;
    throw new DataError(`${quote(name)}: no such set of tasks; ${hint}`);
  }
  return {
    dataset: dataset as ImageDatasetName,
    kind: (kind ?? 'binary') as ImageTaskKind,
    role: role as Role,
  };
}

// --- Pairs and projections ---------------------------------------------------------------------------------------------

type Pair = readonly [number, number];

export const PAIRS: readonly Pair[] = Array.from({ length: CLASS_COUNT }, (_, a) =>
  Array.from({ length: CLASS_COUNT - 1 - a }, (_, k): Pair => [a, a + 1 + k]),
).flat();

/** The pairs that the released baseline keeps for selection. */
const RELEASED_SELECT_PAIRS = ['05', '09', '18', '29', '35', '36', '38', '46', '89'];

const PROJECTIONS: Readonly<Record<ImageTaskKind, number>> = { binary: 100, multiclass: 1000 };
/** Parts of PAIRS and of the projections of multi-class tasks that are searched on. */
const SEARCH_PART = 0.8;

/** What is searched on and what is kept for selection: the released split of pairs, or one drawn from a seed. */
export type PairSplit = 'released' | number;

/** What a seed draws, each from a stream of its own. */
const DRAW = { split: 1, rounds: 2, projections: 3, data: 4, program: 5, role: 6 };
const KIND_NUMBER: Readonly<Record<ImageTaskKind, number>> = { binary: 0, multiclass: 1 };

function range(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}

function shuffled<T>(items: readonly T[], ...path: readonly number[]): T[] {
  const copy = [...items];
  shuffle(copy, new RandomStream(...path));
  return copy;
}

/** The items of a role: the first part to search, the rest to select and for the final evaluation. */
function partOf<T>(items: readonly T[], role: ImageTaskSet['role']): readonly T[] {
  const searched = Math.round(SEARCH_PART * items.length);
  if (role === 'all') return items;
  return role === 'search' ? items.slice(0, searched) : items.slice(searched);
}

/** The pairs of a role. The final evaluation is on the pairs that were never searched on. */
export function pairsOf(role: ImageTaskSet['role'], split: PairSplit): readonly Pair[] {
  const isSelected = ([a, b]: Pair) => RELEASED_SELECT_PAIRS.includes(`${a}${b}`);
  const ordered =
    split === 'released'
      ? [...PAIRS.filter((pair) => !isSelected(pair)), ...PAIRS.filter(isSelected)]
      : shuffled(PAIRS, split, DRAW.split, KIND_NUMBER.binary);
  return partOf(ordered, role);
}

function projectionsOf({ kind, role }: ImageTaskSet, split: PairSplit): readonly number[] {
  const all = range(PROJECTIONS[kind]);
  // Whole images have no projections: there, these numbers tell draws of the training examples apart.
  if (kind === 'binary' || isWhole(role)) return all;
  return partOf(split === 'released' ? all : shuffled(all, split, DRAW.split, KIND_NUMBER.multiclass), role);
}

/** The seed of a role's regression tasks: another for each role, so that what was searched on is never selected on. */
export function regressionSeed({ role }: RegressionTaskSet, seed: number): number {
  return role === 'all' ? seed : deriveSeed(seed, DRAW.role, ROLES.indexOf(role));
}

/** The classes of tasks: pairs, or all of them. */
function groupsOf({ kind, role }: ImageTaskSet, split: PairSplit): readonly (readonly number[])[] {
  return kind === 'binary' ? pairsOf(role, split) : [range(CLASS_COUNT)];
}

/** How many different tasks a set has. */
export function sizeOf(set: ImageTaskSet, split: PairSplit): number {
  return groupsOf(set, split).length * projectionsOf(set, split).length;
}

/** One task of a set. */
interface DrawnTask {
  readonly classes: readonly number[];
  readonly projection: number;
  /** Draws the examples and the projection: the same for everyone, whatever the seed of the draw. */
  readonly dataSeed: number;
  /** Keys the random ops of programs. */
  readonly programSeed: number;
}

/**
 * `count` different tasks of a set, in a random order. Pairs come in rounds, so that after any number of tasks each has had
 * its turn as often as any other, give or take one.
 */
export function drawTasks(set: ImageTaskSet, count: number, seed: number, split: PairSplit): DrawnTask[] {
  const projections = projectionsOf(set, split);
  const groups = groupsOf(set, split);
  const size = sizeOf(set, split);
  if (count > size) {
    const [have, asked] = [size, count].map((n) => n.toLocaleString('en-US'));
    throw new DataError(`${set.dataset}, ${set.kind}, ${set.role}: has ${have} tasks, and ${asked} were asked for`);
  }
  const orders = new Map(
    groups.map((group) => [group, shuffled(projections, seed, DRAW.projections, group[0]!, group[1]!)]),
  );
  const tasks: DrawnTask[] = [];
  for (let round = 0; tasks.length < count; round++) {
    for (const classes of shuffled(groups, seed, DRAW.rounds, round).slice(0, count - tasks.length)) {
      const projection = orders.get(classes)![round]!;
      const path = [KIND_NUMBER[set.kind], classes[0]!, classes[1]!, projection];
      tasks.push({
        classes,
        projection,
        dataSeed: deriveSeed(DRAW.data, ...path),
        programSeed: deriveSeed(seed, DRAW.program, ...path),
      });
    }
  }
  return tasks;
}

// Tasks made of a table for fitting: each a split of its own, whose training rows come several times, in another order each time.
// Several epochs without a validation in between: exactly what the final training does. Must not know why programs are tried.
import type { Examples, Task } from '../../engine/engine.js';
import { ownFloats } from '../../tasks/allocate.js';
import type { OpenedTasks } from '../../tasks/open-tasks.js';
import type { TableEncoding } from '../../tasks/tabular/encoding.js';
import { fitColumns, fitFeatures, fitTarget } from '../../tasks/tabular/fit.js';
import { standardize } from '../../tasks/tabular/scaling.js';
import { type ReadTable, splitTable } from '../../tasks/tabular/tabular.js';
import { allocateTask } from '../../tasks/task-memory.js';
import { deriveSeed, RandomStream } from '../../util/random.js';
import { shuffle } from '../../util/shuffle.js';

/** What a seed draws, each from a stream of its own. */
const DRAW = { order: 3, projection: 4, epochs: 5 };

/** Writes `count` examples `epochs` times: first as they are, then in another order each time. */
function writeEpochs({ features, labels }: Examples, count: number, epochs: number, seed: number, out: Examples): void {
  const F = out.features.length / out.count;
  const order = Array.from({ length: count }, (_, k) => k);
  const random = new RandomStream(seed);
  for (let epoch = 0, at = 0; epoch < epochs; epoch++) {
    if (epoch > 0) shuffle(order, random);
    for (const k of order) {
      out.features.set(features.subarray(k * F, (k + 1) * F), at * F);
      out.labels[at++] = labels[k]!;
    }
  }
}

export interface SplitRequest {
  /** How many splits. */
  readonly count: number;
  readonly seed: number;
  /** Rows to train on and to validate on, at most. */
  readonly maxRows: number;
  readonly epochs: number;
}

export function openSplits(read: ReadTable, request: SplitRequest): OpenedTasks {
  const { count, seed, maxRows, epochs } = request;
  const { features } = read;
  const make = (index: number): Task => {
    const { task } = splitTable(read, deriveSeed(seed, index));
    const rows = Math.min(maxRows, task.train.count);
    const shape = { features, trainCount: rows * epochs, validCount: Math.min(maxRows, task.valid.count) };
    const { train, valid } = allocateTask(shape, ownFloats);
    writeEpochs(task.train, rows, epochs, deriveSeed(task.seed, DRAW.epochs), train);
    writeEpochs(task.valid, valid.count, 1, 0, valid);
    return { ...task, train, valid };
  };
  const first = make(0);
  return {
    loss: first.loss,
    features,
    count,
    trainCount: first.train.count,
    validCount: first.valid.count,
    at: async (index) => (index === 0 ? first : make(index)),
  };
}

/** All rows, encoded, to train on at the end. */
export interface AllRows {
  readonly encoding: TableEncoding;
  readonly epochs: (epochs: number) => Examples;
  /** Keys the random ops. */
  readonly seed: number;
}

export function encodeAll(read: ReadTable, seed: number): AllRows {
  const { target, columns: inferred, missing, maxCategories, features } = read;
  const items = [...target.rows.keys()];
  shuffle(items, new RandomStream(seed, DRAW.order));
  const { columns, cells } = fitColumns(inferred, items, maxCategories);
  const numbers = new Float64Array(items.length * features);
  const encoding = fitFeatures(
    { missing, columns, target: fitTarget(read.targetName, target, items), features },
    { cells, items },
    deriveSeed(seed, DRAW.projection),
    numbers,
  );
  const labelOf = (item: number) => {
    const label = target.labels[item]!;
    return encoding.target.kind === 'regression' ? standardize(label, encoding.target.scaling) : label;
  };
  const once: Examples = { count: items.length, features: numbers, labels: Float64Array.from(items, labelOf) };
  return {
    encoding,
    seed,
    epochs: (epochs) => {
      const shape = { features, trainCount: items.length * epochs, validCount: 0 };
      const { train } = allocateTask(shape, ownFloats);
      writeEpochs(once, items.length, epochs, deriveSeed(seed, DRAW.epochs), train);
      return train;
    },
  };
}

// Opens a set of tasks by name: the one place where names, files and the cache meet. Tasks are made one at a time, when they
// are asked for.
import { type Allocate, ownFloats } from '../tasks/allocate.js';
import { DataError } from '../tasks/data-error.js';
import { planImageTasks } from '../tasks/image-plan.js';
import { buildImageTask, type ImageTaskRecipe } from '../tasks/image-task.js';
import {
  type FileTaskSet,
  type NamedTaskRequest,
  needsFiles,
  type OpenedTasks,
  openBuiltinTasks,
  openPlan,
} from '../tasks/open-tasks.js';
import { readTable, splitTable, type TableOptions } from '../tasks/tabular/tabular.js';
import type { TaskMemory } from '../tasks/task-memory.js';
import { CLASS_COUNT, parseTaskSet } from '../tasks/task-sets.js';
import { printable } from '../util/quote.js';
import { deriveSeed } from '../util/random.js';
import { type CsvOptions, readCsv } from './csv.js';
import { cacheDirectory, dataDirectories } from './directories.js';
import { cacheTrouble, type DataPlaces, type ImagePart, openImagePart } from './image-part.js';
import { isSystemError } from './system-error.js';
import { TaskCache } from './task-cache.js';

/** How to read a table: what is in it, and what stands between its cells. */
export interface TableRequest extends TableOptions, Pick<CsvOptions, 'delimiter'> {}

/** Which tasks are wanted: a named set, or a table. */
export interface TaskRequest extends NamedTaskRequest {
  /** How to read a table, where `name` is the path of one. */
  readonly table?: TableRequest | undefined;
}

/** Where tasks come from and go to. */
export interface OpenOptions extends Partial<DataPlaces> {
  /** Makes the memory of tasks: of this thread, if not given, or shared. */
  readonly allocate?: Allocate;
}

/** Everything that decides the numbers of a task. Change `format` when the way from these to the numbers changes. */
function cacheKey(recipe: ImageTaskRecipe, train: ImagePart, valid: ImagePart): string {
  return TaskCache.key({ format: 1, train: train.checksums, valid: valid.checksums, recipe });
}

/** Keeps built tasks on disk as long as that works. */
class CachedTasks {
  private cache: TaskCache | undefined;
  private readonly places: DataPlaces;

  constructor(places: DataPlaces) {
    this.cache = new TaskCache(places.cache);
    this.places = places;
  }

  /** Fills the memory from the cache, or by `build`. */
  async get(key: string, { numbers }: TaskMemory, build: () => Promise<void>): Promise<void> {
    if (this.cache?.read(key, numbers) === true) return;
    await build();
    try {
      this.cache?.write(key, numbers);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.places.note(cacheTrouble(this.places.cache, error));
      this.cache = undefined;
    }
  }
}

async function openImages(
  set: FileTaskSet,
  request: TaskRequest,
  places: DataPlaces,
  allocate: Allocate,
): Promise<OpenedTasks> {
  const train = await openImagePart(set.dataset, 'train', places);
  const valid = set.role === 'final' ? await openImagePart(set.dataset, 'test', places) : train;
  const available = { train: train.classCounts, ...(valid === train ? {} : { valid: valid.classCounts }) };
  const plan = planImageTasks(set, request, available);
  const cached = new CachedTasks(places);
  const fill = async (recipe: ImageTaskRecipe, memory: TaskMemory): Promise<void> => {
    const build = async () => {
      const images = { train: await train.images(), valid: await valid.images() };
      buildImageTask({ name: set.dataset, ...images, classes: CLASS_COUNT }, recipe, memory);
    };
    // Whole images are as quickly copied as read, and would fill the cache.
    const isWorthIt = recipe.features !== undefined;
    await (isWorthIt ? cached.get(cacheKey(recipe, train, valid), memory, build) : build());
  };
  return openPlan(plan, allocate, fill);
}

/** Whether a name is the path of a table. */
export function isTablePath(name: string): boolean {
  return /\.(csv|tsv)(\.gz)?$/i.test(name);
}

/** Tasks of one table differ in what they train on and what they validate on. */
async function openTable(
  path: string,
  table: TableRequest,
  request: TaskRequest,
  allocate: Allocate,
): Promise<OpenedTasks> {
  const { count, seed, features } = request;
  const read = readTable(
    await readCsv(path, { delimiter: table.delimiter }),
    features === undefined ? table : { ...table, features },
  );
  const make = (index: number) => splitTable(read, deriveSeed(seed, index), allocate);
  const { task, report } = make(0);
  return {
    loss: task.loss,
    features: task.features,
    count,
    trainCount: report.trainRows,
    validCount: report.validRows,
    report,
    at: async (index) => (index === 0 ? task : make(index).task),
  };
}

/** A mistake in a program, rather than in a file or a flag. */
function checkRequest({
  count,
  seed,
  labelSeed = 0,
  features = 2,
  train = 1,
  valid = 1,
  split = 'released',
}: TaskRequest): void {
  const whole = { count: [count, 1], seed: [seed, 0], labelSeed: [labelSeed, 0], features: [features, 2] } as const;
  const more = { train: [train, 1], valid: [valid, 1], split: [split === 'released' ? 0 : split, 0] } as const;
  for (const [name, [value, least]] of Object.entries({ ...whole, ...more })) {
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(`${name}: expected a whole number of at least ${least}, not ${value}`);
    }
  }
}

/** Opens a set of tasks. Throws DataError where files are missing or wrong. */
export async function openTasks(request: TaskRequest, options: OpenOptions = {}): Promise<OpenedTasks> {
  checkRequest(request);
  const { allocate = ownFloats, ...given } = options;
  const places = {
    directories: dataDirectories(),
    cache: cacheDirectory(),
    isVerified: true,
    note: () => {},
    ...given,
  };
  const tasks = await openAny(request, places, allocate);
  const at = async (index: number) => {
    if (!(Number.isInteger(index) && index >= 0 && index < tasks.count))
      throw new RangeError(`there is no task ${index}`);
    return tasks.at(index);
  };
  return { ...tasks, at };
}

async function openAny(request: TaskRequest, places: DataPlaces, allocate: Allocate): Promise<OpenedTasks> {
  if (isTablePath(request.name)) {
    if (request.table === undefined)
      throw new DataError(`${printable(request.name)}: which column is to be predicted?`);
    return openTable(request.name, request.table, request, allocate);
  }
  const set = parseTaskSet(request.name);
  return needsFiles(set) ? openImages(set, request, places, allocate) : openBuiltinTasks(request, allocate);
}

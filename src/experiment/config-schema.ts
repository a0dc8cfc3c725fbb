// What a search is: the space of programs, how it is searched, on which tasks, and when it ends (paper, sections "Methods" and
// "Detailed Search Experiment Setups"). Everything that decides the result, and nothing else. Must not know files or YAML.
import * as z from 'zod';
import { MAX_FEATURES } from '../engine/engine.js';
import { FITNESS_KINDS } from '../evaluate/summary.js';
import { CONSTANT_CHANGES, MUTATION_NAMES, MUTATION_SETS, type MutationName } from '../evolve/mutations.js';
import { OPS } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import { parseTaskSet, taskSetNames } from '../tasks/task-sets.js';
import { quote } from '../util/quote.js';
import { suggest } from './config-error.js';

// --- Kinds of fields ---------------------------------------------------------------------------------------------------

function expected(what: string) {
  return ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `missing; expected ${what}` : `expected ${what}, not ${quote(input)}`;
}

function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most.toLocaleString('en-US')}`;
  const error = expected(`a whole number ${range}`);
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function positive() {
  const error = expected('a number above 0');
  return z.number({ error }).positive({ error });
}

function part() {
  const error = expected('a number from 0 to 1');
  return z.number({ error }).min(0, { error }).max(1, { error });
}

function percentile() {
  const error = expected('a number above 0 and below 100');
  return z.number({ error }).gt(0, { error }).lt(100, { error });
}

function choice<const T extends readonly string[]>(names: T) {
  return z.enum(names, { error: expected(names.map((name) => `"${name}"`).join(' or ')) });
}

/** An object without other fields than these. */
function object<T extends z.core.$ZodLooseShape>(shape: T, what = 'an object') {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    // One line for each unknown field; `readIssue` makes an issue of each.
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key: string) => `unknown field ${quote(key)}${suggest(key, known)}`).join('\n')
        : expected(`${what} with the fields ${known.join(', ')}`)(issue),
  });
}

const OP_ITEM = /^(\d+)(?:-(\d+))?$/;

/** The ops that an item of a list means: a name, a number of the paper's table, or a range of numbers. */
function readOps(item: unknown): readonly OpName[] | string {
  const text = String(item).trim();
  const [, first, last = first] = OP_ITEM.exec(text) ?? [];
  const ops =
    first === undefined
      ? OPS.filter(({ name }) => name === text)
      : Number(last) < OPS.length
        ? OPS.slice(Number(first), Number(last) + 1)
        : [];
  if (ops.length > 0) return ops.map(({ name }) => name as OpName);
  if (first !== undefined) return `no ops ${quote(text)}: they are numbered 0 to ${OPS.length - 1}`;
  const names = OPS.map(({ name }) => name);
  return `unknown op ${quote(text)}${suggest(text, names)}`;
}

const opList = z.unknown().transform((value, context): OpName[] => {
  const items = typeof value === 'string' ? value.split(',') : typeof value === 'number' ? [value] : value;
  const message = expected('a list of ops: names, numbers, or ranges such as "0-55"')({ input: value });
  if (!Array.isArray(items)) {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  const found = new Set<string>();
  for (const [k, item] of items.entries()) {
    const ops = typeof item === 'string' || typeof item === 'number' ? readOps(item) : message;
    if (typeof ops !== 'string') for (const op of ops) found.add(op);
    else context.addIssue({ code: 'custom', message: ops, path: Array.isArray(value) ? [k] : [] });
  }
  return OPS.filter(({ name }) => found.has(name)).map(({ name }) => name as OpName);
});

function isTaskSet(name: string): boolean {
  try {
    parseTaskSet(name);
    return true;
  } catch {
    return false;
  }
}

// --- The schema --------------------------------------------------------------------------------------------------------

/** A frozen function is not searched, so it needs no ops and no size. */
function fillFrozen(value: unknown): unknown {
  const isFrozen = typeof value === 'object' && value !== null && 'frozen' in value && value.frozen === true;
  return isFrozen ? { ops: [], min: 0, max: 0, ...value } : value;
}

const MAX_INSTRUCTIONS = 1000;
const MAX_EXAMPLES = 1_000_000;
const MAX_ADDRESSES = 100;
const MAX_POPULATION = 1_000_000;
export const MAX_ISLANDS = 100_000;

const functionSpace = z.preprocess(
  fillFrozen,
  object({
    ops: opList,
    min: whole(0, MAX_INSTRUCTIONS),
    max: whole(0, MAX_INSTRUCTIONS),
    frozen: z.boolean({ error: expected('true or false') }).default(false),
  }),
);

const weight = z.exactOptional(
  z
    .number({ error: expected('a number') })
    .min(0, { error: expected('0 or more') })
    .max(1e9, { error: expected('1e9 at most') }),
);

const mutations = z.preprocess(
  (value) =>
    typeof value === 'string' && Object.hasOwn(MUTATION_SETS, value)
      ? MUTATION_SETS[value as keyof typeof MUTATION_SETS]
      : value,
  object(
    {
      weights: object(
        Object.fromEntries(MUTATION_NAMES.map((name) => [name, weight])) as Record<MutationName, typeof weight>,
      ),
      constants: choice(CONSTANT_CHANGES),
    },
    `${Object.keys(MUTATION_SETS).join(', ')}, or an object`,
  ),
);

const programReferences = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z
    .array(z.string({ error: expected('empty, random, or a program') }), { error: expected('a list of programs') })
    .min(1, { error: 'expected at least one of empty, random, or programs' }),
);

const taskSet = z.string({ error: expected('the name of a set of tasks') }).refine(isTaskSet, {
  error: ({ input }) => `there is no set of tasks ${quote(input)}${suggest(String(input), taskSetNames())}`,
});

const tasks = object({
  set: taskSet,
  count: whole(1, 100_000),
  features: z.exactOptional(whole(2, MAX_FEATURES)),
  train: z.exactOptional(whole(1, MAX_EXAMPLES)),
  valid: z.exactOptional(whole(1, MAX_EXAMPLES)),
  epochs: whole(1, MAX_EXAMPLES).default(1),
  split: z.exactOptional(
    z.union([z.literal('released'), whole(0)], { error: expected('"released" or a whole number') }),
  ),
});

const hurdles = object({
  percentile: percentile().default(75),
  /** Examples of each task that a stage trains and validates on, and how often. */
  stages: z
    .array(
      object({
        train: whole(1, MAX_EXAMPLES),
        valid: whole(1, MAX_EXAMPLES),
        epochs: whole(1, MAX_EXAMPLES).default(1),
      }),
      { error: expected('a list of stages') },
    )
    .min(1, { error: 'expected at least one stage' }),
  /** One in so many candidates that were cut is evaluated in full all the same, to see what the hurdles cost. */
  audit: whole(1).default(256),
});

const limit = whole(1).nullable().default(null);

/** What groups of islands may do differently. */
const variant = object({
  set: z.exactOptional(taskSet),
  count: z.exactOptional(whole(1, 100_000)),
  features: z.exactOptional(whole(2, MAX_FEATURES)),
  train: z.exactOptional(whole(1, MAX_EXAMPLES)),
  valid: z.exactOptional(whole(1, MAX_EXAMPLES)),
  epochs: z.exactOptional(whole(1, MAX_EXAMPLES)),
  population: z.exactOptional(whole(1, MAX_POPULATION)),
});

const islands = object({
  /** null: one for each thread that searches. */
  count: whole(1, MAX_ISLANDS).nullable().default(null),
  /** Whether no island waits for another, so that the result depends on how fast each is. */
  async: z.boolean({ error: expected('true or false') }).default(false),
  /** The name of the experiment on a Redis, if that is where the islands are. */
  remote: z
    .string({ error: expected('a name') })
    .nullable()
    .default(null),
  migration: object({
    /** Every so many algorithms: each island has its own number in this range; null for 10 to 100 populations. */
    every: z
      .tuple([whole(1), whole(1)], { error: expected('two whole numbers') })
      .nullable()
      .default(null),
    /** Of the population. */
    part: part().default(0.5),
  })
    .nullable()
    .prefault({}),
  /** Each combination of one from every list is a group; islands are divided over the groups. */
  vary: z
    .array(
      z.array(variant, { error: expected('a list of variants') }).min(1, { error: 'expected at least one variant' }),
      {
        error: expected('a list of lists of variants'),
      },
    )
    .default([]),
});

export const CONFIG = object({
  name: z
    .string({ error: expected('a name') })
    .regex(/^[a-z0-9-]{1,64}$/, { error: expected('1 to 64 small letters, digits and hyphens') })
    .default('custom'),
  about: z.exactOptional(z.string({ error: expected('a text') })),
  seed: whole(0).default(0),
  precision: choice(['f64', 'f32']).default('f64'),
  space: object({
    memory: object({
      scalars: whole(2, MAX_ADDRESSES),
      vectors: whole(1, MAX_ADDRESSES),
      matrices: whole(0, MAX_ADDRESSES),
    }),
    setup: functionSpace,
    predict: functionSpace,
    learn: functionSpace,
    /** Every program of the search has its frozen functions. */
    base: z.exactOptional(z.string({ error: expected('a program') })),
  }),
  search: object({
    method: choice(['evolution', 'random']).default('evolution'),
    population: whole(1, MAX_POPULATION),
    tournament: whole(1),
    mutationProbability: part().default(0.9),
    mutations,
    /** The population takes them in turn. */
    initial: programReferences.prefault(['empty']),
  }),
  islands: islands.prefault({}),
  tasks: object({ search: tasks, select: tasks, final: tasks }),
  evaluation: object({
    fitness: choice(FITNESS_KINDS).default('median'),
    /** Times the cost of a plain network. */
    budget: positive().nullable().default(4),
    fingerprint: object({
      train: whole(1).default(10),
      valid: whole(1).default(10),
      tasks: whole(1).default(10),
      cache: whole(1, 10_000_000).default(100_000),
    })
      .nullable()
      .prefault({}),
    hurdles: hurdles.nullable().default(null),
  }).prefault({}),
  /** When each experiment ends; `noProgress` counts algorithms without a new best. */
  experiment: object({ algorithms: limit, steps: limit, noProgress: limit }).prefault({}),
  select: object({ at: choice(['new-best', 'end']).default('end') }).prefault({}),
  /** When the run ends; `fitness` is that on the tasks to select on. */
  stop: object({
    fitness: part().nullable().default(null),
    experiments: limit,
    algorithms: limit,
    steps: limit,
    minutes: positive().nullable().default(null),
  }).prefault({}),
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A whole configuration: every default filled in, every short form written out. */
export type Config = DeepReadonly<z.output<typeof CONFIG>>;
/** What somebody may write: defaults left out, ops by number, mutations by the name of a set. */
export type ConfigInput = z.input<typeof CONFIG>;

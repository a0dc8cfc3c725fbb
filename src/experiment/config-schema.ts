// What a search is: the space of programs, how it is searched, on which tasks, and when it ends (paper, sections "Methods" and
// "Detailed Search Experiment Setups"). Everything that decides the result, and nothing else. Must not know files or YAML.
import * as z from 'zod';
import { MAX_FEATURES } from '../engine/engine.js';
import { FITNESS_KINDS } from '../evaluate/summary.js';
import { CONSTANT_CHANGES, MUTATION_NAMES, MUTATION_SETS, type MutationName } from '../evolve/mutations.js';
import { METHOD_PARTS } from '../evolve/species-evolution.js';
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
export const SEARCH_METHODS = ['evolution', 'random', 'evozero'] as const;

const functionSpace = z.preprocess(
  fillFrozen,
  object({
    ops: opList.describe('the ops that random instructions have: names, numbers, or ranges such as "0-55"'),
    min: whole(0, MAX_INSTRUCTIONS).describe('fewest instructions'),
    max: whole(0, MAX_INSTRUCTIONS).describe('most instructions'),
    frozen: z
      .boolean({ error: expected('true or false') })
      .default(false)
      .describe('the function is that of `space.base` and never changes; it then needs no ops and no sizes'),
  }),
);

const weight = z
  .exactOptional(
    z
      .number({ error: expected('a number') })
      .min(0, { error: expected('0 or more') })
      .max(1e9, { error: expected('1e9 at most') }),
  )
  .describe('the weight of one mutation');

const mutations = z.preprocess(
  (value) =>
    typeof value === 'string' && Object.hasOwn(MUTATION_SETS, value)
      ? MUTATION_SETS[value as keyof typeof MUTATION_SETS]
      : value,
  object(
    {
      weights: object(
        Object.fromEntries(MUTATION_NAMES.map((name) => [name, weight])) as Record<MutationName, typeof weight>,
      ).describe('how likely each mutation is, relative to the others; those without a weight never happen'),
      constants: choice(CONSTANT_CHANGES).describe('how constants change'),
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
  set: taskSet.describe('the name of a set of tasks'),
  count: whole(1, 100_000).describe('how many tasks of it'),
  features: z.exactOptional(whole(2, MAX_FEATURES)).describe('F; what is usual for the set if not given'),
  train: z.exactOptional(whole(1, MAX_EXAMPLES)).describe('training examples of each task; what is usual if not given'),
  valid: z.exactOptional(whole(1, MAX_EXAMPLES)).describe('examples to validate on; what is usual if not given'),
  epochs: whole(1, MAX_EXAMPLES).default(1).describe('passes over the training examples'),
  split: z
    .exactOptional(z.union([z.literal('released'), whole(0)], { error: expected('"released" or a whole number') }))
    .describe('which pairs of classes are searched on: those of the released program, or drawn by this seed'),
});

const hurdles = object({
  percentile: percentile()
    .default(75)
    .describe('of the unique fitnesses that the population had at the stage: what is below is cut'),
  stages: z
    .array(
      object({
        train: whole(1, MAX_EXAMPLES).describe('training examples of each task'),
        valid: whole(1, MAX_EXAMPLES).describe('examples to validate on'),
        epochs: whole(1, MAX_EXAMPLES).default(1).describe('passes over the training examples'),
      }),
      { error: expected('a list of stages') },
    )
    .min(1, { error: 'expected at least one stage' })
    .describe('examples of each task that a stage trains and validates on, and how often'),
  audit: whole(1)
    .default(256)
    .describe('one in so many programs that were cut is evaluated in full all the same, to see what hurdles cost'),
});

const limit = whole(1).nullable().default(null);

/** What groups of islands may do differently. */
const variant = object({
  set: z.exactOptional(taskSet).describe('instead of `tasks.search.set`'),
  count: z.exactOptional(whole(1, 100_000)).describe('instead of `tasks.search.count`'),
  features: z.exactOptional(whole(2, MAX_FEATURES)).describe('instead of `tasks.search.features`'),
  train: z.exactOptional(whole(1, MAX_EXAMPLES)).describe('instead of `tasks.search.train`'),
  valid: z.exactOptional(whole(1, MAX_EXAMPLES)).describe('instead of `tasks.search.valid`'),
  epochs: z.exactOptional(whole(1, MAX_EXAMPLES)).describe('instead of `tasks.search.epochs`'),
  population: z.exactOptional(whole(1, MAX_POPULATION)).describe('instead of `search.population`'),
});

const islands = object({
  count: whole(1, MAX_ISLANDS)
    .nullable()
    .default(null)
    .describe('how many populations; null: one for each thread that searches'),
  async: z
    .boolean({ error: expected('true or false') })
    .default(false)
    .describe('no island waits for another, so that the result depends on how fast each is'),
  remote: z
    .string({ error: expected('a name') })
    .nullable()
    .default(null)
    .describe('the name of the experiment on a Redis, if that is where the islands are'),
  migration: object({
    every: z
      .tuple([whole(1), whole(1)], { error: expected('two whole numbers') })
      .nullable()
      .default(null)
      .describe(
        'algorithms between two migrations: each island has its own number in this range; null: 10 to 100 populations',
      ),
    part: part().default(0.5).describe('how much of the population goes, and comes'),
  })
    .nullable()
    .prefault({})
    .describe('the exchange of programs; null: none'),
  vary: z
    .array(
      z.array(variant, { error: expected('a list of variants') }).min(1, { error: 'expected at least one variant' }),
      {
        error: expected('a list of lists of variants'),
      },
    )
    .default([])
    .describe(
      'each combination of one from every list is a group with these settings; islands are divided over the groups',
    ),
});

export const CONFIG = object({
  name: z
    .string({ error: expected('a name') })
    .regex(/^[a-z0-9-]{1,64}$/, { error: expected('1 to 64 small letters, digits and hyphens') })
    .default('custom')
    .describe('run directories are named after it'),
  about: z.exactOptional(z.string({ error: expected('a text') })).describe('a line for people'),
  seed: whole(0).default(0).describe('draws the tasks and everything random of the search'),
  precision: choice(['f64', 'f32']).default('f64').describe('f32 is faster and less exact'),
  space: object({
    memory: object({
      scalars: whole(2, MAX_ADDRESSES).describe('addresses s0, s1, ...'),
      vectors: whole(1, MAX_ADDRESSES).describe('addresses v0, v1, ...'),
      matrices: whole(0, MAX_ADDRESSES).describe('addresses m0, m1, ...'),
    }).describe('what programs may address'),
    setup: functionSpace.describe('what Setup may be'),
    predict: functionSpace.describe('what Predict may be'),
    learn: functionSpace.describe('what Learn may be'),
    base: z
      .exactOptional(z.string({ error: expected('a program') }))
      .describe('a built-in name, a file or a text: every program of the search has its frozen functions'),
  }).describe('the programs that are searched'),
  search: object({
    method: choice(SEARCH_METHODS)
      .default('evolution')
      .describe("the paper's regularized evolution, random search, or our own method (docs/discovery.md)"),
    population: whole(1, MAX_POPULATION).describe('P: programs that live at the same time, on each island'),
    tournament: whole(1).describe('T: the best of so many random members gives a child'),
    mutationProbability: part().default(0.9).describe('U: how often a child is mutated; otherwise it is a copy'),
    mutations: mutations.describe('`paper`, `released`, or weights of your own'),
    without: z
      .array(choice(METHOD_PARTS), { error: expected('a list of parts of the method evozero') })
      .default([])
      .describe('parts of the method evozero that are left out, to see what they are worth'),
    initial: programReferences
      .prefault(['empty'])
      .describe('what populations begin with, in turn: `empty`, `random`, or programs by name, file or text'),
  }).describe('how they are searched'),
  islands: islands.prefault({}).describe('populations that exchange programs'),
  tasks: object({
    search: tasks.describe('the tasks of the search, drawn anew for each experiment'),
    select: tasks.describe('the tasks that the best programs are compared on'),
    final: tasks.describe('the tasks of the final score, which nothing is chosen by'),
  }).describe('what fitness is measured on'),
  evaluation: object({
    fitness: choice(FITNESS_KINDS).default('median').describe('over the tasks'),
    budget: positive()
      .nullable()
      .default(4)
      .describe('programs that cost more than so many plain networks are not run; null: no limit'),
    fingerprint: object({
      train: whole(1).default(10).describe('training examples whose predictions count'),
      valid: whole(1).default(10).describe('examples of validation whose predictions count'),
      tasks: whole(1).default(10).describe('on at most so many tasks'),
      cache: whole(1, 10_000_000).default(100_000).describe('programs that are remembered'),
    })
      .nullable()
      .prefault({})
      .describe('programs that predict the same are evaluated once; null: every program is evaluated'),
    hurdles: hurdles.nullable().default(null).describe('stages with fewer examples that stop bad programs early'),
  })
    .prefault({})
    .describe('how programs are judged'),
  experiment: object({
    algorithms: limit.describe('programs that are proposed'),
    steps: limit.describe('training steps'),
    noProgress: limit.describe('algorithms without a new best'),
  })
    .prefault({})
    .describe('when each experiment ends; of several islands, each counts for itself'),
  select: object({
    at: choice(['new-best', 'end'])
      .default('end')
      .describe('when the best program is tried on the tasks to select on: at once, or at the end of each experiment'),
  }).prefault({}),
  stop: object({
    fitness: part().nullable().default(null).describe('fitness of the best on the tasks to select on that is enough'),
    experiments: limit.describe('experiments'),
    algorithms: limit.describe('programs that are proposed, by all islands together'),
    steps: limit.describe('training steps, of all islands together'),
    minutes: positive().nullable().default(null).describe('the one limit that depends on the machine'),
  })
    .prefault({})
    .describe('when the run ends'),
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A whole configuration: every default filled in, every short form written out. */
export type Config = DeepReadonly<z.output<typeof CONFIG>>;
/** What somebody may write: defaults left out, ops by number, mutations by the name of a set. */
export type ConfigInput = z.input<typeof CONFIG>;

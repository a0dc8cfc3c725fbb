// What a search is: the space of programs, how it is searched, on which tasks, and when it ends (paper, sections "Methods" and
// "Detailed Search Experiment Setups"). Everything that decides the result, and nothing else. Must not know files or YAML.
import * as z from 'zod';
import { labelKind, MAX_FEATURES } from '../engine/engine.js';
import { CONSTANT_CHANGES, MUTATION_NAMES, MUTATION_SETS, type MutationName } from '../evolve/mutations.js';
import { OPS, opByName } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import { BUILTIN_NAMES, builtin } from '../program/builtin.js';
import { programFromJson } from '../program/json.js';
import { ProgramTextError } from '../program/lexer.js';
import { type ProgramSource, parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import {
  FUNCTION_NAMES,
  type LabelKind,
  type MemorySizes,
  memorySize,
  type Program,
  programProblem,
  TYPE_NAMES,
} from '../program/program.js';
import { LOSS_OF_KIND } from '../tasks/task-kind.js';
import { CLASS_COUNT, parseTaskSet, sizeOf, taskSetNames } from '../tasks/task-sets.js';
import { nearest } from '../util/nearest.js';
import { printable, quote, shorten } from '../util/quote.js';

// --- Errors ------------------------------------------------------------------------------------------------------------

export type FieldPath = readonly (string | number)[];

export interface ConfigIssue {
  readonly path: FieldPath;
  readonly message: string;
  /** Where the user wrote it, if that says more than the path: `mine.yaml:3:5: search.population`, or a flag. */
  readonly place?: string;
}

/** `search.initial[1]` */
export function printPath(path: FieldPath): string {
  const printKey = (key: string, k: number) => (k === 0 ? '' : '.') + shorten(printable(key));
  return path.map((key, k) => (typeof key === 'number' ? `[${key}]` : printKey(key, k))).join('');
}

/** Mistakes in a configuration. The message is one line: the first of them, and how many more there are. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly [ConfigIssue, ...ConfigIssue[]]) {
    const [{ path, message, place = printPath(path) }, ...others] = issues;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    super(`${place === '' ? '' : `${place}: `}${message}${more}`);
    this.issues = issues;
  }
}

/** Nobody mends more at once. */
const MAX_ISSUES = 100;

function throwIssues(issues: readonly ConfigIssue[]): void {
  const [first, ...others] = issues.slice(0, MAX_ISSUES);
  if (first !== undefined) throw new ConfigError([first, ...others]);
}

/** `; did you mean "search"?`, or nothing. */
export function suggest(name: string, known: Iterable<string>): string {
  const guess = nearest(name, known);
  return guess === undefined ? '' : `; did you mean "${guess}"?`;
}

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

// --- The schema --------------------------------------------------------------------------------------------------------

/** A frozen function is not searched, so it needs no ops and no size. */
function fillFrozen(value: unknown): unknown {
  const isFrozen = typeof value === 'object' && value !== null && 'frozen' in value && value.frozen === true;
  return isFrozen ? { ops: [], min: 0, max: 0, ...value } : value;
}

const MAX_INSTRUCTIONS = 1000;
const MAX_EXAMPLES = 1_000_000;
const MAX_ADDRESSES = 100;

const functionSpace = z.preprocess(
  fillFrozen,
  object({
    ops: opList,
    min: whole(0, MAX_INSTRUCTIONS),
    max: whole(0, MAX_INSTRUCTIONS),
    frozen: z.boolean({ error: expected('true or false') }).default(false),
  }),
);

const weight = z.exactOptional(z.number({ error: expected('a number') }).min(0, { error: expected('0 or more') }));

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
  /** Examples of each task that a stage trains and validates on. */
  stages: z
    .array(object({ train: whole(1, MAX_EXAMPLES), valid: whole(1, MAX_EXAMPLES) }), {
      error: expected('a list of stages'),
    })
    .min(1, { error: 'expected at least one stage' }),
  /** One in so many candidates that were cut is evaluated in full all the same, to see what the hurdles cost. */
  audit: whole(1).default(256),
});

const limit = whole(1).nullable().default(null);

const CONFIG = object({
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
    population: whole(1, 1_000_000),
    tournament: whole(1),
    mutationProbability: part().default(0.9),
    mutations,
    /** The population takes them in turn. */
    initial: programReferences.prefault(['empty']),
  }),
  tasks: object({ search: tasks, select: tasks, final: tasks }),
  evaluation: object({
    fitness: choice(['mean', 'median']).default('median'),
    /** Times the cost of a plain network. */
    budget: positive().nullable().default(4),
    fingerprint: object({
      train: whole(1).default(10),
      valid: whole(1).default(10),
      tasks: whole(1).default(10),
      cache: whole(1).default(100_000),
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

/** Reads a configuration. Throws ConfigError. */
export function parseConfig(value: unknown): Config {
  const { success, data, error } = CONFIG.safeParse(value);
  if (!success) {
    // Unknown fields first: they tend to be misspelled ones, which are then missing too.
    const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
    const others = error.issues.filter((issue) => !isUnknown(issue));
    throwIssues([...error.issues.filter(isUnknown), ...others].flatMap(readIssue));
  }
  const config = data as Config;
  throwIssues([...spaceProblems(config), ...searchProblems(config), ...taskProblems(config), ...endProblems(config)]);
  return config;
}

function readIssue(issue: z.core.$ZodIssue): ConfigIssue[] {
  const path = issue.path as (string | number)[];
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
  return issue.message.split('\n').map((message, k) => ({ path: keys ? [...path, keys[k]!] : path, message }));
}

// --- Configurations that cannot be -------------------------------------------------------------------------------------

type Problems = Generator<ConfigIssue>;

function* spaceProblems({ space }: Config): Problems {
  const searched = FUNCTION_NAMES.filter((name) => !space[name].frozen);
  for (const name of searched) {
    const { ops, min, max } = space[name];
    const path = ['space', name];
    if (min > max)
      yield { path: [...path, 'min'], message: `${min} is larger than space.${name}.max, which is ${max}` };
    if (max > 0 && ops.length === 0) {
      yield { path: [...path, 'ops'], message: `there are none, and ${name} may have ${max} instructions` };
    }
    for (const op of ops.map(opByName)) {
      const type = [op.output, ...op.inputs].find((type) => type !== undefined && memorySize(space.memory, type) === 0);
      if (type === undefined) continue;
      const { one, many } = TYPE_NAMES[type];
      yield { path: [...path, 'ops'], message: `${op.name} needs a ${one}, and space.memory.${many} is 0` };
      break;
    }
  }
  if (searched.every((name) => space[name].max === 0)) {
    const message = 'there is nothing to search: every function is frozen, or its max is 0';
    yield { path: ['space'], message };
  }
  if (searched.length < FUNCTION_NAMES.length && space.base === undefined) {
    yield { path: ['space', 'base'], message: 'missing; expected the program that the frozen functions are those of' };
  }
}

function* searchProblems({ space, search }: Config): Problems {
  const { population, tournament, initial } = search;
  if (tournament > population) {
    const message = `${tournament} is larger than search.population, which is ${population}`;
    yield { path: ['search', 'tournament'], message };
  }
  if (search.method === 'random') return;
  const { weights } = search.mutations;
  const path = ['search', 'mutations', 'weights'];
  const used = MUTATION_NAMES.filter((name) => (weights[name] ?? 0) > 0);
  const isFixed = FUNCTION_NAMES.every((name) => space[name].frozen || space[name].min === space[name].max);
  if (used.length === 0) yield { path, message: `one must be above 0: ${MUTATION_NAMES.join(', ')}` };
  else if (isFixed && used.every((name) => name === 'insert' || name === 'remove')) {
    yield { path, message: 'there is only insert and remove, and the functions have fixed sizes' };
  }
  if (initial.every((reference) => reference === 'empty') && !used.includes('insert')) {
    const message = 'empty programs stay empty without the mutation insert; use "random"';
    yield { path: ['search', 'initial'], message };
  }
}

function isTaskSet(name: string): boolean {
  try {
    parseTaskSet(name);
    return true;
  } catch {
    return false;
  }
}

function labelsOf(name: string): LabelKind {
  const set = parseTaskSet(name);
  return labelKind(LOSS_OF_KIND['family' in set ? 'regression' : set.kind]);
}

const ROLES = ['search', 'select', 'final'] as const;

function* taskProblems({ space, tasks, evaluation }: Config): Problems {
  const labels = labelsOf(tasks.search.set);
  if (labels === 'vector' && space.memory.vectors < 3) {
    const message = `${space.memory.vectors} is too few: tasks of many classes need 3, for features, label and prediction`;
    yield { path: ['space', 'memory', 'vectors'], message };
  }
  for (const role of ROLES) {
    const { set: name, count, features = CLASS_COUNT, split = 'released' } = tasks[role];
    const set = parseTaskSet(name);
    const path = ['tasks', role];
    if (labelsOf(name) !== labels) {
      const message = `${name} has labels of another kind than tasks.search.set, which is ${tasks.search.set}`;
      yield { path: [...path, 'set'], message };
    }
    if (labelsOf(name) === 'vector' && features < CLASS_COUNT) {
      yield { path: [...path, 'features'], message: `${features} is too few: many classes need ${CLASS_COUNT}` };
    }
    if ('family' in set) {
      if (tasks[role].split !== undefined) yield { path: [...path, 'split'], message: `${name} has no pairs to split` };
    } else if (count > sizeOf(set, split)) {
      yield { path: [...path, 'count'], message: `${count} is more than ${name} has, which is ${sizeOf(set, split)}` };
    }
  }
  const { train = Number.POSITIVE_INFINITY, valid = Number.POSITIVE_INFINITY } = tasks.search;
  let before = { train: 0, valid: 0 };
  for (const [k, stage] of (evaluation.hurdles?.stages ?? []).entries()) {
    const path = ['evaluation', 'hurdles', 'stages', k];
    const isLarger = stage.train >= before.train && stage.valid >= before.valid;
    if (!isLarger || stage.train + stage.valid === before.train + before.valid) {
      yield { path, message: 'each stage must have more examples than the one before' };
    }
    if (stage.train >= train) {
      const message = `its ${stage.train} training examples must be fewer than tasks.search.train, which is ${train}`;
      yield { path, message };
    }
    if (stage.valid > valid) {
      const message = `its ${stage.valid} validation examples are more than tasks.search.valid, which is ${valid}`;
      yield { path, message };
    }
    before = stage;
  }
}

/** Whether the run ends: each experiment must, unless the run does, and there must be a last one. */
function* endProblems({ experiment, select, stop }: Config): Problems {
  if ([stop.algorithms, stop.steps, stop.minutes].some((limit) => limit !== null)) return;
  if (stop.fitness === null && stop.experiments === null) {
    yield { path: ['stop'], message: 'nothing ends the run: set fitness, experiments, algorithms, steps or minutes' };
  } else if (Object.values(experiment).every((limit) => limit === null)) {
    if (stop.fitness !== null && select.at === 'new-best') return;
    yield { path: ['experiment'], message: 'nothing ends an experiment: set algorithms, steps or noProgress' };
  }
}

// --- Programs in a configuration ---------------------------------------------------------------------------------------

function refuse(message: string): never {
  throw new ConfigError([{ path: [], message }]);
}

const PROGRAM_TEXT = /^\s*def\s/m;
const PROGRAM_PATH = /\.(alg|json)$/;
const LABEL_WORDS: Readonly<Record<LabelKind, string>> = { scalar: 'a scalar label', vector: 'a label vector' };

function readText(text: string, memory: MemorySizes): ProgramSource {
  try {
    return parseSource(text, memory);
  } catch (error) {
    if (error instanceof ProgramTextError) refuse(`line ${error.line}, column ${error.column}: ${error.message}`);
    throw error;
  }
}

/** The program that a reference means: the name of a built-in one, or a text. Throws ConfigError. */
export function readProgram(reference: string, memory: MemorySizes, labels?: LabelKind): Program {
  const source = PROGRAM_TEXT.test(reference) ? readText(reference, memory) : builtin(reference);
  if (source === undefined) {
    refuse(`there is no built-in program ${quote(reference)}${suggest(reference, BUILTIN_NAMES)}`);
  }
  const problem = programProblem(source.program, memory);
  if (problem !== undefined) refuse(problem);
  if (labels !== undefined && source.labels !== labels) {
    refuse(`learns from ${LABEL_WORDS[source.labels]}, and the tasks have ${LABEL_WORDS[labels]}`);
  }
  return source.program;
}

/** The text of the program in a file. */
function readProgramFile(path: string, memory: MemorySizes, readFile: (path: string) => string): string {
  try {
    const text = readFile(path);
    if (!path.endsWith('.json')) {
      readText(text, memory);
      return text;
    }
    const { program, labels } = programFromJson(JSON.parse(text), memory);
    return printProgram(program, labels);
  } catch (error) {
    // What cannot be read, is no JSON or no program: whatever it is, the file is to blame.
    return refuse(`${printable(path)}: ${printable(error instanceof Error ? error.message : String(error))}`);
  }
}

/**
 * The configuration with every path of a program replaced by the program's text, so that it is whole, and every program
 * checked. `readFile` throws an error whose message says why it cannot. Throws ConfigError.
 */
export function resolvePrograms(config: Config, readFile: (path: string) => string): Config {
  const { space, search } = config;
  const issues: ConfigIssue[] = [];
  const resolve = (reference: string, path: FieldPath, check: (program: Program) => void): string => {
    try {
      const isPath = PROGRAM_PATH.test(reference) && !PROGRAM_TEXT.test(reference);
      const whole = isPath ? readProgramFile(reference, space.memory, readFile) : reference;
      check(readProgram(whole, space.memory, labelsOf(config.tasks.search.set)));
      return whole;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      issues.push(...error.issues.map(({ message }) => ({ path, message })));
      return reference;
    }
  };
  const checkSizes = (program: Program) => {
    for (const name of FUNCTION_NAMES) {
      const [size, { max, frozen }] = [program[name].length, space[name]];
      if (!frozen && size > max) refuse(`its ${name} has ${size} instructions, and space.${name}.max is ${max}`);
    }
  };
  const base = space.base === undefined ? {} : { base: resolve(space.base, ['space', 'base'], () => {}) };
  const initial = search.initial.map((reference, k) =>
    reference === 'empty' || reference === 'random'
      ? reference
      : resolve(reference, ['search', 'initial', k], checkSizes),
  );
  throwIssues(issues);
  return { ...config, space: { ...space, ...base }, search: { ...search, initial } };
}

// Configurations whose fields are fine one by one and that cannot be together. Must not know how configurations are written.

import { MUTATION_NAMES } from '../evolve/mutations.js';
import { opByName } from '../ops/ops.js';
import { countAddresses, MAX_FLOW_ADDRESSES } from '../program/flat/code-flow.js';
import { FUNCTION_NAMES, memorySize, TYPE_NAMES } from '../program/program.js';
import { CLASS_COUNT, parseTaskSet, sizeOf } from '../tasks/task-sets.js';
import type { ConfigIssue } from './config-error.js';
import { labelsOf } from './config-loss.js';
import type { Config } from './config-schema.js';
import { groupConfigs } from './groups.js';

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
    const writer = ops.map(opByName).find(({ output }) => output === 'v');
    if (writer !== undefined && space.memory.vectors === 1) {
      const message = `${writer.name} writes to a vector, and space.memory.vectors is 1, which holds the features`;
      yield { path: [...path, 'ops'], message };
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

function* searchProblems({ space, search, evaluation }: Config): Problems {
  const { population, tournament, initial } = search;
  if (tournament > population) {
    const message = `${tournament} is larger than search.population, which is ${population}`;
    yield { path: ['search', 'tournament'], message };
  }
  if (search.without.length > 0 && search.method !== 'evozero') {
    const message = `only the method evozero has parts that can be left out, not ${search.method}`;
    yield { path: ['search', 'without'], message };
  }
  if (search.method === 'random') {
    if (evaluation.hurdles !== null) {
      const message = 'hurdles are made of a population, which random search does not have; expected null';
      yield { path: ['evaluation', 'hurdles'], message };
    }
    if (initial.some((reference) => reference !== 'random' && reference !== 'empty')) {
      const message = 'random search draws every program; expected "random"';
      yield { path: ['search', 'initial'], message };
    }
    return;
  }
  if (search.method === 'evozero') {
    const addresses = countAddresses(space.memory);
    if (addresses > MAX_FLOW_ADDRESSES) {
      const message = `${addresses} addresses in all; the method evozero takes at most ${MAX_FLOW_ADDRESSES}`;
      yield { path: ['space', 'memory'], message };
    }
    if (!search.without.includes('connection')) return;
  }
  const { weights } = search.mutations;
  const path = ['search', 'mutations', 'weights'];
  const used = MUTATION_NAMES.filter((name) => (weights[name] ?? 0) > 0);
  const isFixed = FUNCTION_NAMES.every((name) => space[name].frozen || space[name].min === space[name].max);
  if (used.length === 0) yield { path, message: `one must be above 0: ${MUTATION_NAMES.join(', ')}` };
  else if (isFixed && used.every((name) => name === 'insert' || name === 'remove')) {
    yield { path, message: 'there is only insert and remove, and the functions have fixed sizes' };
  }
  const areEmpty = FUNCTION_NAMES.every((name) => space[name].frozen || space[name].min === 0);
  if (areEmpty && initial.every((reference) => reference === 'empty') && !used.includes('insert')) {
    const message = 'empty programs stay empty without the mutation insert; use "random"';
    yield { path: ['search', 'initial'], message };
  }
}

function* islandProblems(config: Config): Problems {
  const { islands, search, tasks } = config;
  const { count, migration, vary } = islands;
  const every = migration?.every;
  if (every != null && every[0] > every[1]) {
    yield { path: ['islands', 'migration', 'every'], message: `${every[0]} is larger than ${every[1]}` };
  }
  const groups = groupConfigs(config);
  if (count !== null && count < groups.length) {
    const message = `${count} cannot be divided over ${groups.length} groups (islands.vary): expected at least as many`;
    yield { path: ['islands', 'count'], message };
  }
  for (const [axis, variants] of vary.entries()) {
    for (const [k, { population, set }] of variants.entries()) {
      const path = ['islands', 'vary', axis, k];
      if (population !== undefined && population < search.tournament) {
        const message = `${population} is smaller than search.tournament, which is ${search.tournament}`;
        yield { path: [...path, 'population'], message };
      }
      if (set !== undefined && labelsOf(set) !== labelsOf(tasks.search.set)) {
        const message = `its programs are not of the kind of those for ${tasks.search.set}`;
        yield { path: [...path, 'set'], message };
      }
    }
  }
}

const ROLES = ['search', 'select', 'final'] as const;

function stageSize({ train, valid, epochs }: { train: number; valid: number; epochs: number }): number {
  return (train + valid) * epochs;
}

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
  const { train = Number.POSITIVE_INFINITY, valid = Number.POSITIVE_INFINITY, epochs } = tasks.search;
  let before = { train: 0, valid: 0, epochs: 1 };
  for (const [k, stage] of (evaluation.hurdles?.stages ?? []).entries()) {
    const path = ['evaluation', 'hurdles', 'stages', k];
    const isLarger = stage.train >= before.train && stage.valid >= before.valid && stage.epochs >= before.epochs;
    if (!isLarger || stageSize(stage) === stageSize(before)) {
      yield { path, message: 'each stage must have more examples than the one before' };
    }
    if (stage.epochs > epochs) {
      yield { path, message: `its ${stage.epochs} epochs are more than tasks.search.epochs, which is ${epochs}` };
    }
    if (stage.epochs < epochs ? stage.train > train : stage.train >= train) {
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

/** The tasks of each group, which none of its variants decides alone. */
function* groupProblems(config: Config): Problems {
  if (config.islands.vary.length === 0) return;
  for (const [k, group] of groupConfigs(config).entries()) {
    const [problem] = taskProblems(group);
    if (problem === undefined) continue;
    yield { path: ['islands', 'vary'], message: `group ${k + 1}: ${problem.path.join('.')}: ${problem.message}` };
    return;
  }
}

/** Everything that makes a configuration impossible. */
export function* configProblems(config: Config): Problems {
  yield* spaceProblems(config);
  yield* searchProblems(config);
  yield* taskProblems(config);
  yield* islandProblems(config);
  yield* groupProblems(config);
  yield* endProblems(config);
}

// The settings of a run that matter to a reader, as a compact table, and the command that makes the run again. Must not list
// every field: config.json has them all.

import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../experiment/config.js';
import { PRESETS } from '../experiment/presets.js';
import { PROGRAM_TEXT } from '../experiment/program-references.js';
import { functionTitle } from '../program/print.js';
import { FUNCTION_NAMES, type FunctionName } from '../program/program.js';
import { count } from '../util/number-text.js';
import { html, type Markup } from './markup.js';

type TaskSettings = Config['tasks']['search'];
type Row = readonly [name: string, value: Markup];

/** Ops that are named at once; more are folded away. */
const MAX_OPS = 12;

function number(n: number): string {
  return n.toLocaleString('en-US');
}

// --- Space -------------------------------------------------------------------------------------------------------------

function renderFunction({ space }: Config, name: FunctionName): Markup {
  const { ops, min, max, frozen } = space[name];
  if (frozen) return html`frozen, not searched`;
  const size = min === max ? count(max, 'instruction') : `${min} to ${count(max, 'instruction')}`;
  const names = html`<span class="ops">${ops.join(', ')}</span>`;
  const summary = `${size}, ${count(ops.length, 'op')}`;
  if (ops.length <= MAX_OPS) return html`${summary}: ${names}`;
  return html`<details><summary>${summary}</summary>${names}</details>`;
}

/** A program by its name, or a whole text folded away. */
function renderReference(reference: string): Markup {
  if (!PROGRAM_TEXT.test(reference)) return html`${reference}`;
  return html`<details><summary>a program</summary><pre>${reference}</pre></details>`;
}

function spaceRows(config: Config): Row[] {
  const { scalars, vectors, matrices } = config.space.memory;
  const memory = [count(scalars, 'scalar'), count(vectors, 'vector'), count(matrices, 'matrix', 'matrices')].join(', ');
  const { base } = config.space;
  return [
    ['Memory', html`${memory}`],
    ...FUNCTION_NAMES.map((name): Row => [functionTitle(name), renderFunction(config, name)]),
    ...(base === undefined ? [] : [['Frozen functions of', renderReference(base)] as const]),
  ];
}

// --- Search ------------------------------------------------------------------------------------------------------------

const CONSTANT_WORDS = { paper: 'the paper', released: 'the released program' } as const;

function searchRows({ search }: Config): Row[] {
  if (search.method === 'random') return [['Search', html`random programs`]];
  const { method, population, tournament, mutationProbability, mutations, without, initial } = search;
  const isOwn = method === 'evozero';
  const weights = Object.entries(mutations.weights).filter(([, weight]) => weight > 0);
  const shares = weights.map(([name, weight]) => `${name} ${weight}`).join(', ');
  const name = isOwn ? ['evozero', ...without.map((part) => `without ${part}`)].join(', ') : 'regularized evolution';
  const often = isOwn ? '' : `with probability ${mutationProbability}; `;
  return [
    ['Search', html`${name}, population ${number(population)}, tournament ${number(tournament)}`],
    ...(isOwn && !without.includes('connection')
      ? []
      : [
          [
            'Mutations',
            html`${often}weights ${shares}; constants as in ${CONSTANT_WORDS[mutations.constants]}`,
          ] as const,
        ]),
    ['Initial programs', html`${initial.map((reference) => html`${renderReference(reference)} `)}`],
  ];
}

// --- Tasks and judging -------------------------------------------------------------------------------------------------

/** `10 linear-search, 4 features, 100 + 100 examples` */
function describeTasks({ set, count: tasks, features, train, valid, epochs, split }: TaskSettings): string {
  const examples =
    train === undefined && valid === undefined
      ? undefined
      : `${[train, valid].map((n) => (n === undefined ? 'all' : number(n))).join(' + ')} examples`;
  const parts = [
    `${number(tasks)} ${set}`,
    features === undefined ? undefined : `${number(features)} features`,
    examples,
    epochs === 1 ? undefined : `${number(epochs)} epochs`,
    split === undefined ? undefined : `split ${split}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function evaluationRows({ evaluation, precision }: Config): Row[] {
  const { fitness, budget, fingerprint, hurdles } = evaluation;
  const cost = budget === null ? 'no cost limit' : `at most ${budget} times the cost of a plain network`;
  const cache =
    fingerprint &&
    `${fingerprint.train} + ${fingerprint.valid} examples of ${count(fingerprint.tasks, 'task')}, cache of ${number(fingerprint.cache)}`;
  const stages = hurdles?.stages.map(({ train, valid }) => `${number(train)} + ${number(valid)}`).join(', then ');
  const cuts =
    hurdles && `percentile ${hurdles.percentile}, after ${stages} examples; 1 in ${number(hurdles.audit)} audited`;
  return [
    ['Fitness', html`${fitness} over tasks, ${precision}; ${cost}`],
    ['Fingerprints', html`${cache ?? 'none'}`],
    ['Hurdles', html`${cuts ?? 'none'}`],
  ];
}

function describeLimits(limits: readonly (string | null)[]): string {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? 'none' : known.join(', or ');
}

function limitRows({ experiment, stop, select }: Config): Row[] {
  const some = (n: number | null, one: string) => (n === null ? null : count(n, one));
  const each = describeLimits([
    some(experiment.algorithms, 'algorithm'),
    some(experiment.steps, 'training step'),
    experiment.noProgress === null ? null : `${number(experiment.noProgress)} without a new best`,
  ]);
  const all = describeLimits([
    stop.fitness === null ? null : `select fitness ${stop.fitness}`,
    some(stop.experiments, 'experiment'),
    some(stop.algorithms, 'algorithm'),
    some(stop.steps, 'training step'),
    some(stop.minutes, 'minute'),
  ]);
  return [
    ['Experiment ends at', html`${each}`],
    ['Run ends at', html`${all}`],
    ['Selects', html`${select.at === 'end' ? 'the best of each experiment' : 'every new best'}`],
  ];
}

export function renderSettings(config: Config): Markup {
  const { search, select, final } = config.tasks;
  const rows: readonly Row[] = [
    ...searchRows(config),
    ...spaceRows(config),
    ['Search tasks', html`${describeTasks(search)}`],
    ['Select tasks', html`${describeTasks(select)}`],
    ['Final tasks', html`${describeTasks(final)}`],
    ...evaluationRows(config),
    ...limitRows(config),
  ];
  const body = rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`);
  return html`<table class="settings"><tbody>
${body}</tbody></table>`;
}

// --- The command -------------------------------------------------------------------------------------------------------

const LIMIT_FLAGS = { minutes: '--minutes', algorithms: '--max-algorithms', steps: '--max-steps' } as const;

/** The flags that make a preset this configuration; nothing if none do. */
function presetFlags(config: Config): string | undefined {
  const preset = PRESETS.find(({ name }) => name === config.name)?.config;
  if (preset === undefined) return undefined;
  const limits = Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[];
  const changed = limits.filter((limit) => config.stop[limit] !== preset.stop[limit]);
  if (changed.some((limit) => config.stop[limit] === null)) return undefined;
  const stop = { ...preset.stop, ...Object.fromEntries(changed.map((limit) => [limit, config.stop[limit]])) };
  // A run that was not told how many has one for each core of its machine, and others would not find the same.
  const { count: islandCount } = config.islands;
  const islands = { ...preset.islands, count: islandCount };
  if (!isDeepStrictEqual({ ...preset, seed: config.seed, stop, islands }, config)) return undefined;
  const limitFlags = changed.map((limit) => ` ${LIMIT_FLAGS[limit]} ${config.stop[limit]}`).join('');
  const isCounted = islandCount !== null && islandCount !== preset.islands.count;
  return isCounted ? `${limitFlags} --islands ${islandCount}` : limitFlags;
}

/** `evozero run linear --seed 4`, or with config.json where a preset and its flags do not say it all. */
export function reproducingCommand(config: Config): string {
  const flags = presetFlags(config);
  return flags === undefined ? 'evozero run config.json' : `evozero run ${config.name} --seed ${config.seed}${flags}`;
}

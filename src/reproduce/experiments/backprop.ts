// Figure 5: networks rediscovered from teacher networks, in four groups that trade examples and tasks for population. With one task
// the best program learns the teacher by heart; with many it must learn to learn.
import { TECHNIQUES, type TechniqueName } from '../../analysis/explain/explanation.js';
import { builtin } from '../../program/builtin.js';
import { readEvents } from '../../runs/read-events.js';
import type { FigureSeries } from '../findings.js';
import type { FinishedSearch, Laboratory, SearchJob } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';
import { bestOf, describeTechniques, techniquesOf } from './found-programs.js';

/** Training examples, tasks and population of a group, with what the paper has. */
interface Group {
  readonly train: number;
  readonly count: number;
  readonly population: number;
  readonly steps: number;
}

interface Size {
  /** Searches of every group, each with a seed of its own. */
  readonly repeats: number;
  readonly groups: readonly Group[];
  /** Tasks to compare on. */
  readonly count: number;
  readonly train: number;
  readonly trials: number;
}

const SIZES: ByScale<Size> = {
  smoke: {
    repeats: 1,
    groups: [
      { train: 100, count: 4, population: 100, steps: 1e6 },
      { train: 100, count: 1, population: 1000, steps: 1e6 },
    ],
    count: 2,
    train: 200,
    trials: 2,
  },
  laptop: {
    repeats: 2,
    groups: [
      { train: 1000, count: 100, population: 100, steps: 2e10 },
      { train: 1000, count: 22, population: 215, steps: 2e10 },
      { train: 1000, count: 5, population: 464, steps: 1e10 },
      { train: 100, count: 1, population: 1000, steps: 1e9 },
    ],
    count: 20,
    train: 10_000,
    trials: 40,
  },
  paper: {
    repeats: 250,
    groups: [
      { train: 100_000, count: 100, population: 100, steps: 1e12 },
      { train: 100_000, count: 22, population: 215, steps: 1e12 },
      { train: 10_000, count: 5, population: 464, steps: 1e12 },
      { train: 100, count: 1, population: 1000, steps: 1e12 },
    ],
    count: 100,
    train: 100_000,
    trials: 300,
  },
};

/** The parts of a network with backpropagation, from what comes first. */
const PARTS: readonly TechniqueName[] = ['linear-model', 'sgd', 'relu', 'relu-gradient', 'backprop'];

function keyOf({ train, count, population }: Group, repeat: number): string {
  return `t${train}-d${count}-p${population}-${repeat}`;
}

function jobsFor({ scale, seed }: Laboratory): SearchJob[] {
  const { repeats, groups, count, train } = SIZES[scale];
  return Array.from({ length: repeats }, (_, repeat) =>
    groups.map((group) => ({
      key: keyOf(group, repeat),
      preset: 'network',
      seed: seed + repeat,
      islands: 1,
      set: [
        `tasks.search.count=${group.count}`,
        `tasks.search.train=${group.train}`,
        `search.population=${group.population}`,
        `tasks.select.count=${count}`,
        `tasks.select.train=${train}`,
        'tasks.final.count=1',
        'select.at=end',
        `stop.steps=${group.steps}`,
        'stop.minutes=null',
        'stop.fitness=null',
      ],
    })),
  ).flat();
}

const NETWORK = 'paper/neural-net-no-bias';

/** The network without some instructions of Learn: what lies between a linear model and backpropagation. */
function partOfNetwork(laboratory: Laboratory, name: string, leaveOut: readonly string[]): string {
  const lines = builtin(NETWORK)!.text.split('\n');
  const missing = leaveOut.filter((start) => !lines.some((line) => line.trim().startsWith(start)));
  if (missing.length > 0) throw new Error(`${NETWORK} has no ${missing.join(', ')}`);
  const left = lines.filter((line) => !leaveOut.some((start) => line.trim().startsWith(start)));
  return laboratory.write(`parts/${name}.alg`, left.join('\n'));
}

/** Fitness of the hand-made programs, tuned, and what is the best of ours after the same tuning. */
async function measureScores(laboratory: Laboratory, best: FinishedSearch) {
  const { count, train, trials } = SIZES[laboratory.scale];
  const tasks = ['--tasks', 'network-select', '--features', '8', '--count', String(count), '--train', String(train)];
  const file = laboratory.write('best.alg', best.result.program ?? '');
  const firstLayer = ['v7 = s2 * v2', 'v1 = heaviside', 'v7 = v1 * v7', 'm1 = outer', 'm0 = m0 + m1'];
  const contenders = [
    { key: 'linear', name: 'linear regression', program: 'paper/linear' },
    {
      key: 'second-layer',
      name: 'network that learns its second layer only',
      program: partOfNetwork(laboratory, 'second-layer', firstLayer),
    },
    {
      key: 'first-layer',
      name: 'network that learns its first layer only',
      program: partOfNetwork(laboratory, 'first-layer', ['v6 = s2 * v4', 'v2 = v2 + v6']),
    },
    {
      key: 'no-derivative',
      name: 'network without the derivative of the ReLU',
      program: partOfNetwork(laboratory, 'no-derivative', ['v1 = heaviside', 'v7 = v1 * v7']),
    },
    { key: 'network', name: 'two-layer network', program: NETWORK },
    { key: 'rediscovered', name: "the paper's rediscovered network", program: 'paper/rediscovered-net' },
    { key: 'ours', name: 'ours, the best', program: file },
  ];
  const tuned = await laboratory.measure<{ programs: readonly { best: { mean: number } }[] }>(
    contenders.map(({ key, program }) => ({
      key: `tune-${key}`,
      args: ['tune', program, ...tasks, '--trials', String(trials), '--seed', '1'],
    })),
  );
  return contenders.map((contender, k) => ({ ...contender, fitness: tuned[k]!.programs[0]!.best.mean }));
}

function progressOf({ key, directory, result }: FinishedSearch): FigureSeries {
  const points: { x: number; y: number }[] = [];
  for (const event of readEvents(directory)) {
    if (event.type === 'best') points.push({ x: Math.max(1, event.algorithms), y: event.fitness });
  }
  const last = points.at(-1);
  if (last !== undefined) points.push({ x: result.algorithms, y: last.y });
  return { name: key, shape: 'steps', points };
}

async function run(laboratory: Laboratory): Promise<Conclusions> {
  const { groups } = SIZES[laboratory.scale];
  const runs = await laboratory.search(jobsFor(laboratory));
  const isSingle = ({ key }: FinishedSearch) => key.includes('-d1-');
  const many = runs.filter((one) => !isSingle(one));
  const single = runs.filter(isSingle);
  const bySelect = (list: readonly FinishedSearch[]) =>
    [...list].sort((a, b) => (b.result.selectFitness ?? 0) - (a.result.selectFitness ?? 0));
  const best = bySelect(many)[0]!;
  const techniques = techniquesOf(best.result.simplified ?? '', false);
  const byHeart = [...single].sort((a, b) => (b.result.searchFitness ?? 0) - (a.result.searchFitness ?? 0))[0]!;
  const scores = await measureScores(laboratory, best);
  const score = (key: string) => scores.find((one) => one.key === key)!.fitness;
  const parts = PARTS.map((name) => `${TECHNIQUES[name]}: ${techniques.includes(name) ? 'yes' : 'no'}`).join('; ');
  const number = (value: number | null) => (value === null ? 'none' : value.toFixed(4));
  return {
    claims: [
      {
        claim: 'With many tasks, evolution invents a two-layer network and backpropagation',
        paper: 'yes (figure 5)',
        ours: `${number(score('ours'))} after tuning, where linear regression has ${number(score('linear'))} and the network ${number(score('network'))}; ${parts}`,
        verdict:
          techniques.includes('backprop') && score('ours') >= score('network')
            ? 'reproduced'
            : score('ours') > score('linear') + 0.01
              ? 'partly'
              : 'not-reproduced',
      },
      {
        claim: 'With one task, evolution hard-codes the weights',
        paper: 'yes',
        ours: `the best with one task has ${number(byHeart.result.searchFitness)} on its task and ${number(byHeart.result.selectFitness)} on others; techniques: ${describeTechniques(techniquesOf(byHeart.result.simplified ?? '', false))}`,
        verdict:
          (byHeart.result.searchFitness ?? 0) > score('linear') + 0.1 &&
          (byHeart.result.selectFitness ?? 0) < (byHeart.result.searchFitness ?? 0) - 0.1
            ? 'reproduced'
            : 'partly',
      },
    ],
    figures: [
      {
        kind: 'plot',
        title: 'Progress of every group',
        caption: 'The best fitness on the search tasks of each group; few tasks are easier to please.',
        x: { label: 'algorithms', log: true },
        y: { label: 'fitness on search tasks' },
        series: runs.map(progressOf),
        levels: [
          { name: 'linear regression', y: score('linear') },
          { name: 'two-layer network', y: score('network') },
        ],
      },
    ],
    tables: [
      {
        name: 'runs',
        title: 'Every search',
        columns: ['group', 'seed', 'search', 'select', 'algorithms', 'evaluated', 'CPU s', 'techniques'],
        rows: runs.map(({ key, result }) => [
          key,
          result.seed,
          result.searchFitness,
          result.selectFitness,
          result.algorithms,
          result.counts.evaluated,
          Math.round(result.cpuSeconds),
          result.simplified === null ? '' : describeTechniques(techniquesOf(result.simplified, false)),
        ]),
      },
      {
        name: 'tuned',
        title: 'Fitness on teacher tasks, constants tuned there',
        columns: ['program', 'fitness'],
        rows: scores.map(({ name, fitness }) => [name, Number(fitness.toFixed(4))]),
      },
    ],
    programs: [...bestOf([best], 1, false), ...bestOf([byHeart], 1, false)],
    notes: [
      `Groups are named by training examples, tasks and population (T/D/P): ${groups.map(({ train, count, population }) => `${train}/${count}/${population}`).join(', ')}; the paper has 100k/100/100, 100k/22/215, 10k/5/464 and 100/1/1000 on 250 processes each, with migration between them.`,
      'Groups search on their own here, so that it can be seen what each finds.',
      `What lies in between, tuned: ${scores.map(({ name, fitness }) => `${name} ${fitness.toFixed(4)}`).join(', ')}. For the first layer to learn, the error times the weights, the outer product and the sum must come together: none of them changes a prediction without the others. The derivative of the ReLU is of use only after that.`,
    ],
  };
}

export const backprop: Reproduction = {
  name: 'backprop',
  title: 'Neural networks rediscovered',
  paper: 'Figure 5',
  question:
    'Does evolution invent a two-layer network and backpropagation when it is shown what such networks compute?',
  laptopMinutes: 15,
  run,
};

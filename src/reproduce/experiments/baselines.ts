// Supplement, table S5: the basic and the full method in a small space, from empty programs on projected CIFAR-10.
import { estimateDifference, estimateMean, meanText, partText } from '../estimates.js';
import type { Laboratory, SearchJob } from '../laboratory.js';
import { seedsFrom } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';
import { judgeAboveZero } from '../verdicts.js';
import { bestOf } from './found-programs.js';
import { measureReferences } from './references.js';

interface Size {
  readonly repeats: number;
  readonly processes: readonly number[];
  /** Of every process. */
  readonly steps: number;
  readonly set: readonly string[];
  readonly fullSet: readonly string[];
}

const FEWER_STAGES = '[{"train":100,"valid":100},{"train":300,"valid":200}]';

const SIZES: ByScale<Size> = {
  smoke: {
    repeats: 2,
    processes: [1],
    steps: 1e6,
    set: [
      'precision=f32',
      'tasks.search.count=2',
      'tasks.search.train=100',
      'tasks.search.valid=50',
      'tasks.select.count=2',
      'tasks.select.train=100',
    ],
    fullSet: ['evaluation.hurdles.stages=[{"train":50,"valid":50}]'],
  },
  laptop: {
    repeats: 20,
    processes: [1],
    steps: 8e8,
    set: ['precision=f32', 'tasks.search.train=800', 'tasks.search.valid=200'],
    fullSet: [`evaluation.hurdles.stages=${FEWER_STAGES}`],
  },
  paper: { repeats: 100, processes: [1, 10, 100], steps: 1e11, set: [], fullSet: [] },
};

/** Best accuracy, and the parts of runs above logistic regression and above the network. */
const PAPER: Readonly<Record<string, { accuracy: string; linear: string; network: string }>> = {
  'basic-1': { accuracy: '0.671 ± 0.004', linear: '0.01', network: '0.00' },
  'basic-10': { accuracy: '0.681 ± 0.005', linear: '0.07', network: '0.00' },
  'basic-100': { accuracy: '0.691 ± 0.004', linear: '0.26', network: '0.00' },
  'full-1': { accuracy: '0.684 ± 0.003', linear: '0.03', network: '0.00' },
  'full-10': { accuracy: '0.693 ± 0.003', linear: '0.23', network: '0.03' },
  'full-100': { accuracy: '0.707 ± 0.003', linear: '0.59', network: '0.11' },
};
const PAPER_LINEAR = 0.702;
const PAPER_NETWORK = 0.729;

function jobsFor({ scale, seed }: Laboratory, method: 'basic' | 'full', processes: number): SearchJob[] {
  const { repeats, steps, set, fullSet } = SIZES[scale];
  // The full method has two kinds of tasks, and therefore two islands even on one process; they share its steps.
  const islands = method === 'full' ? Math.max(2, processes) : processes;
  return seedsFrom(seed, repeats).map((repeat) => ({
    key: `${method}-${processes}-${repeat}`,
    preset: `baseline-${method}`,
    seed: repeat,
    islands,
    set: [
      ...set,
      ...(method === 'full' ? fullSet : []),
      `stop.steps=${steps * processes}`,
      // Only the tasks to select on are reported.
      'tasks.final.count=1',
    ],
  }));
}

async function run(laboratory: Laboratory): Promise<Conclusions> {
  const { repeats, processes, steps } = SIZES[laboratory.scale];
  const rows = processes.flatMap((n) =>
    (['basic', 'full'] as const).map((method) => ({ method, n, name: `${method}-${n}` })),
  );
  const plans = rows.map((row) => ({ ...row, jobs: jobsFor(laboratory, row.method, row.n) }));
  const references = await measureReferences(laboratory, { train: 8000, valid: 2000, epochs: 1 });
  const runs = await laboratory.search(plans.flatMap(({ jobs }) => jobs));
  const byKey = new Map(runs.map((one) => [one.key, one]));
  const measured = plans.map(({ jobs, ...row }) => {
    const own = jobs.map(({ key }) => byKey.get(key)!);
    const accuracies = own.map(({ result }) => result.selectFitness ?? 0);
    return { ...row, own, accuracies, estimate: estimateMean(accuracies) };
  });
  const above = (accuracies: readonly number[], level: number) =>
    accuracies.filter((accuracy) => accuracy > level).length;
  const find = (name: string) => measured.find((row) => row.name === name);
  const first = processes[0]!;
  const [basic, full] = [find(`basic-${first}`)!, find(`full-${first}`)!];
  return {
    claims: [
      ...measured.map(({ name, n, method, accuracies, estimate }) => ({
        claim: `${method === 'full' ? 'Full' : 'Basic'} method, ${n} ${n === 1 ? 'process' : 'processes'}: best accuracy; above ${PAPER_LINEAR}; above ${PAPER_NETWORK}`,
        paper: `${PAPER[name]?.accuracy}; ${PAPER[name]?.linear}; ${PAPER[name]?.network}`,
        ours: `${meanText(estimate)}; ${partText(above(accuracies, PAPER_LINEAR), repeats)}; ${partText(above(accuracies, PAPER_NETWORK), repeats)}`,
        verdict:
          Math.abs(estimate.value - Number.parseFloat(PAPER[name]!.accuracy)) < 0.015
            ? ('reproduced' as const)
            : ('partly' as const),
      })),
      {
        claim: 'The full method is better than the basic one',
        paper: '0.684 against 0.671 on one process',
        ours: `${meanText(full.estimate)} against ${meanText(basic.estimate)}`,
        verdict: judgeAboveZero(estimateDifference(full.estimate, basic.estimate)),
      },
    ],
    figures: [
      {
        kind: 'bars',
        title: 'Best accuracy on unseen tasks',
        caption: `Mean of ${repeats} runs and twice its standard error; the paper's values beside it.`,
        y: { label: 'accuracy on 100 tasks to select on', from: 0.45 },
        bars: measured.map(({ name, estimate }) => ({
          name,
          ...estimate,
          paper: Number.parseFloat(PAPER[name]!.accuracy),
        })),
        levels: references.map(({ name, accuracy }) => ({ name, y: accuracy })),
      },
    ],
    tables: [
      {
        name: 'runs',
        title: 'Every run',
        columns: ['method', 'processes', 'seed', 'accuracy', 'algorithms', 'steps', 'CPU s'],
        rows: measured.flatMap(({ method, n, own }) =>
          own.map(({ result }) => [
            method,
            n,
            result.seed,
            result.selectFitness,
            result.algorithms,
            result.trainSteps,
            Math.round(result.cpuSeconds),
          ]),
        ),
      },
    ],
    programs: bestOf(runs, 1),
    notes: [
      `${repeats} repeats, ${steps.toLocaleString('en-US')} training steps for every process; the paper has 100 repeats and 1e11 steps.`,
      ...(laboratory.scale === 'paper'
        ? []
        : [
            'Searches train on 800 examples and validate on 200 instead of 8,000 and 2,000, so that as many algorithms are tried as with ten times the steps; what they find is evaluated on 100 tasks with 8,000 and 2,000. In f32.',
          ]),
      'The full method needs two islands, one on CIFAR-10 and one on MNIST; on one process they share its steps.',
      `Our own references on the same tasks: ${references.map(({ name, accuracy }) => `${name} ${accuracy.toFixed(4)}`).join(', ')}. The paper has ${PAPER_LINEAR} and ${PAPER_NETWORK}.`,
    ],
  };
}

export const baselines: Reproduction = {
  name: 'baselines',
  title: 'Baselines for other search methods',
  paper: 'Supplement, table S5',
  question: 'How good are the basic and the full method in a small space with a fixed number of training steps?',
  laptopMinutes: 25,
  run,
};

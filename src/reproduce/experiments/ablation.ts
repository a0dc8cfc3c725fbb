// Supplement, tables S2 to S4: one upgrade of the search method after the other, at a fixed number of training steps.
import { type Estimate, estimateDifference, estimateMean, meanText, partText } from '../estimates.js';
import type { Claim } from '../findings.js';
import { type Laboratory, type SearchJob, seedsFrom } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';
import { judgeAboveZero } from '../verdicts.js';
import { bestOf } from './found-programs.js';
import { measureReferences } from './references.js';

interface Row {
  readonly preset: string;
  readonly name: string;
  /** Best accuracy with 1,000 processes, and with 10. */
  readonly paper: string;
  readonly paperSmall: string;
}

const ROWS: readonly Row[] = [
  { preset: 'ablation-baseline', name: '0 baseline', paper: '0.703 ± 0.002', paperSmall: '0.700 ± 0.001' },
  { preset: 'ablation-migration', name: '1 + migration', paper: '0.707 ± 0.004', paperSmall: '0.701 ± 0.001' },
  { preset: 'ablation-fec', name: '2 + FEC', paper: '0.724 ± 0.006', paperSmall: '0.702 ± 0.001' },
  { preset: 'ablation-mnist', name: '3 + MNIST', paper: '0.729 ± 0.008', paperSmall: '0.704 ± 0.001' },
  { preset: 'ablation-hurdles', name: '4 + hurdles', paper: '0.738 ± 0.008', paperSmall: '0.705 ± 0.001' },
  { preset: 'ablation-only-mnist', name: '5 only MNIST', paper: '0.720 ± 0.003', paperSmall: '0.694 ± 0.002' },
];

interface Size {
  readonly repeats: number;
  readonly islands: number;
  /** Of all islands together; null: five days, as in the paper. */
  readonly steps: number | null;
  readonly set: readonly string[];
  readonly hurdles: string | null;
}

const SIZES: ByScale<Size> = {
  smoke: {
    repeats: 2,
    islands: 2,
    steps: 500_000,
    set: [
      'precision=f32',
      'tasks.search.count=2',
      'tasks.search.train=100',
      'tasks.search.valid=50',
      'tasks.search.epochs=1',
      'tasks.select.count=2',
      'tasks.select.train=100',
      'tasks.select.epochs=1',
    ],
    hurdles: '[{"train":50,"valid":50}]',
  },
  laptop: {
    repeats: 20,
    islands: 4,
    steps: 3e8,
    set: [
      'precision=f32',
      'tasks.search.train=800',
      'tasks.search.valid=200',
      'tasks.search.epochs=1',
      'tasks.select.epochs=1',
    ],
    hurdles: '[{"train":100,"valid":100},{"train":300,"valid":200}]',
  },
  paper: { repeats: 30, islands: 1000, steps: null, set: ['stop.minutes=7200'], hurdles: null },
};

/** An accuracy that only programs have that classify. */
const ABLE = 0.6;

function jobsFor({ scale, seed }: Laboratory, { preset }: Row): SearchJob[] {
  const { repeats, islands, steps, set, hurdles } = SIZES[scale];
  const changes = [
    ...set,
    ...(steps === null ? [] : [`stop.steps=${steps}`, 'stop.minutes=null']),
    ...(hurdles !== null && preset === 'ablation-hurdles' ? [`evaluation.hurdles.stages=${hurdles}`] : []),
    'tasks.final.count=1',
  ];
  return seedsFrom(seed, repeats).map((repeat) => ({
    key: `${preset}-${repeat}`,
    preset,
    seed: repeat,
    islands,
    set: changes,
  }));
}

function compare(claim: string, paper: string, better: Estimate, worse: Estimate): Claim {
  const verdict = judgeAboveZero(estimateDifference(better, worse));
  return { claim, paper, ours: `${meanText(worse)} to ${meanText(better)}`, verdict };
}

async function run(laboratory: Laboratory): Promise<Conclusions> {
  const { repeats, islands, steps } = SIZES[laboratory.scale];
  const epochs = laboratory.scale === 'paper' ? 10 : 1;
  const references = await measureReferences(laboratory, { train: 8000, valid: 2000, epochs });
  const network = references.find(({ program }) => program === 'paper/neural-net')!;
  const plans = ROWS.map((row) => ({ row, jobs: jobsFor(laboratory, row) }));
  // One repeat of every row after the other, so that what is there early is balanced.
  const order = Array.from({ length: repeats }, (_, k) => plans.map(({ jobs }) => jobs[k]!)).flat();
  const runs = await laboratory.search(order);
  const byKey = new Map(runs.map((one) => [one.key, one]));
  const measured = plans.map(({ row, jobs }) => {
    const accuracies = jobs.map(({ key }) => byKey.get(key)!.result.selectFitness ?? 0);
    const above = (level: number) => accuracies.filter((accuracy) => accuracy > level).length;
    return {
      row,
      accuracies,
      able: above(ABLE),
      successes: above(network.accuracy),
      estimate: estimateMean(accuracies),
    };
  });
  const at = (k: number) => measured[k]!.estimate;
  return {
    claims: [
      compare('Migration helps', '0.703 to 0.707', at(1), at(0)),
      compare('Functional equivalence checking helps', '0.707 to 0.724', at(2), at(1)),
      compare('Half MNIST data helps', '0.724 to 0.729', at(3), at(2)),
      compare('Hurdles help', '0.729 to 0.738', at(4), at(3)),
      compare('Only MNIST data is worse than half', '0.720 to 0.729', at(3), at(5)),
      compare('All four upgrades together help', '0.703 to 0.738', at(4), at(0)),
    ],
    figures: [
      {
        kind: 'bars',
        title: 'Best accuracy on unseen tasks',
        caption: `Mean of ${repeats} runs and twice its standard error; beside it the paper's with 1,000 processes.`,
        y: { label: 'accuracy on 100 tasks to select on', from: 0.45 },
        bars: measured.map(({ row, estimate }) => ({
          name: row.name,
          ...estimate,
          paper: Number.parseFloat(row.paper),
        })),
        levels: references.map(({ name, accuracy }) => ({ name, y: accuracy })),
      },
    ],
    tables: [
      {
        name: 'rows',
        title: 'Best accuracy, and runs above the two-layer network',
        columns: ['row', 'here', `above ${ABLE}`, 'above the network', 'paper, 1,000 processes', 'paper, 10 processes'],
        rows: measured.map(({ row, estimate, able, successes }) => [
          row.name,
          meanText(estimate),
          `${able} of ${repeats}`,
          partText(successes, repeats),
          row.paper,
          row.paperSmall,
        ]),
      },
      {
        name: 'runs',
        title: 'Every run',
        columns: ['row', 'seed', 'accuracy'],
        rows: measured.flatMap(({ row, accuracies }) =>
          accuracies.map((accuracy, k) => [row.name, laboratory.seed + k, accuracy]),
        ),
      },
    ],
    programs: bestOf(runs, 1),
    notes: [
      steps === null
        ? `${repeats} repeats of ${islands} processes for five days.`
        : `${repeats} repeats of ${islands} islands with ${steps.toLocaleString('en-US')} training steps together. The paper's smallest table has 100 repeats of 10 processes for five days.`,
      ...(laboratory.scale === 'laptop'
        ? [
            'Searches train on 800 examples for one epoch instead of 8,000 for ten, in f32; what they find is evaluated on 8,000.',
            `So few steps decide whether a run finds a classifier at all (above ${ABLE}, where chance has 0.5), which is what the means show; the paper's runs all have one, and differ in how good it is.`,
          ]
        : []),
      `The two-layer network has ${network.accuracy.toFixed(4)} on the same tasks (the paper's, with ten epochs, 0.750).`,
      'Copies of a program that were not mutated keep its fitness in every row, also without FEC.',
    ],
  };
}

export const ablation: Reproduction = {
  name: 'ablation',
  title: 'What each upgrade of the search method is worth',
  paper: 'Supplement, tables S2 to S4',
  question: 'Do migration, functional equivalence checking, MNIST data and hurdles help, one after the other?',
  laptopMinutes: 30,
  run,
};

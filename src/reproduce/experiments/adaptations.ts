// Section "Discovering Algorithm Adaptations": populations that begin with a network, on a kind of task and on its control; how often the
// adaptation of the paper is found in each.
import { fisherGreater } from '../../analysis/fisher.js';
import { opByName } from '../../ops/ops.js';
import type { OpName } from '../../ops/table.js';
import { simplify } from '../../program/liveness.js';
import { parseSource } from '../../program/parse.js';
import { estimatePart } from '../estimates.js';
import { type FinishedSearch, type Laboratory, type SearchJob, seedsFrom } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';
import { bestOf, describeTechniques, techniquesOf } from './found-programs.js';

interface Size {
  readonly repeats: number;
  readonly islands: number;
  /** Of each repeat; null: the paper does not say. */
  readonly algorithms: number | null;
  readonly set: readonly string[];
}

interface Adaptation {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly preset: string;
  readonly control: string;
  readonly laptopMinutes: number;
  /** What is looked for, in words, and whether a program has it. */
  readonly sign: string;
  readonly hasSign: (text: string) => boolean;
  /** Found in the experiment and in the control, of 30 each. */
  readonly paper: { readonly found: number; readonly control: number; readonly p: string };
  readonly sizes: ByScale<{ readonly experiment: Size; readonly control: Size }>;
}

const PAPER_REPEATS = 30;

/** Whether a live instruction of Predict or Learn has this op. */
function uses(text: string, name: OpName): boolean {
  const { program, labels } = parseSource(text);
  const live = simplify(program, labels);
  return [...live.predict, ...live.learn].some(({ op }) => op === opByName(name).id);
}

function jobsFor({ seed }: Laboratory, preset: string, { repeats, islands, algorithms, set }: Size): SearchJob[] {
  const limit = algorithms === null ? [] : [`stop.algorithms=${algorithms}`, 'stop.minutes=null'];
  return seedsFrom(seed, repeats).map((repeat) => ({
    key: `${preset}-${repeat}`,
    preset,
    seed: repeat,
    islands,
    set: [...set, ...limit],
  }));
}

function shortNumber(p: number): string {
  return String(Number(p.toPrecision(2)));
}

function adaptation(settings: Adaptation): Reproduction {
  const { name, title, question, laptopMinutes, paper, sign, hasSign } = settings;
  async function run(laboratory: Laboratory): Promise<Conclusions> {
    const sizes = settings.sizes[laboratory.scale];
    const jobs = jobsFor(laboratory, settings.preset, sizes.experiment);
    const controls = jobsFor(laboratory, settings.control, sizes.control);
    const order = Array.from({ length: Math.max(jobs.length, controls.length) }, (_, k) =>
      [jobs[k], controls[k]].filter((job) => job !== undefined),
    ).flat();
    const runs = await laboratory.search(order);
    const isOf = (list: readonly SearchJob[]) => runs.filter(({ key }) => list.some((job) => job.key === key));
    const groups = { experiment: isOf(jobs), control: isOf(controls) };
    const has = ({ result }: FinishedSearch) => result.simplified !== null && hasSign(result.simplified);
    const found = groups.experiment.filter(has).length;
    const inControl = groups.control.filter(has).length;
    const p = fisherGreater(
      { with: found, all: groups.experiment.length },
      { with: inControl, all: groups.control.length },
    );
    const bar = (label: string, k: number, n: number, ofPaper: number) => ({
      name: label,
      ...estimatePart(k, n),
      paper: ofPaper / PAPER_REPEATS,
    });
    return {
      claims: [
        {
          claim: `${sign}: in experiments, in controls`,
          paper: `${paper.found}/${PAPER_REPEATS}, ${paper.control}/${PAPER_REPEATS}, ${paper.p}`,
          ours: `${found}/${groups.experiment.length}, ${inControl}/${groups.control.length}, p = ${shortNumber(p)}`,
          verdict: p < 0.05 ? 'reproduced' : found > inControl ? 'partly' : found === 0 ? 'open' : 'not-reproduced',
        },
      ],
      figures: [
        {
          kind: 'bars',
          title: `Runs that found it: ${sign}`,
          caption: 'The part of the runs, with 95 % intervals; the paper beside it.',
          y: { label: 'part of the runs', from: 0, to: 1 },
          bars: [
            bar('experiment', found, groups.experiment.length, paper.found),
            bar('control', inControl, groups.control.length, paper.control),
          ],
        },
      ],
      tables: [
        {
          name: 'runs',
          title: 'Every run',
          columns: ['group', 'seed', 'select fitness', 'algorithms', 'found', 'techniques'],
          rows: (['experiment', 'control'] as const).flatMap((group) =>
            groups[group].map((one) => [
              group,
              one.result.seed,
              one.result.selectFitness,
              one.result.algorithms,
              has(one) ? 'yes' : 'no',
              one.result.simplified === null ? '' : describeTechniques(techniquesOf(one.result.simplified, true)),
            ]),
          ),
        },
      ],
      programs: bestOf(groups.experiment.filter(has), 1).concat(bestOf(groups.experiment, 1)).slice(0, 1),
      notes: [
        `Found by \`explain\` or by its ops in the live part of the program that each run selected: ${sign}. The paper's authors looked for it by hand, after seeing it.`,
        ...(laboratory.scale === 'paper'
          ? []
          : [
              `${sizes.experiment.algorithms?.toLocaleString('en-US')} algorithms a run on one island, where the paper has 1,000 processes: ${sizes.experiment.set.join(', ')}; control: ${sizes.control.set.join(', ')}.`,
            ]),
      ],
    };
  }
  return { name, title, paper: 'Section 4.3', question, laptopMinutes, run };
}

/** One group, and fewer examples to validate on: with 100 epochs validation is what takes the time. */
function small(
  train: number,
  valid: number,
  epochs: number,
  { algorithms, repeats }: Pick<Size, 'algorithms' | 'repeats'>,
): Size {
  const after = (part: number) =>
    epochs === 1 ? { train: train * part, epochs } : { train, epochs: Math.max(1, epochs * part) };
  const stages = [
    { ...after(0.1), valid: valid / 2 },
    { ...after(0.4), valid },
  ];
  return {
    repeats,
    islands: 1,
    algorithms,
    set: [
      'precision=f32',
      'islands.vary=[]',
      `tasks.search.train=${train}`,
      `tasks.search.valid=${valid}`,
      `tasks.search.epochs=${epochs}`,
      // Selection trains as long as the search: what is found for short training is not best after long.
      `tasks.select.train=${train}`,
      `tasks.select.epochs=${epochs}`,
      `tasks.final.epochs=${epochs}`,
      `evaluation.hurdles.stages=${JSON.stringify(stages)}`,
      'tasks.select.count=45',
      'tasks.final.count=1',
    ],
  };
}

function smoke(train: number): Size {
  const size = small(train, 20, 10, { algorithms: 200, repeats: 2 });
  const tiny = ['tasks.search.count=2', 'tasks.select.count=2', 'tasks.select.train=80', 'tasks.select.valid=20'];
  return { ...size, set: [...size.set, ...tiny] };
}

/** Minutes on two cores: repeats enough to see what nearly all runs or none of them find. */
const LAPTOP = { algorithms: 100_000, repeats: 8 };

const PAPER_SIZE: Size = { repeats: PAPER_REPEATS, islands: 1000, algorithms: null, set: ['stop.minutes=7200'] };
const PAPER_SIZES = { experiment: PAPER_SIZE, control: PAPER_SIZE };

export const fewExamples = adaptation({
  name: 'few-examples',
  title: 'Few training examples: the noisy ReLU',
  question: 'Does evolution inject noise when there are few examples, and not when there are many?',
  preset: 'few-examples',
  control: 'few-examples-control',
  laptopMinutes: 25,
  sign: 'injected noise',
  hasSign: (text) => techniquesOf(text, true).includes('noise'),
  paper: { found: 8, control: 0, p: 'p < 0.0005' },
  sizes: {
    smoke: { experiment: smoke(80), control: smoke(160) },
    laptop: { experiment: small(80, 200, 100, LAPTOP), control: small(800, 200, 100, LAPTOP) },
    paper: PAPER_SIZES,
  },
});

export const fastTraining = adaptation({
  name: 'fast-training',
  title: 'Fast training: learning-rate decay',
  question: 'Does evolution make the learning rate decay when training must be fast, and not when there is time?',
  preset: 'fast-training',
  control: 'few-examples-control',
  laptopMinutes: 16,
  sign: 'decaying learning rate',
  hasSign: (text) => techniquesOf(text, true).includes('learning-rate-decay'),
  paper: { found: 30, control: 3, p: 'p < 1e-14' },
  sizes: {
    smoke: { experiment: smoke(80), control: smoke(160) },
    laptop: { experiment: small(800, 200, 10, LAPTOP), control: small(800, 200, 100, LAPTOP) },
    paper: PAPER_SIZES,
  },
});

export const multiClass = adaptation({
  name: 'multi-class',
  title: 'Multiple classes: the mean of the weights as learning rate',
  question:
    'Does evolution make the learning rate of the weights when there are ten classes, and not when there are two?',
  preset: 'multi-class',
  control: 'multi-class-control',
  laptopMinutes: 5,
  sign: 'the mean of a matrix in use',
  hasSign: (text) => uses(text, 'matrix-mean'),
  paper: { found: 24, control: 0, p: 'p < 1e-11' },
  sizes: {
    smoke: { experiment: smoke(80), control: smoke(160) },
    laptop: {
      experiment: small(10_000, 1000, 1, { algorithms: 60_000, repeats: 8 }),
      control: small(8000, 1000, 1, { algorithms: 60_000, repeats: 8 }),
    },
    paper: PAPER_SIZES,
  },
});

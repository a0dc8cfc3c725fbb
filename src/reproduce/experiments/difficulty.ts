// Figure 4: evolution against random search, on linear and affine tasks, for only the learning and for the whole algorithm. A success is
// counted once per experiment, as the paper does for evolution.
import { readEvents } from '../../runs/read-events.js';
import { type Estimate, estimatePart, estimateRate, rateGreater } from '../estimates.js';
import type { Cell, Claim, Figure, Table, Verdict } from '../findings.js';
import type { FinishedSearch, Laboratory, SearchJob } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';

interface Family {
  readonly preset: string;
  readonly name: string;
  /** Algorithms of an experiment: the paper's for evolution; of random search, few enough that some experiments fail. */
  readonly size: number;
  readonly randomSize: number;
}

const FAMILIES: readonly Family[] = [
  { preset: 'linear-learn', name: 'linear, only the learning', size: 10_000, randomSize: 10_000 },
  { preset: 'affine-learn', name: 'affine, only the learning', size: 10_000, randomSize: 100_000 },
  { preset: 'linear-paper', name: 'linear, full algorithm', size: 10_000, randomSize: 100_000 },
  { preset: 'affine', name: 'affine, full algorithm', size: 100_000, randomSize: 100_000 },
];

interface Size {
  /** Parts that run side by side, each with seeds of its own. */
  readonly parts: number;
  /** Algorithms in all: of evolution, of random search. */
  readonly evolution: readonly number[];
  readonly random: readonly number[];
}

const SIZES: ByScale<Size> = {
  smoke: { parts: 1, evolution: [20_000, 20_000, 20_000, 100_000], random: [20_000, 100_000, 100_000, 100_000] },
  laptop: { parts: 4, evolution: [2e7, 1e8, 5e7, 1e8], random: [2e7, 1e8, 1e8, 2e7] },
  paper: { parts: 40, evolution: [1e8, 1e8, 1e9, 1e10], random: [1e8, 1e9, 1e9, 1e10] },
};

/** As good as the known solutions at a learning rate of 0.01 or better, on the tasks of the experiment. */
const ACCEPTABLE = 0.9999;
/** Chance explains differences that are less surprising. */
const SURPRISING = 0.05;
const METHODS = ['evolution', 'random'] as const;
type Method = (typeof METHODS)[number];

interface Outcome {
  readonly family: Family;
  readonly method: Method;
  readonly experiments: number;
  readonly found: number;
  readonly algorithms: number;
  readonly seconds: number;
  readonly rate: Estimate;
}

function jobsFor({ scale, seed }: Laboratory, family: Family, method: Method, index: number): SearchJob[] {
  const { parts, ...totals } = SIZES[scale];
  const size = method === 'evolution' ? family.size : family.randomSize;
  const experiments = Math.max(1, Math.round(totals[method][index]! / size / parts));
  return Array.from({ length: parts }, (_, part) => ({
    key: `${family.preset}-${method}-${part}`,
    preset: family.preset,
    seed: seed + part,
    islands: 1,
    set: [
      `search.method=${method}`,
      `experiment.algorithms=${size}`,
      `stop.experiments=${experiments}`,
      'stop.fitness=null',
      // Nothing is selected here: what counts is what the searches find.
      'tasks.select.count=1',
      'tasks.final.count=1',
    ],
  }));
}

function measure(family: Family, method: Method, runs: readonly FinishedSearch[]): Outcome {
  let experiments = 0;
  let found = 0;
  for (const { directory } of runs) {
    for (const event of readEvents(directory)) {
      if (event.type !== 'experiment-end') continue;
      experiments++;
      if (event.best >= ACCEPTABLE) found++;
    }
  }
  const sum = (of: (run: FinishedSearch) => number) => runs.reduce((total, run) => total + of(run), 0);
  const algorithms = sum(({ result }) => result.algorithms);
  const size = algorithms / experiments;
  const part = estimatePart(found, experiments);
  const rate =
    method === 'random'
      ? estimateRate(found, experiments, size)
      : { value: part.value / size, low: part.low / size, high: part.high / size };
  return { family, method, experiments, found, algorithms, seconds: sum(({ result }) => result.seconds), rate };
}

// --- What it shows -----------------------------------------------------------------------------------------------------

function power(x: number): string {
  return x === 0 ? '0' : x.toExponential(1).replace('e+', 'e');
}

function rateText({ rate }: Outcome): string {
  if (rate.value === 0) return `none (below ${power(rate.high)})`;
  return `${power(rate.value)} (${power(rate.low)} to ${power(rate.high)})`;
}

interface Pair {
  readonly family: Family;
  readonly evolution: Outcome;
  readonly random: Outcome;
  /** How many times as often evolution succeeds, and how often at least. */
  readonly advantage: number | null;
  readonly atLeast: number;
}

function compare(evolution: Outcome, random: Outcome): Pair {
  const { family } = evolution;
  const advantage = random.found === 0 ? null : evolution.rate.value / random.rate.value;
  return { family, evolution, random, advantage, atLeast: evolution.rate.low / random.rate.high };
}

function advantageText({ advantage, atLeast }: Pair): string {
  return advantage === null ? `above ${atLeast.toPrecision(2)}` : `${advantage.toPrecision(2)}`;
}

/** Of a claim that evolution is so many times as good. */
function judgeAdvantage({ evolution, random, advantage }: Pair, times: number): Verdict {
  const events = ({ found, algorithms }: Outcome) => ({ found, tries: algorithms });
  if (rateGreater(events(evolution), events(random)) >= SURPRISING) return 'open';
  return advantage === null || Number(advantage.toPrecision(2)) >= times ? 'reproduced' : 'partly';
}

/** Whether the advantage is larger where random search finds less; of families in which both find something. */
function judgeGrowth(pairs: readonly Pair[]): Verdict {
  const known = pairs.filter(({ evolution, random }) => evolution.found > 0 && random.found > 0);
  if (known.length < 2) return 'open';
  const sorted = known.toSorted((a, b) => b.random.rate.value - a.random.rate.value);
  const grows = sorted.every((pair, k) => k === 0 || pair.advantage! > sorted[k - 1]!.advantage!);
  if (!grows) return 'not-reproduced';
  return known.length < 3 ? 'partly' : 'reproduced';
}

function claimsOf(pairs: readonly Pair[]): Claim[] {
  const linear = pairs.find(({ family }) => family.preset === 'linear-paper')!;
  const difficulty = linear.random.rate;
  const measured = pairs.filter((pair) => pair.evolution.found > 0);
  return [
    {
      claim: 'Density of acceptable linear regressors',
      paper: 'about 1e-7',
      ours: rateText(linear.random),
      verdict:
        difficulty.value === 0 ? 'open' : difficulty.low < 1e-6 && difficulty.high > 1e-8 ? 'reproduced' : 'partly',
    },
    {
      claim: 'Evolution against random search, linear regressor',
      paper: '5 times',
      ours: `${advantageText(linear)} times (${linear.evolution.found} successes against ${linear.random.found})`,
      verdict: judgeAdvantage(linear, 5),
    },
    {
      claim: 'The advantage grows with difficulty',
      paper: 'yes (figure 4)',
      ours: measured.map((pair) => `${pair.family.name}: ${advantageText(pair)}`).join('; '),
      note: 'Where random search finds nothing, the advantage is at least that of the 95 % bounds.',
      verdict: judgeGrowth(pairs),
    },
  ];
}

function figureOf(pairs: readonly Pair[]): Figure {
  const series = METHODS.map((method) => ({
    name: method === 'evolution' ? 'evolution' : 'random search',
    shape: 'points' as const,
    points: pairs
      .map((pair) => ({ pair, outcome: pair[method] }))
      .filter(({ outcome }) => outcome.found > 0)
      .map(({ pair, outcome: { rate } }) => ({
        // Difficulty: how many random programs it takes; where none was found, at least so many.
        x: 1 / (pair.random.rate.value || pair.random.rate.high),
        y: rate.value,
        low: rate.low || rate.value,
        high: rate.high,
        ...(method === 'evolution' && { label: pair.family.name }),
      })),
  }));
  return {
    kind: 'plot',
    title: 'Success rates over difficulty',
    caption:
      'Acceptable algorithms per algorithm tried. Difficulty is one over the rate of random search; where that found nothing, its 95 % bound.',
    x: { label: 'difficulty (random programs per success)', log: true },
    y: { label: 'successes per algorithm', log: true },
    series,
  };
}

function tableOf(outcomes: readonly Outcome[]): Table {
  const rows: Cell[][] = outcomes.map((outcome) => {
    const { family, method, experiments, found, algorithms, seconds, rate } = outcome;
    return [
      family.name,
      method,
      algorithms,
      experiments,
      found,
      Number(rate.value.toPrecision(3)),
      Number(rate.low.toPrecision(3)),
      Number(rate.high.toPrecision(3)),
      Math.round(algorithms / seconds),
    ];
  });
  const columns = ['tasks', 'method', 'algorithms', 'experiments', 'successes', 'rate', 'low', 'high', 'per second'];
  return { name: 'success-rates', title: 'Success rates, with 95 % intervals', columns, rows };
}

async function run(laboratory: Laboratory): Promise<Conclusions> {
  const plans = FAMILIES.flatMap((family, index) =>
    METHODS.map((method) => ({ family, method, jobs: jobsFor(laboratory, family, method, index) })),
  );
  const runs = await laboratory.search(plans.flatMap(({ jobs }) => jobs));
  const byKey = new Map(runs.map((one) => [one.key, one]));
  const outcomes = plans.map(({ family, method, jobs }) =>
    measure(
      family,
      method,
      jobs.map(({ key }) => byKey.get(key)!),
    ),
  );
  const pairs = FAMILIES.map((family) => {
    const of = (method: Method) => outcomes.find((one) => one.family === family && one.method === method)!;
    return compare(of('evolution'), of('random'));
  });
  const random = outcomes.filter(({ method }) => method === 'random');
  const total = (of: (outcome: Outcome) => number) => random.reduce((sum, one) => sum + of(one), 0);
  return {
    claims: claimsOf(pairs),
    figures: [figureOf(pairs)],
    tables: [tableOf(outcomes)],
    programs: [],
    notes: [
      `An algorithm is acceptable if its fitness on the tasks of its experiment is at least ${ACCEPTABLE}; the paper asks for a lower mean error than a hand-made reference.`,
      'The rate of evolution counts at most one success per experiment, as in the paper, which is unfair to it. That of random search is worked out from the part of experiments without a success, which undoes this.',
      `Random search tried ${Math.round(total(({ algorithms }) => algorithms) / total(({ seconds }) => seconds)).toLocaleString('en-US')} programs a second on one core.`,
      'The rates of algorithms per second are of runs that share the machine with others of the same reproduction.',
    ],
  };
}

export const difficulty: Reproduction = {
  name: 'difficulty',
  title: 'Evolution against random search',
  paper: 'Figure 4',
  question: 'How sparse are algorithms that solve easy problems, and how much better than random search is evolution?',
  laptopMinutes: 30,
  run,
};

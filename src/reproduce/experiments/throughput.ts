// Section "Search Method" and the conclusion: algorithms per second and core, and what functional equivalence checking and hurdles save.
import type { Laboratory } from '../laboratory.js';
import type { ByScale, Conclusions, Reproduction } from '../reproduction.js';

interface Workload {
  readonly name: string;
  readonly metric: string;
  readonly value: number;
  readonly vsOriginal: number | null;
}

const WORKLOADS: ByScale<readonly string[]> = {
  // One that takes seconds, to see that everything works.
  smoke: ['network-step-f4-f64'],
  laptop: ['demo-search', 'full-space-search', 'fingerprint-speedup', 'hurdle-speedup'],
  paper: ['demo-search', 'full-space-search', 'fingerprint-speedup', 'hurdle-speedup'],
};

const CLAIMS = [
  {
    name: 'full-space-search',
    claim: 'Algorithms per second and core, nearly all ops',
    paper: '2,000 to 10,000',
    least: 2000,
  },
  { name: 'fingerprint-speedup', claim: 'Speed-up by functional equivalence checking', paper: '4 times', least: 4 },
  { name: 'hurdle-speedup', claim: 'Speed-up by hurdles', paper: '5 times', least: 5 },
];

async function run(laboratory: Laboratory): Promise<Conclusions> {
  const names = WORKLOADS[laboratory.scale];
  const [bench] = await laboratory.measure<{ workloads: readonly Workload[] }>([
    { key: 'bench', args: ['bench', '--only', names.join(',')], isSingle: true },
  ]);
  const find = (name: string) => bench!.workloads.find((one) => one.name === name);
  const number = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2));
  return {
    claims: CLAIMS.flatMap(({ name, claim, paper, least }) => {
      const found = find(name);
      if (found === undefined) return [];
      const ratio = found.vsOriginal === null ? '' : `; ${found.vsOriginal.toFixed(1)} times the C++ original`;
      const verdict = found.value >= least ? ('reproduced' as const) : ('partly' as const);
      return [{ claim, paper, ours: `${number(found.value)}${ratio}`, verdict }];
    }),
    figures: [],
    tables: [
      {
        name: 'workloads',
        title: 'As `evozero bench` prints them',
        columns: ['workload', 'metric', 'value', 'times the original'],
        rows: bench!.workloads.map(({ name, metric, value, vsOriginal }) => [name, metric, value, vsOriginal]),
      },
    ],
    programs: [],
    notes: ['One core. Benchmarks are sensitive to whatever else the machine does.'],
  };
}

export const throughput: Reproduction = {
  name: 'throughput',
  title: 'Algorithms per second',
  paper: 'Sections 3.2 and 5',
  question: 'How many algorithms a second does a core try, and what do the two savings save?',
  laptopMinutes: 3,
  run,
};

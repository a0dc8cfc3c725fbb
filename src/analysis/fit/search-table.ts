// The search of a fit: evolution on splits of a table, from linear models and networks or from nothing, until the time is over. Must not
// know what is done with the programs that are found.
import { type Famous, HallOfFame } from '../../evolve/hall-of-fame.js';
import { type Config, parseConfig } from '../../experiment/config.js';
import type { Field } from '../../experiment/field.js';
import { HALL_SIZE } from '../../experiment/hall-size.js';
import { printProgram } from '../../program/print.js';
import type { LabelKind } from '../../program/program.js';
import type { OpenTasks } from '../../tasks/open-tasks.js';
import type { ReadTable } from '../../tasks/tabular/tabular.js';
import type { Baseline } from './baselines.js';
import { openSplits, type SplitRequest } from './splits.js';

/** More than any machine proposes. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Between two looks at the clock. */
const STRETCH = { algorithms: 2000, work: 3e8 };

export interface TableSearch {
  readonly labels: LabelKind;
  readonly splits: SplitRequest;
  readonly seed: number;
  readonly islands: number;
  /** What the first population is made of; empty programs if there are none. */
  readonly initial: readonly Baseline[];
  readonly maxAlgorithms: number | undefined;
}

export interface SearchServices {
  /** Where islands run. */
  readonly makeField: (config: Config, openTasks: OpenTasks) => Field;
  /** Whether the time for the search is over. */
  readonly isOver: () => boolean;
  readonly onSearch: (algorithms: number, best: number) => void;
}

export interface Found {
  readonly algorithms: number;
  /** From the best to the worst by the search's own tasks. */
  readonly hall: readonly Famous[];
}

function makeConfig({ labels, splits, seed, islands, initial, maxAlgorithms = UNLIMITED }: TableSearch): Config {
  // A configuration names a set of tasks; the tasks themselves are those of the table.
  const tasks = { set: labels === 'vector' ? 'digits-multiclass-search' : 'linear', count: splits.count };
  return parseConfig({
    name: 'fit',
    seed,
    space: {
      memory: { scalars: 8, vectors: 14, matrices: 4 },
      setup: { ops: '56-64', min: 0, max: 12 },
      predict: { ops: '0-55', min: 0, max: 16 },
      learn: { ops: '0-55', min: 0, max: 24 },
    },
    search: {
      population: 100,
      tournament: 10,
      mutations: 'paper',
      initial: initial.length === 0 ? ['empty'] : initial.map(({ program }) => printProgram(program, labels)),
    },
    tasks: { search: tasks, select: tasks, final: tasks },
    evaluation: { fitness: 'mean' },
    islands: { count: islands },
    stop: { algorithms: maxAlgorithms },
  });
}

export async function searchTable(read: ReadTable, search: TableSearch, services: SearchServices): Promise<Found> {
  const field = services.makeField(makeConfig(search), async () => openSplits(read, search.splits));
  const hall = new HallOfFame(HALL_SIZE);
  const allowance = { algorithms: search.maxAlgorithms ?? UNLIMITED, trainSteps: UNLIMITED };
  try {
    await field.begin(1, allowance);
    for (;;) {
      const work = field.counts.work + STRETCH.work;
      const { ended } = await field.advance({ algorithms: STRETCH.algorithms, work }, hall);
      services.onSearch(field.algorithms, hall.entries[0]?.fitness ?? 0);
      if (ended !== undefined || services.isOver()) return { algorithms: field.algorithms, hall: hall.entries };
    }
  } finally {
    field.dispose();
  }
}

// The tasks that an experiment searches on: fresh ones for every experiment and every group of islands. Must not know what is done
// with them.
import type { Task } from '../engine/engine.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import { deriveSeed } from '../util/random.js';
import type { Config } from './config.js';
import { openTaskSet } from './scoring.js';

/** What a seed draws, each from a stream of its own. The search itself draws from others (experiment.ts, island.ts). */
export const DRAW = { search: 1, searchTasks: 2, selectTasks: 3, finalTasks: 4, migration: 5 } as const;

/** `config` is that of the group. */
export async function openSearchTasks(
  { seed, tasks }: Config,
  openTasks: OpenTasks,
  experiment: number,
  group: number,
): Promise<Task[]> {
  const path = group === 0 ? [experiment] : [experiment, group];
  const opened = await openTaskSet(openTasks, tasks.search, deriveSeed(seed, DRAW.searchTasks, ...path));
  return Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
}

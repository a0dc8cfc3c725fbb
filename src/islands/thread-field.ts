// The islands of a run on the threads of one machine. Must not know runs.
import { availableParallelism } from 'node:os';
import { Archipelago } from '../experiment/archipelago.js';
import type { Config } from '../experiment/config.js';
import type { Field } from '../experiment/field.js';
import { islandCount } from '../experiment/groups.js';
import type { OpenTasks } from '../tasks/open-tasks.js';
import { ThreadHost } from './thread-host.js';

/** How many threads can search at once on this machine. */
export function coreCount(): number {
  return availableParallelism();
}

/** Where cores would wait for the one with an island more, and there are not more islands than this for each: a thread for every island. */
const MOST_ISLANDS_ALONE = 4;

/** Threads for so many islands, if nobody says: one for each core, unless the cores share the islands better with one for each island. */
export function threadCount(islands: number, cores = coreCount()): number {
  const isEven = islands % cores === 0;
  return isEven || islands > MOST_ISLANDS_ALONE * cores ? Math.min(islands, cores) : islands;
}

/** Nothing for one island, which needs no thread of its own. */
export function threadField(config: Config, openTasks: OpenTasks, workers?: number): Field | undefined {
  const islands = islandCount(config);
  if (islands === 1) return undefined;
  const threads = workers ?? threadCount(islands);
  const hosts = Array.from({ length: Math.min(threads, islands) }, () => new ThreadHost());
  return new Archipelago(config, openTasks, hosts);
}

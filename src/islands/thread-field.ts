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

/** Nothing for one island, which needs no thread of its own. */
export function threadField(config: Config, openTasks: OpenTasks, threads: number): Field | undefined {
  const islands = islandCount(config);
  if (islands === 1) return undefined;
  const hosts = Array.from({ length: Math.min(threads, islands) }, () => new ThreadHost());
  return new Archipelago(config, openTasks, hosts);
}

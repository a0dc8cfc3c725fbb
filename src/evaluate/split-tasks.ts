// How many tasks are evaluated together where tasks are made as they are needed. Must not know programs.
import type { OpenedTasks } from '../tasks/open-tasks.js';

/** Tasks that are evaluated together, at most, and the numbers in them: many are faster, few need less memory. */
const TASKS_AT_ONCE = 10;
const NUMBERS_AT_ONCE = 2 ** 25;

/** Parts of a list of tasks that are evaluated together. */
export function splitTasks(
  { features, trainCount, validCount }: Pick<OpenedTasks, 'features' | 'trainCount' | 'validCount'>,
  tasks: readonly number[],
): number[][] {
  const fitting = Math.floor(NUMBERS_AT_ONCE / (features * (trainCount + validCount)));
  const size = Math.max(1, Math.min(TASKS_AT_ONCE, fitting));
  return Array.from({ length: Math.ceil(tasks.length / size) }, (_, k) => tasks.slice(k * size, (k + 1) * size));
}

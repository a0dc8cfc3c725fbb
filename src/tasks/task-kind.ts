// What tasks can ask for, whatever they are made of, and how engines judge each.
import type { Loss } from '../engine/engine.js';

export const TASK_KINDS = ['regression', 'binary', 'multiclass'] as const;
/** What a table's target is: a number, or one of several classes. */
export type TaskKind = (typeof TASK_KINDS)[number];

export const LOSS_OF_KIND: Readonly<Record<TaskKind, Loss>> = {
  regression: 'rms',
  binary: 'accuracy',
  multiclass: 'multiclass',
};

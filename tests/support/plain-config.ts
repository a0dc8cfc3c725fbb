// A small configuration that tests change, and what is wrong with one.
import { ConfigError } from '../../src/experiment/config-error.js';

export type Fields = Record<string, unknown>;

export const plain = {
  space: {
    memory: { scalars: 5, vectors: 4, matrices: 1 },
    setup: { ops: 56, min: 1, max: 3 },
    predict: { ops: 'dot, 1', min: 1, max: 3 },
    learn: { ops: ['0-3', 18, 'vector-add'], min: 0, max: 6 },
  },
  search: { population: 10, tournament: 3, mutations: 'paper' },
  tasks: {
    search: { set: 'linear-search', count: 3 },
    select: { set: 'linear-select', count: 10 },
    final: { set: 'linear-final', count: 10 },
  },
  stop: { minutes: 1 },
};

/** The plain configuration with the fields at some paths set, or removed if undefined. */
export function change(fields: Fields): unknown {
  const copy = structuredClone(plain) as Fields;
  for (const [path, value] of Object.entries(fields)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    let at = copy;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Fields;
    }
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return copy;
}

export function mistakeOf(work: () => unknown): ConfigError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

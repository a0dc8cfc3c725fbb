import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../experiment/events.js';
import { findPreset } from '../experiment/presets.js';
import { collectRun, type RunSource } from './reported-run.js';

const PROGRAM = 'def Setup():\n  s2 = 0.5\n\ndef Predict(v0):\n  s1 = dot(v0, v1)\n\ndef Learn(v0, s0):\n';

function best(experiment: number, algorithms: number, id: number, fitness: number, ancestor: number | null): RunEvent {
  const made = { origin: 'insert', parent: null, ancestor, hash: '', program: PROGRAM } as const;
  return { type: 'best', experiment, algorithms, id, fitness, ...made };
}

function select(experiment: number, algorithms: number, id: number, isBest: boolean): RunEvent {
  return { type: 'select', experiment, algorithms, id, searchFitness: 0.6, selectFitness: 0.5, isBest };
}

const EVENTS: readonly RunEvent[] = [
  { type: 'experiment', experiment: 1, algorithms: 0 },
  best(1, 10, 9, 0.3, null),
  best(1, 40, 39, 0.6, 9),
  select(1, 100, 39, true),
  { type: 'experiment', experiment: 2, algorithms: 100 },
  best(2, 150, 49, 0.4, null),
  best(2, 190, 89, 0.7, 49),
];

function collect(events: readonly RunEvent[], changes: Partial<RunSource> = {}) {
  return collectRun({
    name: 'run',
    directory: 'runs/run',
    status: 'stopped',
    version: '1.2.3',
    config: findPreset('linear'),
    result: undefined,
    events: () => events,
    seconds: 7,
    program: undefined,
    ...changes,
  });
}

describe('a run without a result', () => {
  test('has what it selected, not what came later', () => {
    const { data, selected, isWhole, seconds } = collect(EVENTS);
    expect(data.result).toMatchObject({ searchFitness: 0.6, selectFitness: 0.5, finalFitness: null, success: null });
    expect(data.result).toMatchObject({ experiments: 2, algorithms: 190, program: PROGRAM });
    expect(data.result.lineage.map(({ id }) => id)).toEqual([9, 39]);
    expect([selected, isWhole, seconds]).toEqual([1, true, 7]);
  });

  test('has its program without what has no effect too', () => {
    const { simplified } = collect(EVENTS).data.result;
    expect(simplified).toContain('s1 = dot(v0, v1)');
    expect(simplified).not.toContain('s2 = 0.5');
    expect(collect([], { program: 'no program' }).data.result.simplified).toBe('no program');
  });

  test('that has told nothing has nothing', () => {
    const { data, counts, lines } = collect([]);
    expect(data.result).toMatchObject({ program: null, simplified: null, searchFitness: null, algorithms: 0 });
    expect([counts, lines]).toEqual([undefined, []]);
  });
});

test('progress is the best of all experiments so far, over all algorithms', () => {
  const points = collect(EVENTS).progress.map(({ algorithms, fitness }) => [algorithms, fitness]);
  expect(points).toEqual([
    [10, 0.3],
    [40, 0.6],
    [150, 0.6],
    [190, 0.7],
  ]);
});

test('what one island counts is not what the run counts', () => {
  const counts = { migrations: 1, sent: 1, received: 1, judged: 0, refused: 0, best: 0.1, mean: null };
  const migration: RunEvent = { type: 'migration', experiment: 2, island: 1, algorithms: 7, ...counts };
  expect(collect([...EVENTS, migration]).data.result.algorithms).toBe(190);
});

import { expect, test } from 'vitest';
import type { Laboratory, MeasureJob } from '../laboratory.js';
import { final } from './final.js';

test('the table tells the seeds that were evaluated', async () => {
  const evaluated: number[] = [];
  const answer = ({ args }: MeasureJob) => {
    if (args[0] !== 'eval') return { programs: [{ tuned: '' }] };
    evaluated.push(Number(args[args.indexOf('--seed') + 1]));
    return { mean: 0.5 };
  };
  const laboratory = {
    scale: 'laptop',
    seed: 7,
    search: async () => [],
    measure: async (jobs: readonly MeasureJob[]) => jobs.map(answer),
    write: (name: string) => name,
  } as unknown as Laboratory;
  const { tables } = await final.run(laboratory);
  const { columns, rows } = tables[0]!;
  expect(rows.map((row) => row[columns.indexOf('seed')])).toEqual(evaluated);
  expect([...new Set(evaluated)].length).toBeGreaterThan(1);
  expect(Math.min(...evaluated)).toBe(7);
});

import { expect, it, vi } from 'vitest';
import { SharedAnswers } from './shared-answers.js';

it('are made once for all who ask, and again if they were not whole or failed', async () => {
  const shared = new SharedAnswers();
  const make = vi.fn(async () => make.mock.calls.length);
  const ask = (key: string) => shared.answer(key, make, (count) => count > 1);
  // The first is not whole.
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([2, 2, 3]);
  expect([await ask('a'), await ask('b')]).toEqual([2, 3]);
  make.mockRejectedValueOnce(new Error('no'));
  await expect(ask('c')).rejects.toThrow('no');
  expect(await ask('c')).toBe(5);
});

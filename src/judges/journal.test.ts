import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import type { Judge, Trial } from '../analysis/judge.js';
import { keepJournal } from './journal.js';

const TRIAL: Trial = { program: {} as Trial['program'], tasks: [0] };

/** A judge that counts what it is asked. */
function countingJudge(): Judge & { asked: number } {
  const judge = {
    asked: 0,
    loss: 'rms',
    features: 4,
    count: 1,
    trainSteps: 10,
    async judge(trials, onJudged) {
      judge.asked += trials.length;
      return trials.map((_, k) => {
        const verdict = [{ fitness: 0.5, trainSteps: 10 }];
        onJudged?.(k, verdict);
        return verdict;
      });
    },
    dispose: () => {},
  } as Judge & { asked: number };
  return judge;
}

it('answers what it was asked before, in folders that it makes', async () => {
  const folder = emptyFolder();
  const path = join(folder, 'a/b/measured.jsonl');
  const judge = countingJudge();
  const [first] = await keepJournal(judge, path).judge([TRIAL]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
  const again = keepJournal(judge, path);
  expect([again.known, await again.judge([TRIAL])]).toEqual([1, [first]]);
  expect(judge.asked).toBe(1);
  again.forget();
  expect(readdirSync(join(folder, 'a/b'))).toEqual([]);
});

it('only asks where no folder can be made', async () => {
  const judge = countingJudge();
  for (const path of ['/proc/evozero/measured.jsonl', '/proc/self/status/x/measured.jsonl']) {
    await keepJournal(judge, path).judge([TRIAL]);
    await keepJournal(judge, path).judge([TRIAL]);
  }
  expect(judge.asked).toBe(4);
});

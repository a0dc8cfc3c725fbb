import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { createRun, openRun } from './run-directory.js';
import { RunError } from './run-error.js';
import { describeRun, readResult } from './run-files.js';

function directoryIn(folder: string): string {
  return join(folder, 'linear-0');
}

test('tells whether a run is running, stopped or finished, and touches nothing', () => {
  const directory = directoryIn(emptyFolder());
  const base = { name: 'linear-0', config: { seed: 3 }, version: '1.2.3' };
  const run = createRun(directory, { seed: 3 }, '1.2.3');
  expect(describeRun(directory)).toEqual({ ...base, status: 'running' });
  expect(readResult(directory)).toBeUndefined();
  run.close();
  expect(describeRun(`${directory}/`)).toEqual({ ...base, status: 'stopped' });
  const again = openRun(directory).run;
  again.writeResult({ success: true, best: Number.NaN });
  const result = { success: true, best: 'NaN' };
  expect(describeRun(directory)).toEqual({ ...base, status: 'running', result });
  again.close();
  const before = readdirSync(directory);
  expect(describeRun(directory)).toEqual({ ...base, status: 'finished', result });
  expect(readResult(directory)).toEqual(result);
  expect(readdirSync(directory)).toEqual(before);
});

test('is an error where there is no run, or a damaged one', () => {
  const folder = emptyFolder();
  expect(() => describeRun(folder)).toThrow(RunError);
  expect(() => describeRun(folder)).toThrow(`${folder}: no run directory`);
  const directory = directoryIn(folder);
  createRun(directory, {}, '1.2.3').close();
  writeFileSync(join(directory, 'result.json'), '{"success": tr');
  expect(() => describeRun(directory)).toThrow(`${join(directory, 'result.json')}: damaged, not valid JSON`);
});

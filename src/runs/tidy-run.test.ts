import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/folders.js';
import { tidyRun } from './run-directory.js';
import { FILES } from './run-files.js';
import { identifyProcess } from './run-lock.js';

function makeRun(lock: string | undefined): string {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'result.json'), '{}');
  writeFileSync(join(directory, 'best.alg.01234567-89ab-cdef-0123-456789abcdef.tmp'), '');
  if (lock !== undefined) writeFileSync(join(directory, FILES.lock), lock);
  return directory;
}

test('what a killed process has left of a finished run goes', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const directory = makeRun(JSON.stringify({ ...identifyProcess(process.pid), pid, start: '1' }));
  tidyRun(directory);
  expect(readdirSync(directory)).toEqual(['result.json']);
});

test('nothing goes while somebody writes it, or where nobody was killed', () => {
  const used = makeRun(JSON.stringify(identifyProcess(process.ppid)));
  tidyRun(used);
  expect(readdirSync(used)).toHaveLength(3);
  const ended = makeRun(undefined);
  tidyRun(ended);
  expect(readdirSync(ended)).toHaveLength(2);
});

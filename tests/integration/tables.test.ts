// `evozero eval` on somebody's own table, good and bad.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { evozero } from '../support/cli.js';
import { emptyFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const rows = Array.from({ length: 60 }, (_, k) => `${k % 7},${(k * 3) % 11},${2 * (k % 7) - ((k * 3) % 11)}`);
const write = (content: string | Uint8Array, name = 'table.csv') => {
  const path = join(emptyFolder(), name);
  writeFileSync(path, content);
  return path;
};
const run = (path: string, ...extra: string[]) => ['eval', 'paper/linear', '--tasks', path, '--target', 'y', ...extra];

test('is learned, and what was inferred is shown', () => {
  const { status: code, stdout } = evozero(
    run(write(['a,b,y', ...rows].join('\n')), '--epochs', '20', '--target-kind', 'regression'),
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/table\.csv: 60 rows\n {2}y .*target, regression: as asked/);
  expect(Number(/mean +([\d.]+)/.exec(stdout)![1])).toBeGreaterThan(0.95);
});

test('may be gzipped', () => {
  const path = write(gzipSync(['a,b,y', ...rows].join('\n')), 'table.csv.gz');
  expect(JSON.parse(evozero(run(path, '--json')).stdout)).toMatchObject({
    train: 48,
    valid: 12,
    table: { rowsUsed: 60 },
  });
});

test.each([
  ['ragged rows', `a,b,y\n1,2,3\n"x\ny",2\n`, /table\.csv:3: 2 cells, the header has 3/],
  ['duplicate headers', `a,a,y\n1,2,3\n`, /table\.csv: columns 1 and 2 are both named "a"/],
  ['a header only', 'a,b,y\n', /table\.csv: there is a header, but no rows/],
  ['one row', 'a,b,y\n1,2,3\n', /table\.csv: there is only one row/],
  ['a constant target', `a,y\n${'1,5\n2,5\n'.repeat(10)}`, /target "y" is always "5"/],
  ['no target', 'a,b\n1,2\n', /no column "y"/],
  ['a quote that nobody closes', 'a,y\n1,"2\n3,4\n', /table\.csv:2: a quote is not closed/],
  ['nothing', '', /table\.csv: is empty/],
  ['no text', Uint8Array.of(0, 1, 2), /table\.csv: has NUL bytes/],
])('with %s', (_, content, message) => {
  expectMistake(run(write(content)), message);
});

test('that cannot be reached', () => {
  const loop = join(emptyFolder(), 'loop.csv');
  symlinkSync(loop, loop);
  expectMistake(run(loop), /loop\.csv: too many symbolic links/);
  expectMistake(run(join(write('a,y\n'), 'x.csv')), /x\.csv: is not a directory/);
});

test('takes no flags of other tasks', () => {
  const path = write(['a,b,y', ...rows].join('\n'));
  expectMistake(run(path, '--train', '3'), '--train is for tasks of regression and images, not for ');
  expectMistake(run(path, '--split', '3'), '--split is for tasks of images, not for ');
  expectMistake(
    ['eval', 'paper/linear', '--tasks', 'linear', '--target', 'y'],
    '--target is for tasks of tables, not for linear',
  );
  expectMistake(
    ['eval', 'paper/linear', '--tasks', 'digits', '--label-seed', '1'],
    '--label-seed is for tasks of regression',
  );
  expectMistake(
    ['eval', 'paper/linear', '--tasks', 'digits', '--split', '9007199254740993'],
    /Expected released, or a whole number/,
  );
  expectMistake(['eval', 'paper/linear', '--tasks', path], '--target names the column to predict');
});

test('with words where numbers are asked for', () => {
  expectMistake(run(write(`a,y\n1,2\n2,many\n3,4\n`), '--target-kind', 'regression'), /table\.csv:3: .*"many"/);
});

test('of 10,000 columns', () => {
  const header = Array.from({ length: 10_000 }, (_, k) => `c${k}`).join();
  const lines = Array.from(
    { length: 30 },
    (_, k) => `${Array.from({ length: 10_000 }, (_, j) => (k * j) % 13).join()},${k}`,
  );
  const { stdout } = evozero(run(write([`${header},y`, ...lines].join('\n')), '--json', '--count', '1'), {
    maxBuffer: 2 ** 27,
  });
  expect(JSON.parse(stdout)).toMatchObject({ features: 64, table: { fit: 'projected' } });
});

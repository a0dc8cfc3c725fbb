import { appendFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { DATASETS } from '../tasks/datasets.js';
import type { FoundPart } from './dataset-files.js';
import { recallPart, rememberPart, stampPart } from './part-records.js';

const RECORD = { checksums: ['abc'], classCounts: [1, 2] };

function partWith(content: string): FoundPart & { readonly path: string } {
  const folder = emptyFolder();
  const path = join(folder, 'test_batch.bin');
  writeFileSync(path, content);
  const [edition] = DATASETS.cifar10.editions;
  const batches = [{ format: 'records', files: [{ name: 'test_batch.bin', path }] }] as const;
  return { dataset: DATASETS.cifar10, part: 'test', edition, folder, batches, path };
}

test('a record is recalled while the files are the same', () => {
  const [cache, part] = [emptyFolder(), partWith('x')];
  expect(recallPart(cache, part)).toBeUndefined();
  rememberPart(cache, part, stampPart(part), RECORD);
  expect(recallPart(cache, part)).toMatchObject(RECORD);
  expect(recallPart(cache, partWith('x'))).toBeUndefined();
});

test.each([
  ['longer', (path: string) => appendFileSync(path, 'y')],
  ['younger', (path: string) => utimesSync(path, new Date(), new Date(1e12))],
  // Same size, and a time that was set back: the time of the change of the inode tells.
  ['other content', (path: string) => writeFileSync(path, 'y')],
])('not when one is %s', (_, change) => {
  const [cache, part] = [emptyFolder(), partWith('x')];
  utimesSync(part.path, new Date(1e12 - 1000), new Date(1e12 - 1000));
  rememberPart(cache, part, stampPart(part), RECORD);
  change(part.path);
  expect(recallPart(cache, part)).toBeUndefined();
});

test('a file that changed while it was read is not remembered as it is now', () => {
  const [cache, part] = [emptyFolder(), partWith('x')];
  const before = stampPart(part);
  appendFileSync(part.path, 'y');
  rememberPart(cache, part, before, RECORD);
  expect(recallPart(cache, part)).toBeUndefined();
});

test.each(['', '{', 'null', '[]', '{"version":1}', '{"version":2}'])('a record with %j in it is none', (content) => {
  const [cache, part] = [emptyFolder(), partWith('x')];
  rememberPart(cache, part, stampPart(part), RECORD);
  const [name] = readdirSync(join(cache, 'files'));
  writeFileSync(join(cache, 'files', name!), content);
  expect(recallPart(cache, part)).toBeUndefined();
});

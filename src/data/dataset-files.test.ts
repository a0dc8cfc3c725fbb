import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { findFile, findPart } from './dataset-files.js';

function put(folder: string, ...names: string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

test('a plain file comes before a gzipped one, and a folder is no file', () => {
  const folder = put(emptyFolder(), 'a', 'a.gz', 'b.gz');
  mkdirSync(join(folder, 'b'));
  expect(findFile(folder, 'a')).toBe(join(folder, 'a'));
  expect(findFile(folder, 'b')).toBe(join(folder, 'b.gz'));
  expect(findFile(folder, 'c')).toBeUndefined();
});

test('a part is where all its files are: in the first directory, in any folder it is known by', () => {
  const [first, second] = [emptyFolder(), emptyFolder()];
  const images = 't10k-images-idx3-ubyte';
  const labels = 't10k-labels-idx1-ubyte.gz';
  put(join(first, 'mnist'), images);
  expect(findPart('mnist', 'test', [first, second])).toBeUndefined();
  const raw = put(join(second, 'MNIST/raw'), images, labels);
  expect(findPart('mnist', 'test', [first, second])?.folder).toBe(raw);
  put(join(first, 'mnist'), labels);
  expect(findPart('mnist', 'test', [first, second])?.folder).toBe(join(first, 'mnist'));
  expect(findPart('mnist', 'train', [first, second])).toBeUndefined();
});

test('the published edition comes before a subset', () => {
  const data = emptyFolder();
  put(join(data, 'svhn'), 'svhn_small_train.bin');
  expect(findPart('svhn', 'train', [data])?.edition.note).toMatch('a subset');
  put(join(data, 'svhn'), 'train_32x32.mat');
  expect(findPart('svhn', 'train', [data])?.edition.note).toBeUndefined();
});

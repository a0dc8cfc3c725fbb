import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { makeDirectory } from './make-directory.js';

test('makes a directory with its parents, and leaves one that is there', () => {
  const path = join(emptyFolder(), 'a', 'b', 'c');
  makeDirectory(path);
  makeDirectory(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('refuses where a file is in the way', () => {
  const path = join(emptyFolder(), 'file');
  writeFileSync(path, '');
  expect(() => makeDirectory(path)).toThrow('EEXIST');
  expect(() => makeDirectory(join(path, 'a', 'b'))).toThrow('ENOTDIR');
});

// Node's own mkdir never returns there.
test.runIf(process.platform === 'linux')('refuses below /proc', () => {
  expect(() => makeDirectory('/proc/x/y')).toThrow('ENOENT');
});

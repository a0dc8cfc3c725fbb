import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { UserError } from './errors.js';
import { writeText } from './write-text.js';

test('makes the folder, and leaves nothing but the file', () => {
  const folder = emptyFolder();
  const path = join(folder, 'deep', 'a.txt');
  writeText(path, 'first');
  writeText(path, 'second');
  expect(readdirSync(join(folder, 'deep'))).toEqual(['a.txt']);
  expect(readFileSync(path, 'utf8')).toBe('second');
});

test('writes where a link leads', () => {
  const folder = emptyFolder();
  const [file, link] = ['file', 'link'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  writeText(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('writes into what is no file, and does not take its place', () => {
  const pipe = join(emptyFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Open at both ends, neither of which then waits for the other.
  const end = openSync(pipe, constants.O_RDWR);
  try {
    writeText(pipe, 'through');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    const bytes = Buffer.alloc(20);
    expect(bytes.toString('utf8', 0, readSync(end, bytes))).toBe('through');
  } finally {
    closeSync(end);
  }
});

test('says why not, in one line', () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'file'), '');
  expect(() => writeText(join(folder, 'taken'), '')).toThrow(UserError);
  expect(() => writeText(join(folder, 'taken'), '', '; another')).toThrow(/taken: is a directory; another$/);
  expect(() => writeText(join(folder, 'file', 'below'), '')).toThrow(/below: /);
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});

// docs/security.md names the tests that hold each of its lines: they must be there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli.js';
import { projectFiles } from '../support/tree-copy.js';

const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`: "([^"]+)"/g)].map(([, file, title]) => ({ file, title }));

describe('docs/security.md', () => {
  it('has a test for every threat', () => {
    const threats = page.split('## Not trusted')[1]!.split('## What we do not do')[0]!;
    const rows = threats.split('\n').filter((line) => /^\| (?!what could|---)/.test(line));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => !/`[\w./-]+\.test\.ts`/.test(row))).toEqual([]);
  });

  it.each(named)('$file: $title', ({ file, title }) => {
    expect(existsSync(join(ROOT, file!))).toBe(true);
    expect(readFileSync(join(ROOT, file!), 'utf8')).toContain(title);
  });
});

it('nothing runs text as code', () => {
  const files = projectFiles().filter((path) => /^(src|web|bin)\/.*\.(tsx?|js)$/.test(path));
  const runsText = /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(|from 'node:vm'/;
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((path) => runsText.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

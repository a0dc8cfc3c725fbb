import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './import-rules.js';
import { findPageBreaches } from './page-rules.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('the import rules', () => {
  it('hold in src', () => {
    expect(findBreaches(join(root, 'src'))).toEqual([]);
  });

  it('allow what the architecture allows', () => {
    expect(findBreaches(fixture('good'))).toEqual([]);
  });

  it('forbid a cycle', () => {
    expect(findBreaches(fixture('cycle'))).toEqual(['cycle: util/a.ts -> util/b.ts -> util/c.ts -> util/a.ts']);
  });

  it('forbid an edge against the flow', () => {
    expect(findBreaches(fixture('forbidden-edge'))).toEqual(['ops/o.ts must not import program/p.ts']);
  });

  it('forbid a Node-only import where a browser must run', () => {
    expect(findBreaches(fixture('node-in-browser'))).toEqual([
      'program/load.ts must run in a browser and imports node:fs',
    ]);
  });

  it('forbid a package where a browser must run', () => {
    expect(findBreaches(fixture('package-in-browser'))).toEqual(['ops/s.ts must not need any package and imports zod']);
  });

  it('forbid Redis outside its file', () => {
    expect(findBreaches(fixture('redis'))).toEqual(['cli/r.ts imports ioredis, which only islands/redis.ts may']);
  });

  it('make a Node-only global a compile error where a browser must run', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', fixture('node-global')], { encoding: 'utf8' });
    expect(stdout).toContain("Cannot find name 'process'");
  });
});

describe('the import rules of pages', () => {
  it('hold in web', () => {
    expect(findPageBreaches(join(root, 'web'))).toEqual([]);
  });

  it('forbid other pages, the inside of the server, and what is not for browsers', () => {
    expect(findPageBreaches(fixture('pages'))).toEqual([
      'dashboard/d.tsx must run in a browser and imports node:fs',
      'dashboard/d.tsx must not need another package and imports react',
      'dashboard/d.tsx must not import src/server/catalog.ts',
      'dashboard/d.tsx must not import playground/p.ts',
      'playground/p.ts must not import src/server/api.ts',
      'playground/p.ts must not import src/runs/run-files.ts',
      'shared/s.ts must not import dashboard/d.ts',
    ]);
  });
});

// vitest.config.ts goes by these names: without them a file would leave replaced modules to others, or never try all its cases.
describe('test files in src', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, 'src', file), 'utf8') }));

  it.each([
    ['replace modules', /\bvi\.(mock|doMock)\(/, '.alone.test.ts'],
    ['try some of their cases', /\/support\/amount\.js'/, '.many.test.ts'],
  ])('that %s are named so', (_, sign, end) => {
    const found = files.filter(({ text }) => sign.test(text)).map(({ file }) => file);
    expect(found).not.toEqual([]);
    expect(found.filter((file) => !file.endsWith(end))).toEqual([]);
  });
});

// A script takes the place of evozero: it notes what it was called with, and leaves what a command would leave.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import type { SearchJob } from './laboratory.js';
import { type LaboratoryOptions, localLaboratory } from './local-laboratory.js';

const SCRIPT = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
appendFileSync(join(__dirname, 'calls'), JSON.stringify(args) + '\\n');
if (args[0] === 'run' || args[0] === 'resume') {
  const place = args[0] === 'run' ? args[args.indexOf('--out') + 1] : args[1];
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'result.json'), '{}');
}
console.log('{}');
`;

const JOB: SearchJob = { key: 'search-0', preset: 'linear', seed: 0 };
const MEASURE = { key: 'eval-0', args: ['eval', 'paper/linear', '--seed', '2'] };

/** A laboratory in a folder of its own, and what it calls. */
function prepare() {
  const folder = emptyFolder();
  const script = join(folder, 'script.cjs');
  writeFileSync(script, SCRIPT);
  const open = (directory: string, changes: Partial<LaboratoryOptions> = {}) =>
    localLaboratory({
      name: 'few-examples',
      scale: 'smoke',
      seed: 0,
      directory: join(folder, directory),
      command: [process.execPath, script],
      workers: 1,
      common: [],
      signal: new AbortController().signal,
      onProgress: () => {},
      ...changes,
    });
  const calls = (): string[][] =>
    readFileSync(join(folder, 'calls'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  /** A search that was stopped before it had a result. */
  const begin = (directory: string, config: object) => {
    const run = join(folder, directory, 'runs', JOB.key);
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, 'config.json'), JSON.stringify(config));
  };
  return { open, calls, begin };
}

const flagOf = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

describe('a reproduction that goes on', () => {
  it('may find its data elsewhere, which every command is told', async () => {
    const { open, calls } = prepare();
    const first = open('here', { common: ['--data', 'old'] });
    await first.search([JOB]);
    await first.measure([MEASURE]);
    const later = { key: 'search-1', preset: 'linear', seed: 1 };
    for (const common of [['--data', 'new'], []]) {
      const again = open('here', { common });
      await again.search([JOB, later]);
      await again.measure([MEASURE]);
    }
    // What is done is not done again.
    expect(calls().map((args) => flagOf(args, '--data'))).toEqual(['old', 'old', 'new']);
  });

  it('does not go on with other settings', async () => {
    const { open } = prepare();
    await open('here').search([JOB]);
    const other = { ...JOB, set: ['tasks.search.count=3'] };
    await expect(open('here').search([other])).rejects.toThrow(/search-0 was begun with other settings/);
  });
});

describe('on a Redis', () => {
  const redis = 'redis://localhost';

  it('searches have the names of their reproductions, and those of others have other names', async () => {
    const { open, calls } = prepare();
    await open('a', { redis }).search([JOB]);
    await open('b', { redis, name: 'fast-training' }).search([JOB]);
    await open('c', { redis }).search([JOB]);
    const names = calls().map((args) => flagOf(args, '--name')!);
    expect(names[0]).toMatch(/^few-examples-smoke-search-0-0-[\da-f]{6}$/);
    expect(names[1]).toMatch(/^fast-training-smoke-search-0-0-/);
    expect(new Set(names).size).toBe(3);
  });

  it('a search that was begun is attached to by the name that it has', async () => {
    const { open, calls, begin } = prepare();
    begin('a', { islands: { remote: 'smoke-search-0-0' } });
    await open('a', { redis, common: ['--data', 'D'] }).search([JOB]);
    expect(flagOf(calls()[0]!, '--attach')).toBe('smoke-search-0-0');
    expect(flagOf(calls()[0]!, '--data')).toBe('D');
  });

  it('a search that was begun without it goes on here', async () => {
    const { open, calls, begin } = prepare();
    begin('a', { islands: { remote: null } });
    await open('a', { redis }).search([JOB]);
    expect(calls()[0]!.slice(0, 1)).toEqual(['resume']);
  });
});

// `evozero report` in real processes, on runs that the real command has made.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiled, evozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const path = (...names: string[]) => join(folder, ...names);

function copyRun(name: string, change: (directory: string) => void = () => {}): string {
  cpSync(path('run'), path(name), { recursive: true });
  change(path(name));
  return path(name);
}

function copyUnfinished(name: string, change: (directory: string) => void = () => {}): string {
  return copyRun(name, (directory) => {
    rmSync(join(directory, 'result.json'));
    change(directory);
  });
}

/** Changes fields of a file of JSON. */
function edit(directory: string, file: string, changes: object): void {
  const content = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  writeFileSync(join(directory, file), JSON.stringify({ ...content, ...changes }));
}

function report(args: readonly string[], cwd = folder): { stdout: string; stderr: string } {
  const { status, stdout, stderr } = evozero(['report', ...args], { cwd });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return { stdout, stderr };
}

beforeAll(() => {
  compiled('cli/main.js');
  const made = evozero(['run', 'linear', '--seed', '4', '--workers', '1', '--out', path('run'), '--json']);
  expect(made.status).toBe(0);
}, 120_000);

describe('evozero report', () => {
  it('writes the page of one run into its directory', () => {
    const directory = copyRun('one');
    rmSync(join(directory, 'report.html'));
    const { stdout, stderr } = report([directory]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^1 run in \S+one\/report\.html \(\d+ kB\)\n$/);
    const page = readFileSync(join(directory, 'report.html'), 'utf8');
    expect(page).toContain('<title>linear, seed 4 - evozero</title>');
    expect(page).toContain('stochastic gradient descent');
    expect(page).toContain('evozero run linear --seed 4 --islands 1</pre>');
    expect(page).not.toContain('What each part is worth');
  });

  it('writes the page of several where it is called, or where it is told to', () => {
    const other = copyUnfinished('other');
    const { stdout, stderr } = report([path('run'), other]);
    expect(stdout).toMatch(/^2 runs in report\.html /);
    expect(stderr).toBe('evozero: other: stopped, so that the page shows it as it is now\n');
    const page = readFileSync(path('report.html'), 'utf8');
    expect(page).toContain('<a href="#run-2">other</a>');
    expect(page).toContain('This run is stopped before its end.');
    const before = readFileSync(path('run', 'report.html'), 'utf8');
    report([path('run'), '--out', path('deep', 'page.html')]);
    expect(existsSync(path('deep', 'page.html'))).toBe(true);
    expect(readFileSync(path('run', 'report.html'), 'utf8')).toBe(before);
  });

  it('tells where the page is in JSON', () => {
    const { stdout } = report([path('run'), '--out', 'page.html', '--json']);
    const answer = JSON.parse(stdout);
    const { selectFitness, algorithms } = JSON.parse(readFileSync(path('run', 'result.json'), 'utf8'));
    expect(answer.file).toBe(path('page.html'));
    expect(answer.bytes).toBe(readFileSync(path('page.html')).length);
    const known = { name: 'run', status: 'finished', preset: 'linear', seed: 4, selectFitness, algorithms };
    expect(answer.runs).toMatchObject([known]);
  });

  it('calls runs of the same name by their paths', () => {
    cpSync(path('run'), path('more', 'run'), { recursive: true });
    report(['run', 'more/run', '--out', 'same.html']);
    const page = readFileSync(path('same.html'), 'utf8');
    expect(page).toContain('<a href="#run-1">run</a>');
    expect(page).toContain('<a href="#run-2">more/run</a>');
  });

  it('measures what each part is worth if asked', () => {
    report([path('run'), '--ablate', '2', '--out', 'ablated.html']);
    const page = readFileSync(path('ablated.html'), 'utf8');
    expect(page).toContain('What each part is worth');
    expect(page).toContain('<td>stochastic gradient descent');
    expect(page).toMatch(/on 10 linear-select tasks \(4 features/);
  });

  it('says so if a run has found nothing, and does not change the run', () => {
    const empty = copyUnfinished('empty', (directory) => {
      for (const file of ['events.jsonl', 'progress.csv']) writeFileSync(join(directory, file), '');
      for (const file of ['best.alg', 'best.simplified.alg', 'report.html']) rmSync(join(directory, file));
    });
    report([empty, '--out', 'empty.html', '--ablate', '1']);
    const page = readFileSync(path('empty.html'), 'utf8');
    expect(page).toContain('It has found no program yet.');
    expect(page).toContain('Nothing was taken out. There is no program.');
    expect(existsSync(join(empty, 'report.html'))).toBe(false);
  });

  it('reads a log whose last line is being written, and lines that are no events', () => {
    const going = copyUnfinished('going', (directory) => {
      const log = join(directory, 'events.jsonl');
      const text = readFileSync(log, 'utf8');
      writeFileSync(log, `null\n5\n${text.slice(0, Math.floor(text.length / 2))}`);
    });
    report([going]);
    expect(readFileSync(join(going, 'report.html'), 'utf8')).toContain('This run is stopped before its end.');
  });
});

describe('what is no run', () => {
  it.each([
    ['a directory that is none', () => [folder], /no run directory \(no config\.json in it\)/],
    ['nothing at all', () => [path('nowhere')], /nowhere: no run directory/],
    ['one among runs', () => [path('run'), path('nowhere')], /nowhere: no run directory/],
    ['a run that is given twice', () => [path('run'), `${path('run')}/`], /run\/: given twice/],
    ['a file that is a directory', () => [path('run'), '--out', folder], /is a directory/],
    ['a file without a name', () => [path('run'), '--out', ''], /Expected the name of a file/],
    ['no trials', () => [path('run'), '--ablate', '0'], /Expected a whole number from 1/],
    [
      'a configuration that is none',
      () => [copyRun('odd', (directory) => edit(directory, 'config.json', { seed: 'one' }))],
      /odd\/config\.json: .*seed/,
    ],
  ])('%s', (_, args, message) => {
    expectMistake(['report', ...args()], message);
  });

  it('a damaged result is a failure, in one line', () => {
    const damaged = copyRun('damaged', (directory) => edit(directory, 'result.json', { lineage: [{ id: 'x' }] }));
    const { status, stdout, stderr } = evozero(['report', damaged]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^evozero: \S+damaged\/result\.json: damaged, lineage\.0\.[^\n]+\n$/);
  });
});

// `evozero tune` and `evozero select` as a user runs them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evozero } from '../support/cli.js';

const directory = mkdtempSync(join(tmpdir(), 'evozero-tune-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const env = { ...process.env, EVOZERO_CACHE: join(directory, 'cache') };
const run = (...args: string[]) => evozero(args, { env });
const json = (...args: string[]) => {
  const { status, stdout, stderr } = run(...args, '--json');
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const SLOW = write(
  'slow.alg',
  'def Setup():\n  s2 = 0.0001\ndef Predict():\n  s1 = dot(v0, v1)\ndef Learn():\n  s3 = s0 - s1\n  s3 = s2 * s3\n  v2 = s3 * v0\n  v1 = v1 + v2\n',
);
const STILL = write('still.alg', 'def Setup():\ndef Predict():\n  s1 = mean(v0)\ndef Learn():\n');
const EMPTY = write('empty.alg', 'def Setup():\ndef Predict():\ndef Learn():\n');
const NAN = write('nan.alg', 'def Setup():\n  s2 = -1.5\ndef Predict():\n  s1 = log(s2)\ndef Learn():\n');
const LINEAR = ['--tasks', 'linear', '--count', '5', '--features', '4'];

describe('tune', () => {
  test('finds what a program needs, and writes it down', () => {
    const out = join(directory, 'tuned.alg');
    const result = json('tune', SLOW, ...LINEAR, '--trials', '20', '--out', out);
    const [{ before, best, constants, tuned, evaluations }] = result.programs;
    expect(before.mean).toBeLessThan(0.6);
    expect(best.mean).toBeGreaterThan(0.95);
    expect(constants).toEqual([{ function: 'setup', index: 0, slot: 0, value: 0.0001 }]);
    expect(evaluations).toBeLessThanOrEqual(20);
    expect(readFileSync(out, 'utf8')).toBe(tuned);
    const again = json('eval', out, ...LINEAR);
    expect(again.mean).toBe(best.mean);
  });

  test('gives every program the same budget, and ranks them', () => {
    const { status, stdout } = run('tune', SLOW, 'paper/affine', ...LINEAR, '--trials', '8', '--method', 'random');
    expect(status).toBe(0);
    expect(stdout).toMatch(/8 trials each/);
    expect(stdout).toMatch(/After tuning\n.* \S+\n.* \S+\n$/);
  });

  test('does not depend on the number of threads', () => {
    const [one, three] = ['1', '3'].map((workers) =>
      json('tune', SLOW, ...LINEAR, '--trials', '10', '--workers', workers),
    );
    expect(three).toEqual(one);
  });

  test('says what there is to say of programs that cannot be tuned', () => {
    expect(run('tune', STILL, ...LINEAR).stdout).toMatch(/has no constants to tune/);
    expect(run('tune', EMPTY, ...LINEAR).stdout).toMatch(/has no constants to tune/);
    expect(run('tune', NAN, ...LINEAR, '--trials', '4').stdout).toMatch(/every candidate was stopped, by NaN/);
  });

  test.each<[RegExp, string[]]>([
    [/--out is for one program/, ['tune', SLOW, STILL, ...LINEAR, '--out', 'x.alg']],
    [/required option '--tasks/, ['tune', SLOW]],
    [/no such file, and no built-in program/, ['tune', 'paper/liner-x', ...LINEAR]],
    [/Expected a whole number/, ['tune', SLOW, ...LINEAR, '--trials', '0']],
    [
      /learns from a scalar label .* tasks have a label vector/,
      ['tune', SLOW, '--tasks', 'digits-multiclass-select', '--features', '10'],
    ],
  ])('explains %s', (message, args) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('select', () => {
  const runs = join(directory, 'runs');
  const makeRuns = () => {
    mkdirSync(runs, { recursive: true });
    for (const seed of ['1', '2']) {
      const args = ['run', 'linear', '--seed', seed, '--max-algorithms', '3000', '--workers', '1'];
      expect(run(...args, '--out', join(runs, `run-${seed}`)).status).toBe(0);
    }
  };

  test('ranks the best of every run on the tasks that runs select on', () => {
    makeRuns();
    const result = json('select', runs, 'paper/linear');
    expect(result).toMatchObject({ tasks: 'linear-select', count: 100, distinguishable: true });
    expect(result.candidates).toHaveLength(3);
    expect(result.candidates[0]).toMatchObject({ name: 'paper/linear', tied: true, behind: 0 });
    expect(result.candidates[1].behind).toBeGreaterThan(result.candidates[1].behindInterval);
    expect(result.verdict).toMatch(/^paper\/linear wins/);
    const { stdout } = run('select', runs, 'paper/linear', '--count', '20');
    expect(stdout).toMatch(/3 candidates on 20 linear-select tasks/);
    expect(stdout).toMatch(/1 {2}paper\/linear {2,}1\.0000 ± 0\.0000/);
  });

  test('says when the winner cannot be told from others', () => {
    const copy = write('copy.alg', readFileSync(SLOW, 'utf8').replace('0.0001', '0.000101'));
    const { distinguishable, verdict } = json('select', SLOW, copy, ...LINEAR, '--count', '1');
    expect(distinguishable).toBe(false);
    expect(verdict).toMatch(/is first, but 1 task cannot tell it from .*more tasks/);
    expect(json('select', SLOW, ...LINEAR).verdict).toBe('There is only one candidate.');
    expect(json('select', NAN, ...LINEAR).verdict).toMatch(/^No candidate works/);
  });

  test('explains what it cannot select on', () => {
    const none = run('select', SLOW);
    expect([none.status, none.stderr]).toEqual([2, expect.stringMatching(/--tasks: needed/)]);
    const nothing = run('select', join(directory, 'nothing'), ...LINEAR);
    expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringMatching(/no such file/)]);
  });
});

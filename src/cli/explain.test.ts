import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, it, vi } from 'vitest';
import { addExplain } from './explain.js';

const folder = mkdtempSync(join(tmpdir(), 'evozero-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the command prints. */
function run(...args: readonly string[]): string {
  const cli = new Command('evozero').exitOverride().configureOutput({ writeErr: () => {} });
  addExplain(cli);
  for (const command of cli.commands) command.copyInheritedSettings(cli);
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    cli.parse(['node', 'evozero', 'explain', ...args]);
  } finally {
    spy.mockRestore();
  }
  return written.join('');
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it('prints comments in a column, techniques with their lines, and hints', () => {
  const text = run('paper/linear');
  expect(text).toContain('  s3 = s2 * s3      # error times learning rate\n');
  expect(text).toContain('stochastic gradient descent');
  expect(text).toContain('    Learn: v1 = v1 + v2\n');
  expect(text).toContain('explain paper/linear --svg program.svg');
});

it('prints one JSON object', () => {
  const told = JSON.parse(run('paper/evolved', '--json', '--latex', '--dot', '--mermaid'));
  expect(told.techniques.map(({ name }: { name: string }) => name)).toContain('bilinear');
  expect(told).toMatchObject({ name: 'paper/evolved', verdict: 'ordinary', names: { m1: 'weights' } });
  expect(told.latex).toContain('\\begin{align*}');
  expect(told.mermaid).toContain('flowchart TB');
  expect(told.dot).toContain('digraph program {');
});

it('takes the loss into account', () => {
  const names = (text: string) => JSON.parse(text).techniques.map(({ name }: { name: string }) => name);
  expect(names(run('paper/logistic', '--json', '--loss', 'accuracy'))).toContain('logistic-gradient');
  expect(names(run('paper/logistic', '--json', '--loss', 'rms'))).not.toContain('logistic-gradient');
});

it('writes an SVG', () => {
  const path = join(folder, 'linear.svg');
  run('paper/linear', '--svg', path);
  expect(readFileSync(path, 'utf8')).toMatch(/^<svg .*<title id="title">paper\/linear<\/title>.*<\/svg>\n$/s);
});

it('says plainly what a prediction is not', () => {
  const program = (predict: string) => `def Setup():\n  s2 = -1\ndef Predict(v0):\n  ${predict}\ndef Learn(v0, s0):\n`;
  expect(run(file('empty.alg', program('s3 = s2 + s2')))).toContain('which is always zero');
  expect(run(file('nan.alg', program('s1 = log(s2)')))).toContain('is no finite number');
  expect(run(file('constant.alg', program('s1 = abs(s2)')))).toContain('always predicts the same');
  expect(run(file('blind.alg', program('s1 = s1 + s2')))).toContain('does not depend on the features');
  const random = run(file('random.alg', program('s1 = gaussian(0, 1)')));
  expect(random).toContain('does not depend on the features');
  expect(random).not.toContain('learns');
  expect(run(file('norm.alg', program('s1 = norm(v0)')))).toContain('No known technique was recognised.');
});

it('reports mistakes in one line', () => {
  expect(() => run('paper/linear', '--loss', 'multiclass')).toThrow('expected rms or accuracy');
  expect(() => run('paper/linear', '--loss', 'hinge')).toThrow('Allowed choices');
  const parent = file('plain', 'x');
  expect(() => run('paper/linear', '--svg', join(parent, 'x.svg'))).toThrow(parent);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { UserError } from './errors.js';
import { addExport, classNameOf } from './export.js';

const folder = mkdtempSync(join(tmpdir(), 'evozero-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the command prints, to standard output and standard error. */
function run(...args: readonly string[]): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  try {
    const cli = new Command('evozero').exitOverride();
    addExport(cli);
    for (const command of cli.commands) command.exitOverride();
    cli.parse(['export', ...args], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return output;
}

describe('evozero export', () => {
  it('prints a class that is named after the program', () => {
    expect(run('paper/neural-net', '--to', 'ts').stdout).toContain('export class NeuralNet {');
    expect(run('paper/linear', '--to', 'python').stdout).toContain('class Linear:');
  });

  it('exports for the loss that it is told, or that the labels tell', () => {
    expect(run('paper/linear', '--to', 'js', '--loss', 'accuracy').stdout).toContain('function sigmoid(x)');
    expect(run('paper/multi-class-raw', '--to', 'js').stdout).toContain('function softmax(values)');
  });

  it('writes to a file', () => {
    const path = join(folder, 'model.js');
    expect(run('paper/linear', '--to', 'js', '--out', path).stdout).toBe(`Linear written to ${path}\n`);
    expect(readFileSync(path, 'utf8')).toBe(run('paper/linear', '--to', 'js').stdout);
  });

  it('prints one JSON object', () => {
    const result = JSON.parse(run('paper/evolved', '--to', 'python', '--loss', 'accuracy', '--json').stdout);
    expect(result).toMatchObject({ program: 'paper/evolved', to: 'python', loss: 'accuracy', name: 'Evolved' });
    expect(result.text).toContain('class Evolved:');
  });

  it('explains mistakes', () => {
    const mistake = (...args: string[]) => expect(() => run('paper/linear', '--to', 'ts', ...args));
    mistake('--name', 'a b').toThrow(
      new UserError('--name: "a b" is no name for a class: expected a capital letter, then letters and digits'),
    );
    mistake('--loss', 'multiclass').toThrow(/^--loss: the program learns from scalar labels/);
    mistake('--out', folder).toThrow(/: is a directory$/);
    mistake('--to', 'cobol').toThrow(/Allowed choices are ts, js, python/);
  });
});

describe('classNameOf', () => {
  it.each([
    ['paper/neural-net', 'NeuralNet'],
    ['runs/20-linear/best_one.v2.alg', 'BestOneV2'],
    ['C:\\programs\\mine.alg', 'Mine'],
    ['standard input', 'StandardInput'],
    ['7.alg', 'EvolvedModel'],
    ['', 'EvolvedModel'],
    ['äöü.alg', 'EvolvedModel'],
  ])('of %j is %s', (name, expected) => {
    expect(classNameOf(name)).toBe(expected);
  });
});

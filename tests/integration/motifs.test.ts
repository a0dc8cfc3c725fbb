// `evozero motifs` in real processes: on real runs, and on programs with a section that some of them have.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtin } from '../../src/program/builtin.js';
import { compiled, evozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

function write(name: string, text: string): string {
  writeFileSync(path(name), text);
  return path(name);
}

function motifs(...args: string[]): string {
  const { status, stdout, stderr } = evozero(['motifs', ...args]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

interface Answer {
  readonly runs: readonly { readonly name: string; readonly found: boolean }[];
  readonly tested: number;
  readonly cutSizes: readonly number[];
  readonly motifs: readonly {
    readonly size: number;
    readonly runs: readonly string[];
    readonly control: readonly string[];
    readonly p: number | null;
    readonly corrected: number | null;
    readonly snippet: string;
    readonly isOverlap: boolean;
  }[];
}

const json = (...args: string[]): Answer => JSON.parse(motifs(...args, '--json'));

/** The paper's network; in eight of thirty runs its threshold is noisy, under changing addresses. */
function makeExperiment(): { runs: string[]; control: string[] } {
  const plain = builtin('paper/neural-net')!.text;
  const noisy = (k: number) =>
    plain
      .replace('v4 = maximum(v3, v5)', `v${10 + k} = v${9 - (k % 2)} - v0\n  v4 = maximum(v3, v${10 + k})`)
      .concat(`\n  v${9 - (k % 2)} = gaussian(-0.${k + 1}, 0.5)`);
  const texts = Array.from({ length: 30 }, (_, k) => (k < 8 ? noisy(k) : plain.replace('0.01 ', `0.${k} `)));
  const runs = texts.map((text, k) => write(`run-${k}.alg`, text));
  const control = texts.map((_, k) => write(`control-${k}.alg`, plain.replace('0.01 ', `0.0${k + 1} `)));
  return { runs, control };
}

const { runs, control } = makeExperiment();
const NOISY = write(
  'noisy-relu.alg',
  'def Predict(v0):\n  v2 = v1 - v0\n  v4 = maximum(v3, v2)\ndef Learn(v0, s0):\n  v1 = gaussian(0, 1)\n',
);

beforeAll(() => {
  compiled('cli/main.js');
}, 120_000);

describe('evozero motifs --snippet', () => {
  it('counts as the paper does', () => {
    expect(motifs(...runs, '--control', ...control, '--snippet', NOISY)).toContain(
      `${NOISY}: in 8 of 30 runs, control 0 of 30, p = 0.0023\n`,
    );
  });

  it('finds the noisy ReLU in the program of the paper that has it, and in no other', () => {
    const programs = ['paper/few-examples-raw', 'paper/fast-training-raw', 'paper/evolved', 'paper/neural-net'];
    const answer = JSON.parse(motifs(...programs, '--snippet', NOISY, '--json'));
    expect(answer.snippet).toMatchObject({ name: NOISY, runs: ['paper/few-examples-raw'], control: [], p: null });
  });

  it('says what is wrong with a section', () => {
    expectMistake(['motifs', runs[0]!, '--snippet', path('none')], /none: no such file/);
    expectMistake(['motifs', runs[0]!, '--snippet', write('empty', '')], /empty: a section without instructions/);
    expectMistake(['motifs', runs[0]!, '--snippet', write('bad', 'def Learn():\n  s1 = wrong(s2)')], /bad:2:8/, 3);
  });
});

describe('evozero motifs', () => {
  it('finds the section that only the experiment has, first, with both p-values', () => {
    const answer = json(...runs, '--control', ...control, '--min-runs', '5', '--max-size', '3');
    const [first] = answer.motifs;
    expect(first!.runs).toEqual(runs.slice(0, 8));
    expect(first!.control).toEqual([]);
    expect(first!.p).toBeCloseTo(0.0022875, 7);
    expect(first!.corrected).toBeGreaterThan(first!.p!);
    expect(answer.motifs.some(({ runs: { length }, snippet }) => length === 8 && snippet.includes('gaussian'))).toBe(
      true,
    );
    expect(answer.motifs.every(({ size }) => size <= 3)).toBe(true);
    expect(answer.motifs).toHaveLength(answer.tested);
    expect(answer.cutSizes).toEqual([]);
  });

  it('prints them as text that finds them again', () => {
    const text = motifs(...runs, '--control', ...control, '--min-runs', '5', '--max-size', '4', '--top', '1');
    expect(text).toMatch(/^30 runs\ncontrol: 30 runs\n[\d,]+ motifs of 2 to 4 instructions in 5 runs or more\n/);
    expect(text).toMatch(/\n1\. in 8 of 30 runs, control 0 of 30, p = 0\.0023 \(corrected [\d.]+\)/);
    expect(text).not.toMatch(/\n2\. /);
    expect(text).not.toContain('\u001b');
    const snippet = text.slice(text.indexOf('   def '), text.indexOf('\nNot shown'));
    expect(motifs(...runs, '--snippet', write('again.alg', snippet))).toContain('in 8 of 30 runs');
  });

  it('takes run directories, folders of them, files and built-in names, and names runs that found nothing', () => {
    mkdirSync(path('runs'));
    for (const seed of ['1', '2', '10']) {
      const run = ['run', 'linear', '--seed', seed, '--max-algorithms', '20000', '--workers', '1', '--json'];
      expect(evozero([...run, '--out', path(`runs/linear-${seed}`)]).status).toBe(0);
    }
    for (const file of ['best.alg', 'result.json']) rmSync(path(`runs/linear-2/${file}`));
    const answer = json(path('runs'), runs[0]!, 'paper/linear', 'paper/affine', '--top', '1');
    expect(answer.runs).toEqual([
      { name: path('runs/linear-1'), found: true },
      { name: path('runs/linear-2'), found: false },
      { name: path('runs/linear-10'), found: true },
      { name: runs[0], found: true },
      { name: 'paper/linear', found: true },
      { name: 'paper/affine', found: true },
    ]);
    expect(answer.motifs).toHaveLength(1);
    expect(motifs(path('runs'), 'paper/linear')).toContain(
      `4 runs; found nothing, and count as without: ${path('runs/linear-2')}\n`,
    );
  });

  it.each([
    [['paper/linear'], /motifs recur in several runs, and only one is given/],
    [['paper/linear', 'paper/lineal'], /paper\/lineal: no such file.*did you mean paper\/linear\?/],
    [['paper/linear', 'paper/linear'], /paper\/linear: given twice/],
    [['paper/linear', 'paper/affine', '--control', 'paper/affine'], /paper\/affine: both a run and a control/],
    [['paper/linear', 'paper/affine', '--min-runs', '3'], /--min-runs 3: there are only 2 runs/],
    [
      ['paper/linear', 'paper/affine', '--min-size', '5', '--max-size', '4'],
      /--min-size 5 is larger than --max-size 4/,
    ],
    [['paper/linear', 'paper/affine', '--max-size', '9'], /Expected a whole number from 1 to 8/],
    [[], /missing required argument/],
  ])('%j is a mistake', (args, message) => {
    expectMistake(['motifs', ...args], message);
  });

  it('a folder without runs is a mistake', () => {
    mkdirSync(path('hollow'));
    expectMistake(['motifs', path('hollow'), 'paper/linear'], /hollow: neither a run directory nor a folder of them/);
  });
});

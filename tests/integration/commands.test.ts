import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILTIN_NAMES, builtin } from '../../src/program/builtin.js';
import { printProgram } from '../../src/program/print.js';
import { evozero, ROOT } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const GOLDEN = join(ROOT, '../shared/golden');

function json(args: readonly string[], status = 0): Record<string, unknown> {
  const run = evozero([...args, '--json']);
  expect(run.stderr).not.toContain('evozero:');
  expect(run.status).toBe(status);
  return JSON.parse(run.stdout);
}

describe('evozero show', () => {
  it('lists the built-in programs', () => {
    const { status, stdout } = evozero(['show']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/paper\/evolved-raw\s+The best program/);
    expect(stdout).toMatch(/gallery\/linear\s+Linear regression/);
    expect((json(['show']).programs as unknown[]).length).toBe(BUILTIN_NAMES.length);
  });

  it('prints a program, raw and simplified, without colours in a pipe', () => {
    const { status, stdout } = evozero(['show', 'paper/evolved-raw'], { env: { ...process.env, CI: 'true' } });
    expect(status).toBe(0);
    expect(stdout).toContain('26 instructions, 17 of them can reach a prediction');
    expect(stdout).toMatch(/v3 = gaussian\(0.7, 0.4\) +# no effect/);
    expect(stdout.endsWith(printProgram(builtin('paper/evolved-simplified')!.program))).toBe(true);
    expect(stdout).not.toContain('\u001b');
  });

  it('answers in JSON', () => {
    expect(json(['show', 'paper/multi-class-raw'])).toMatchObject({
      name: 'paper/multi-class-raw',
      labels: 'vector',
      memory: { scalars: 2, vectors: 20, matrices: 8 },
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('reads a text file, a JSON file, a run directory and standard input', () => {
    const { text, program } = builtin('paper/affine')!;
    const alg = join(folder, 'a.alg');
    writeFileSync(alg, text);
    const { programJson, program: printed } = json(['show', alg]) as { programJson: unknown; program: string };
    const asJson = join(folder, 'a.json');
    writeFileSync(asJson, JSON.stringify(programJson));
    const runDirectory = join(folder, 'run');
    mkdirSync(runDirectory);
    copyFileSync(alg, join(runDirectory, 'best.alg'));
    expect(printed).toBe(printProgram(program));
    for (const path of [asJson, runDirectory]) expect(json(['show', path]).program).toBe(printed);
    const piped = evozero(['show', '-', '--json'], { input: text });
    expect(JSON.parse(piped.stdout).program).toBe(printed);
  });
});

describe('evozero simplify', () => {
  it('prints a program that can be piped to a file and read again', () => {
    const { status, stdout, stderr } = evozero(['simplify', 'paper/evolved-raw']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(printProgram(builtin('paper/evolved-simplified')!.program));
    expect(evozero(['simplify', '-'], { input: stdout }).stdout).toBe(stdout);
  });

  it('answers in JSON, and gives the canonical form', () => {
    const plain = json(['simplify', 'paper/evolved-raw']);
    expect(plain.removed).toBe(9);
    const canonical = json(['simplify', 'paper/evolved-raw', '--canonical']);
    expect(canonical.hash).toBe(plain.hash);
    expect(canonical.canonical).toContain('v2 = v0 - v1');
    expect(plain.simplified).toBe(printProgram(builtin('paper/evolved-simplified')!.program));
  });
});

describe('evozero eval', () => {
  it('trains and validates, the same way every time', () => {
    const args = ['eval', 'paper/linear', '--tasks', 'linear', '--count', '3', '--seed', '5'];
    const result = json(args) as { mean: number; fitnesses: number[] };
    expect(result).toMatchObject({ tasks: 'linear', median: expect.any(Number), std: expect.any(Number) });
    expect(result.fitnesses).toHaveLength(3);
    expect(result.mean).toBeGreaterThan(0.9999);
    expect(json(args)).toEqual(result);
    expect(json([...args.slice(0, -1), '6']).fitnesses).not.toEqual(result.fitnesses);
  });

  it('tells good programs from bad ones, and takes features, examples and epochs', () => {
    const mean = (program: string, tasks: string, ...more: string[]) =>
      json(['eval', program, '--tasks', tasks, '--count', '4', ...more]).mean as number;
    expect(mean('paper/linear', 'affine')).toBeLessThan(mean('paper/affine', 'affine'));
    expect(mean('paper/linear', 'network')).toBeLessThan(mean('paper/neural-net', 'network'));
    const few = ['--features', '3', '--train', '10', '--valid', '20'];
    expect(mean('paper/linear', 'linear', ...few)).toBeLessThan(
      mean('paper/linear', 'linear', ...few, '--epochs', '20'),
    );
  });

  it('tells how far it is, on standard error', () => {
    const { stderr } = evozero(['eval', 'paper/linear', '--tasks', 'linear', '--count', '20', '--json']);
    expect(stderr).toMatch(/^━+─+ task 10 of 20, mean fitness \d\.\d{4}\n/);
    expect(stderr).toMatch(/\n━+ task 20 of 20, mean fitness \d\.\d{4}\n$/);
  });

  it('goes on when nobody reads its progress', () => {
    const command = `exec '${process.execPath}' bin/evozero.js eval paper/linear --tasks linear --json 2> >(true)`;
    const { status, stdout } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).fitnesses).toHaveLength(10);
  });

  it('prints a summary for people', () => {
    const { stdout } = evozero(['eval', 'paper/linear', '--tasks', 'linear', '--count', '1']);
    expect(stdout).toMatch(/^paper\/linear on 1 linear task \(8 features, 1,000 \+ 100 examples, seed 0\)\n {2}mean/);
  });
});

describe('evozero conformance', () => {
  it('agrees with the C++ original on all vectors', () => {
    const { engines } = json(['conformance', GOLDEN]) as { engines: Record<string, unknown>[] };
    for (const engine of engines) {
      expect(engine).toMatchObject({ ops: { cases: 413, failed: 0 }, programs: { cases: 1000, failed: 0 } });
      expect(engine.maxRelativeError as number).toBeLessThan(1e-9);
    }
  });

  it('ends with 1 and names the place where a vector differs', () => {
    const changed = join(folder, 'changed');
    mkdirSync(changed);
    const lines = readFileSync(join(GOLDEN, 'ops.jsonl'), 'utf8').split('\n').slice(0, 20);
    const wrong = JSON.parse(lines[11]!);
    wrong.after.s[0] += 0.5;
    lines[11] = JSON.stringify(wrong);
    writeFileSync(join(changed, 'ops.jsonl'), lines.join('\n'));
    const { status, stdout, stderr } = evozero(['conformance', changed]);
    expect(status).toBe(1);
    expect(stdout).toContain('ops.jsonl:12: relative error');
    expect(stderr).toBe('evozero: an engine differs from the original\n');
    // Also when nobody reads the answer.
    const unread = `'${process.execPath}' bin/evozero.js conformance '${changed}' | true; exit \${PIPESTATUS[0]}`;
    expect(spawnSync('bash', ['-c', unread], { cwd: ROOT }).status).toBe(1);
  });

  it('says Infinity where an error list has another length', () => {
    const shorter = join(folder, 'shorter');
    mkdirSync(shorter);
    const lines = readFileSync(join(GOLDEN, 'programs-f4.jsonl'), 'utf8').split('\n').slice(0, 9);
    const wrong = JSON.parse(lines[8]!);
    wrong.trainErrors.pop();
    writeFileSync(join(shorter, 'programs.jsonl'), [...lines.slice(0, 8), JSON.stringify(wrong)].join('\n'));
    const { status, stdout } = evozero(['conformance', shorter, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).engines[0]).toMatchObject({
      programs: { cases: 1, failed: 1 },
      maxRelativeError: 'Infinity',
      failures: [{ file: 'programs.jsonl', line: 9, relativeError: 'Infinity' }],
    });
  });
});

describe('evozero', () => {
  it('says that it cannot write, and ends with 1', () => {
    const command = `'${process.execPath}' bin/evozero.js show paper/linear > /dev/full`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'evozero: cannot write to standard output: no space left\n',
    });
  });

  it('explains itself and every command', () => {
    const help = evozero(['--help']);
    expect(help.status).toBe(0);
    const commands = readdirSync(join(ROOT, 'src/cli')).map((file) => file.replace('.ts', ''));
    for (const command of ['run', 'resume', 'presets', 'show', 'simplify', 'eval', 'conformance']) {
      expect(commands).toContain(command);
      expect(help.stdout).toContain(`  ${command} `);
      const own = evozero([command, '--help']);
      expect(own.status).toBe(0);
      expect(own.stdout).toContain('--json');
    }
    expect(evozero(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('stops quietly when its reader has seen enough', () => {
    const long = join(folder, 'long.alg');
    writeFileSync(long, `def Setup():\n${'s2 = s3 + s4\nv1[7] = 0.5\n'.repeat(20_000)}def Predict():\ndef Learn():\n`);
    // Far more than fits into the pipe that head leaves after one line.
    const command = `set -o pipefail; '${process.execPath}' bin/evozero.js show '${long}' | head -1`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${long}\n`, stderr: '' });
  });
});

describe('evozero bench', () => {
  it('reports each workload once, with its ratio to the original where there is one', () => {
    const { yardstick, workloads } = json(['bench', '--only', 'network-step-f4-f64,enter-empty']) as {
      yardstick: number;
      workloads: { name: string; metric: string; value: number; vsOriginal: number | null }[];
    };
    expect(yardstick).toBeGreaterThan(0);
    expect(workloads.map(({ name }) => name)).toEqual([
      'network-step-f4-f64',
      'network-step-f4-f64/simd-share',
      'enter-empty',
    ]);
    expect(workloads[0]).toMatchObject({ metric: 'ns/step', vsOriginal: expect.any(Number) });
    expect(workloads[2]!.vsOriginal).toBeNull();
    for (const { value } of workloads) expect(value).toBeGreaterThan(0);
  });

  it('lists what there is, and says what there is not', () => {
    const { status, stdout } = evozero(['bench', '--list']);
    expect(status).toBe(0);
    for (const features of [4, 8, 16, 32]) {
      for (const precision of ['f64', 'f32']) expect(stdout).toContain(`network-step-f${features}-${precision}`);
    }
    const wrong = evozero(['bench', '--only', 'fingerprnt']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toBe('evozero: --only: there is no benchmark "fingerprnt"; did you mean fingerprint?\n');
  });

  it('says what it would need for what it cannot measure here', () => {
    const { status, stderr } = evozero(['bench', '--only', 'chromium-search'], { env: { ...process.env, PATH: '' } });
    expect(status).toBe(2);
    expect(stderr).toContain('chromium-search: there is no Chromium here: install the package chromium\n');
  });
});

describe('evozero eval --precision', () => {
  it('computes in f32 what it computes in f64, nearly', () => {
    const scores = ['f64', 'f32'].map(
      (precision) => json(['eval', 'paper/linear', '--tasks', 'linear', '--precision', precision]).mean as number,
    );
    expect(scores[0]).not.toBe(scores[1]);
    expect(Math.abs(scores[0]! - scores[1]!)).toBeLessThan(1e-5);
  });

  it('refuses what does not fit into memory, in one line', () => {
    // Of outer products alone, an engine would not write any out.
    const names = Array.from({ length: 10 }, (_, k) => `m${k}`);
    const make = names.map((m) => `  ${m} = outer(v0, v0)\n  ${m} = heaviside(${m})\n`).join('');
    const use = names.map((m) => `  v1 = dot(${m}, v1)\n`).join('');
    const path = join(folder, 'large.alg');
    writeFileSync(path, `def Setup():\ndef Predict(v0):\n${make}${use}  s1 = mean(v1)\ndef Learn(v0, s0):\n`);
    const args = ['eval', path, '--tasks', 'linear', '--features', '8192'];
    const { status, stderr } = evozero([...args, '--train', '4', '--valid', '4', '--count', '1']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^evozero: .*large.alg: this needs \d+\.\d GiB, .*\n$/);
  });
});

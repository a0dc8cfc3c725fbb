// `evozero run` in real processes: what it finds, what it leaves in the run directory, and everything that a run can be told.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { wasmEngine } from '../../src/engine/wasm/engine.js';
import { summarize } from '../../src/evaluate/summary.js';
import type { BestEvent, RunEvent } from '../../src/experiment/events.js';
import { findPreset } from '../../src/experiment/presets.js';
import { builtin } from '../../src/program/builtin.js';
import { canonicalHash } from '../../src/program/canonical.js';
import { parseProgram } from '../../src/program/parse.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { deriveSeed } from '../../src/util/random.js';
import { compiled, evozero, ROOT } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const read = (directory: string, file: string) => readFileSync(join(folder, directory, file), 'utf8');
const readJson = (directory: string, file: string) => JSON.parse(read(directory, file));
const readEvents = (directory: string): RunEvent[] =>
  read(directory, 'events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** One island, whatever number of cores there is: the tests know what it finds. */
const alone = (args: readonly string[]) => (args[0] === 'run' ? [...args, '--workers', '1'] : args);

/** Runs a command in the folder, and reads its answer. */
function json(args: readonly string[]) {
  const { status, stdout, stderr } = evozero([...alone(args), '--json'], { cwd: folder });
  expect(stderr).not.toContain('evozero:');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

/** A search that ends after few algorithms. */
const few = (algorithms: number, ...sets: string[]) => [
  '--max-algorithms',
  String(algorithms),
  ...sets.flatMap((setting) => ['--set', setting]),
];

const RUN = 'runs/linear-4';
let answer: Record<string, unknown>;

beforeAll(() => {
  // No process of a test has to compile anything first.
  compiled('cli/main.js');
  answer = json(['run', 'linear', '--seed', '4']);
}, 120_000);

describe('evozero run linear', () => {
  it('finds linear regression, and says what it found', () => {
    expect(answer).toMatchObject({ run: RUN, preset: 'linear', seed: 4, success: true, reason: 'fitness' });
    for (const name of ['searchFitness', 'selectFitness', 'finalFitness', 'seconds', 'cpuSeconds', 'trainSteps']) {
      expect(answer[name]).toBeGreaterThan(0);
    }
    expect(answer.algorithms).toBeLessThan(140_000);
    expect(answer.selectFitness).toBeGreaterThan(0.9999);
    expect(answer.finalFitness).toBeGreaterThan(0.999);
    expect(answer.program).toBe(read(RUN, 'best.alg'));
    expect(readJson(RUN, 'result.json')).toEqual(answer);
    expect(answer.counts).toMatchObject({ algorithms: answer.algorithms, trainSteps: answer.trainSteps, cut: 0 });
  });

  it('leaves its directory whole', () => {
    const files = ['best.alg', 'best.simplified.alg', 'checkpoint', 'config.json', 'events.jsonl', 'hall-of-fame.csv'];
    expect(readdirSync(path(RUN))).toEqual(expect.arrayContaining([...files, 'progress.csv', 'result.json']));
    expect(readdirSync(path(RUN)).filter((name) => /tmp|next|lock/.test(name))).toEqual([]);
    const { evozero: version, format, ...config } = readJson(RUN, 'config.json');
    const preset = findPreset('linear');
    expect(config).toEqual({ ...preset, seed: 4, islands: { ...preset.islands, count: 1 } });
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
    expect(format).toBe(2);
  });

  it('tells what happened in order, without times', () => {
    const events = readEvents(RUN);
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual(['experiment', 'best', 'select']);
    expect(events.map(({ type }) => type).slice(-5)).toEqual(['best', 'select', 'experiment-end', 'final', 'end']);
    expect(events.some(({ type }) => type === 'progress')).toBe(true);
    const algorithms = events.map((event) => event.algorithms);
    expect(algorithms).toEqual(algorithms.toSorted((a, b) => a - b));
    expect(read(RUN, 'events.jsonl')).not.toMatch(/"(seconds|cpuSeconds|time|date)/);
    const { run: _, seconds: _s, cpuSeconds: _c, ...result } = answer;
    expect(events.at(-1)).toMatchObject({ reason: 'fitness', result });
    const bests = events.filter((event): event is BestEvent => event.type === 'best');
    for (const [k, { fitness }] of bests.entries()) if (k > 0) expect(fitness).toBeGreaterThan(bests[k - 1]!.fitness);
  });

  it('knows the line of its best program, back to an initial one', () => {
    const { lineage } = answer as { lineage: { id: number; fitness: number; origin: string; parent: object | null }[] };
    expect(lineage.length).toBeGreaterThan(3);
    expect(lineage[0]).toMatchObject({ origin: 'initial', parent: null });
    for (const [k, step] of lineage.entries()) {
      if (k === 0) continue;
      expect(step.fitness).toBeGreaterThan(lineage[k - 1]!.fitness);
      expect(step.id).toBeGreaterThan(lineage[k - 1]!.id);
      expect(['alter-argument', 'randomize-instruction', 'randomize-function']).toContain(step.origin);
      expect(step.parent).not.toBeNull();
    }
    const best = readEvents(RUN).findLast((event): event is BestEvent => event.type === 'best')!;
    expect(lineage.at(-1)).toMatchObject({ id: best.id, fitness: best.fitness, program: best.program });
    expect(best.ancestor).toBe(lineage.at(-2)!.id);
  });

  it.each(['best.alg', 'best.simplified.alg'])('leaves %s, which scores what the result says', async (file) => {
    const program = parseProgram(read(RUN, file));
    for (const [role, draw] of [
      ['search', 2],
      ['select', 3],
      ['final', 4],
    ] as const) {
      const { set: name, epochs, ...counts } = findPreset('linear').tasks[role];
      const seed = role === 'search' ? deriveSeed(4, draw, 1) : deriveSeed(4, draw);
      const opened = await openBuiltinTasks({ ...counts, name, seed });
      const tasks = await Promise.all(Array.from({ length: opened.count }, (_, k) => opened.at(k)));
      const evaluator = wasmEngine('f64').prepare(tasks, { epochs });
      evaluator.run(program);
      expect(summarize([...evaluator.readFitnesses()]).mean).toBeCloseTo(answer[`${role}Fitness`] as number, 12);
      evaluator.dispose();
    }
  });

  it('leaves tables that can be read', () => {
    const parse = (file: string) => {
      const { data, errors } = Papa.parse<Record<string, string>>(read(RUN, file), {
        header: true,
        skipEmptyLines: true,
      });
      expect(errors).toEqual([]);
      return data;
    };
    const progress = parse('progress.csv');
    expect(progress.length).toBe(readEvents(RUN).filter(({ type }) => type === 'progress').length);
    for (const row of progress) for (const cell of Object.values(row)) expect(Number.isFinite(Number(cell))).toBe(true);
    const famous = parse('hall-of-fame.csv');
    expect(famous).toHaveLength(20);
    expect(famous.map(({ rank }) => Number(rank))).toEqual(Array.from({ length: 20 }, (_, k) => k + 1));
    expect(new Set(famous.map(({ hash }) => hash)).size).toBe(20);
    const fitnesses = famous.map(({ fitness }) => Number(fitness));
    expect(fitnesses).toEqual(fitnesses.toSorted((a, b) => b - a));
    expect(fitnesses[0]).toBe(answer.searchFitness);
    for (const { program, hash } of famous) expect(canonicalHash(parseProgram(program!), 'scalar')).toBe(hash);
  });

  it('finds the same with the same seed, and something else with another', () => {
    const again = json(['run', 'linear', '--seed', '4']);
    expect(again.run).toBe('runs/linear-4-2');
    for (const file of ['events.jsonl', 'best.alg', 'best.simplified.alg', 'hall-of-fame.csv', 'config.json']) {
      expect(read('runs/linear-4-2', file) === read(RUN, file)).toBe(true);
    }
    json(['run', 'linear', '--seed', '5', ...few(2000), '--out', 'other']);
    expect(read('other', 'events.jsonl').split('\n')[1]).not.toBe(read(RUN, 'events.jsonl').split('\n')[1]);
  });
});

describe('a run directory', () => {
  it('is shown with its scores and its program', () => {
    const { run, program, simplified } = json(['show', RUN]);
    const { success, searchFitness, selectFitness, finalFitness, algorithms, seconds, preset, seed } = answer;
    const scores = { success, searchFitness, selectFitness, finalFitness };
    expect(run).toEqual({ status: 'finished', preset, seed, ...scores, algorithms, seconds });
    expect(program).toBe(answer.program);
    expect(simplified).toBe(answer.simplified);
    const { stdout } = evozero(['show', RUN], { cwd: folder });
    expect(stdout).toMatch(
      /^runs\/linear-4: linear, seed 4, finished, a success\nfitness: search 0\.\d{6}, select 1\.000000/,
    );
    expect(stdout).toMatch(/\n137,\d{3} algorithms in \d+ s\n/);
    expect(stdout).toContain('def Predict(v0):');
  });

  it('is shown while it is not finished, and before it has a program', () => {
    const stopped = evozero(alone(['run', 'linear', '--out', 'stopped', ...few(30_000)]), { cwd: folder });
    expect(stopped.status).toBe(0);
    rmSync(join(path('stopped'), 'result.json'));
    // As a process that writes leaves it for a moment.
    writeFileSync(join(path('stopped'), 'events.jsonl'), '{"type":"progr', { flag: 'a' });
    const { run } = json(['show', 'stopped']);
    expect(run).toMatchObject({ status: 'stopped', preset: 'linear', seed: 0, success: null, finalFitness: null });
    expect(run.algorithms).toBe(30_000);
    expect(run.searchFitness).toBeGreaterThan(0);
    for (const file of ['best.alg', 'events.jsonl', 'progress.csv']) rmSync(join(path('stopped'), file));
    expect(json(['show', 'stopped'])).toMatchObject({ run: { algorithms: 0, searchFitness: null }, program: null });
    expect(evozero(['show', 'stopped'], { cwd: folder }).stdout).toContain('no program yet');
    expect(evozero(['eval', 'stopped', '--tasks', 'linear'], { cwd: folder })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'evozero: stopped: this run has no program yet\n',
    });
  });

  it('stands for its best program', () => {
    const { program, mean } = json(['eval', RUN, '--tasks', 'linear', '--features', '4', '--count', '20']);
    expect(program).toBe(join(RUN, 'best.alg'));
    expect(mean).toBeGreaterThan(0.999);
  });
});

describe('evozero presets', () => {
  it('lists them', () => {
    const { stdout } = evozero(['presets']);
    const names = json(['presets']).presets.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['linear', 'affine', 'linear-learn', 'affine-learn', 'network', 'digits']),
    );
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  });

  it('prints one that runs when it is saved in a file, as what it is by name', () => {
    const { status, stdout } = evozero(['presets', 'show', 'linear']);
    expect(status).toBe(0);
    writeFileSync(path('saved.yaml'), stdout);
    writeFileSync(path('saved.json'), evozero(['presets', 'show', 'linear', '--json']).stdout);
    json(['run', 'linear', '--max-algorithms', '5000', '--out', 'named']);
    for (const file of ['saved.yaml', 'saved.json']) {
      const { preset, algorithms, reason } = json(['run', file, '--max-algorithms', '5000', '--out', `of-${file}`]);
      expect({ preset, algorithms, reason }).toEqual({ preset: 'linear', algorithms: 5000, reason: 'algorithms' });
      for (const same of ['events.jsonl', 'config.json']) expect(read(`of-${file}`, same)).toBe(read('named', same));
    }
  });
});

describe('a run', () => {
  it('ends when its time, its algorithms or its steps are used up', () => {
    const timed = json(['run', 'linear', '--minutes', '0.02', '--out', 'timed']);
    expect(timed).toMatchObject({ reason: 'minutes', success: false });
    expect(timed.seconds).toBeLessThan(20);
    expect(json(['run', 'linear', '--max-algorithms', '1234', '--out', 'counted'])).toMatchObject({
      reason: 'algorithms',
      algorithms: 1234,
    });
    const { reason, trainSteps } = json(['run', 'linear', '--max-steps', '100000', '--out', 'stepped']);
    expect(reason).toBe('steps');
    expect(trainSteps).toBeGreaterThanOrEqual(100_000);
    expect(trainSteps).toBeLessThan(102_000);
  });

  it('ends when nothing better is found, and begins another experiment', () => {
    const settings = ['experiment.noProgress=2000', 'stop.experiments=3', 'stop.fitness=null'];
    const { experiments, reason, success } = json(['run', 'linear', '--out', 'idle', ...few(1_000_000, ...settings)]);
    expect({ experiments, reason, success }).toEqual({ experiments: 3, reason: 'experiments', success: null });
    const ends = readEvents('idle').filter(({ type }) => type === 'experiment-end');
    expect(ends.map((event) => 'reason' in event && event.reason)).toEqual(Array(3).fill('no-progress'));
  });

  it('takes settings, also of random search', () => {
    const settings = [
      'search.method=random',
      'precision=f32',
      'evaluation.fitness=median',
      'evaluation.fingerprint=null',
    ];
    const { counts } = json(['run', 'linear', '--out', 'random', ...few(3000, ...settings)]);
    expect(counts).toMatchObject({ algorithms: 3000, canonicalHits: 0, fingerprintHits: 0, evaluated: 3000 });
    expect(readJson('random', 'config.json')).toMatchObject({
      precision: 'f32',
      search: { method: 'random' },
      evaluation: { fitness: 'median', fingerprint: null },
    });
    const bests = readEvents('random').filter((event): event is BestEvent => event.type === 'best');
    for (const { origin, parent } of bests) expect({ origin, parent }).toEqual({ origin: 'initial', parent: null });
  });

  it('extends a preset, and begins with programs of files and with built-in ones', () => {
    writeFileSync(path('mine.alg'), builtin('paper/linear')!.text.replace('0.05', '0.003'));
    const initial = 'initial: [empty, mine.alg, paper/linear]';
    const space = 'space: { setup: { min: 0 }, predict: { min: 0 }, learn: { min: 0 } }';
    writeFileSync(
      path('mine.yaml'),
      `extends: linear\nname: mine\n${space}\nsearch:\n  ${initial}\n  population: 30\n`,
    );
    const { preset, run, lineage } = json(['run', 'mine.yaml', ...few(3000)]);
    expect({ preset, run }).toEqual({ preset: 'mine', run: 'runs/mine-0' });
    // The first is empty; the second, of the file, is better, and the third better still.
    const bests = readEvents(run).filter((event): event is BestEvent => event.type === 'best');
    expect(bests[0]!.program).toBe('def Setup():\n\ndef Predict(v0):\n\ndef Learn(v0, s0):\n');
    expect(bests[1]!.program).toContain('s2 = 0.003');
    expect(bests[2]!.program).toContain('s2 = 0.05');
    expect(bests[2]!.fitness).toBeGreaterThan(bests[1]!.fitness);
    expect(lineage[0].origin).toBe('initial');
    // The configuration is whole: it needs the file no longer.
    expect(readJson(run, 'config.json').search.initial[1]).toBe(read('.', 'mine.alg'));
  });

  it('leaves frozen functions as they are', () => {
    const { program } = json(['run', 'linear-learn', '--out', 'frozen', ...few(3000)]);
    const [setup, learn] = [program.split('def Predict')[0], program.split('def Learn')[1]];
    expect(setup).toBe('def Setup():\n  s2 = 0.05\n\n');
    expect(program).toContain('def Predict(v0):\n  s1 = dot(v0, v1)\n\n');
    expect(learn.trim().split('\n')).toHaveLength(5);
    for (const event of readEvents('frozen')) {
      if (event.type === 'best') expect(event.program.startsWith(setup)).toBe(true);
    }
  });

  it('searches on real images, and tells what hurdles cut', () => {
    const settings = ['search.initial=[empty, paper/logistic]', 'evaluation.hurdles.audit=50'];
    const { counts, rescued, success } = json(['run', 'digits', '--out', 'digits', ...few(3000, ...settings)]);
    expect(success).toBeNull();
    expect(counts.cut).toBeGreaterThan(50);
    expect(counts.audited).toBe(Math.floor(counts.cut / 50));
    expect(rescued).toBeLessThanOrEqual(counts.audited);
    const { overBudget, canonicalHits, fingerprintHits, cut, audited, evaluated } = counts;
    expect(overBudget + canonicalHits + fingerprintHits + (cut - audited) + evaluated).toBe(3000);
    const text = evozero(alone(['run', 'digits', '--out', 'digits-text', ...few(3000, ...settings)]), {
      cwd: folder,
    }).stdout;
    expect(text).toContain(
      `hurdles cut ${counts.cut} algorithms; of ${counts.audited} that were evaluated all the same`,
    );
  });

  it('tells how far it is in plain lines where there is no terminal', () => {
    const { status, stdout, stderr } = evozero(alone(['run', 'linear', '--out', 'plain', ...few(20_000)]), {
      cwd: folder,
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^experiment 1 of 100, [\d,]+ algorithms? \(.*\/s\).*, \d+ s\n/);
    expect(stderr).toMatch(/20,000 algorithms .*\n$/);
    for (const control of ['\u001b', '\r']) expect(stderr + stdout).not.toContain(control);
    expect(stdout).toMatch(/^Not good enough \(below 0\.9999\), but the best, in \d+ s and 20,000 algorithms/);
    expect(stdout).toMatch(/\n {2}search +0\.\d{6} {2}on 10 linear-search tasks\n {2}select .*\n {2}final /);
    expect(stdout).toMatch(/\nIn plain: report\.html, best\.alg, .*\n$/);
  });

  it('ends well when nobody reads its answer', () => {
    const command = `set -o pipefail; '${process.execPath}' '${ROOT}/bin/evozero.js' run linear --max-algorithms 2000 --out piped --json 2>/dev/null`;
    const { status, stdout } = spawnSync('bash', ['-c', `${command} | head -1`], { cwd: folder, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{\n' });
    expect(existsSync(join(path('piped'), 'result.json'))).toBe(true);
    expect(spawnSync('bash', ['-c', `${command.replace('piped', 'unread')} | true`], { cwd: folder }).status).toBe(0);
    expect(existsSync(join(path('unread'), 'result.json'))).toBe(true);
  });
});

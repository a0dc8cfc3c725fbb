import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import '../../tests/support/arbitraries.js';
import { emptyFolder, mountSmallDisk } from '../../tests/support/folders.js';
import { createRun, freeRunName, openRun, type RunDirectory } from './run-directory.js';
import { RunError } from './run-error.js';
import { identifyProcess } from './run-lock.js';

const CONFIG = { preset: 'linear', seed: 3 };

function read(directory: string, file: string): string {
  return readFileSync(join(directory, file), 'utf8');
}

/** Appends to the logs what belongs to step n. */
function append(run: RunDirectory, n: number): void {
  run.appendEvent({ type: 'step', n });
  run.appendProgress({ n, seconds: n / 2 });
}

function save(run: RunDirectory, n: number): void {
  append(run, n);
  run.saveCheckpoint({ state: { n }, arrays: { numbers: Float64Array.of(n, Number.NaN) } });
}

/** A run of three steps, each with a checkpoint, and a fourth that has none. */
function stoppedRun(): string {
  const directory = join(emptyFolder(), 'x');
  const run = createRun(directory, CONFIG, '1.2.3');
  for (const n of [1, 2, 3]) save(run, n);
  append(run, 4);
  run.close();
  return directory;
}

function eventsTo(n: number): string {
  return Array.from({ length: n }, (_, k) => `{"type":"step","n":${k + 1}}\n`).join('');
}

function progressTo(n: number): string {
  return n === 0 ? '' : `n,seconds\n${Array.from({ length: n }, (_, k) => `${k + 1},${(k + 1) / 2}\n`).join('')}`;
}

/** Opens the run and sees that it is at step n, in all that it has. */
function expectAt(directory: string, n: number): readonly string[] {
  const { run, snapshot, notes, config, version } = openRun(directory);
  expect({ config, version }).toEqual({ config: CONFIG, version: '1.2.3' });
  expect(snapshot?.state).toEqual(n === 0 ? undefined : { n });
  if (n > 0) expect(snapshot?.arrays).toEqual({ numbers: Float64Array.of(n, Number.NaN) });
  run.close();
  expect(read(directory, 'events.jsonl')).toBe(eventsTo(n));
  expect(read(directory, 'progress.csv')).toBe(progressTo(n));
  return notes;
}

/** Every file and its content. */
function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, read(directory, name)]));
}

/** Opening is refused, and changes nothing. */
function expectRefusal(directory: string, message: string | RegExp): void {
  const before = contentOf(directory);
  expect(() => openRun(directory)).toThrow(RunError);
  expect(() => openRun(directory)).toThrow(message);
  expect(contentOf(directory)).toEqual(before);
}

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 20]! ^= 1;
  writeFileSync(path, bytes);
}

describe('making a run', () => {
  test('makes the directory with its parents and a configuration to read', () => {
    const directory = join(emptyFolder(), 'runs/deep/x');
    createRun(directory, CONFIG, '1.2.3').close();
    expect(read(directory, 'config.json')).toBe(
      '{\n  "evozero": "1.2.3",\n  "format": 2,\n  "preset": "linear",\n  "seed": 3\n}\n',
    );
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'events.jsonl', 'progress.csv']);
  });

  test('leaves a run, and whatever else is there, as it is', () => {
    const directory = stoppedRun();
    const before = contentOf(directory);
    const make = (path: string) => () => createRun(path, CONFIG, '1.2.3');
    expect(make(directory)).toThrow(RunError);
    expect(make(directory)).toThrow(
      `${directory}: exists already; choose another --out, or go on with evozero resume ${directory}`,
    );
    expect(contentOf(directory)).toEqual(before);
    const other = emptyFolder();
    writeFileSync(join(other, 'thesis.tex'), '');
    expect(make(other)).toThrow(`${other}: is not empty; choose another --out`);
    expect(readdirSync(other)).toEqual(['thesis.tex']);
    expect(make(join(other, 'thesis.tex'))).toThrow(RunError);
  });

  test('takes a directory that is empty, or that a killed creator left', () => {
    const directory = emptyFolder();
    writeFileSync(join(directory, 'lock'), JSON.stringify({ ...identifyProcess(process.pid), start: '1' }));
    writeFileSync(join(directory, `config.json.${randomUUID()}.tmp`), '{');
    createRun(directory, CONFIG, '1.2.3').close();
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'events.jsonl', 'progress.csv']);
  });

  test('names the trouble where nothing can be written', () => {
    expect(() => createRun('/proc/runs/x', CONFIG, '1.2.3')).toThrow(RunError);
    expect(() => createRun('/proc/runs/x', CONFIG, '1.2.3')).toThrow(/^cannot make \/proc\/runs\/x: no such file/);
    const disk = mountSmallDisk('64k');
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(64 * 1024));
    expect(() => createRun(join(disk, 'x'), CONFIG, '1.2.3')).toThrow(/^cannot make .*\/x: no space left$/);
    expect(readdirSync(join(disk, 'x'))).toEqual([]);
  });

  test('does not write a configuration that would read back as another', () => {
    const directory = join(emptyFolder(), 'x');
    expect(() => createRun(directory, { minutes: Number.POSITIVE_INFINITY }, '1')).toThrow('minutes is Infinity');
    expect(existsSync(directory)).toBe(false);
  });

  test('succeeds for one of two who want the same directory', () => {
    const directory = join(emptyFolder(), 'x');
    const run = createRun(directory, CONFIG, '1.2.3');
    // The other one saw an empty directory, which now has a lock.
    rmSync(join(directory, 'config.json'));
    for (const log of ['events.jsonl', 'progress.csv']) rmSync(join(directory, log));
    expect(() => createRun(directory, CONFIG, '1.2.3')).toThrow(`in use by process ${process.pid}`);
    run.close();
  });
});

test('free names are claimed at once', () => {
  const parent = join(emptyFolder(), 'runs');
  mkdirSync(join(parent, 'linear-0-3'), { recursive: true });
  const claims = ['linear-0', 'linear-0', 'linear-0', 'affine-1'].map((name) => freeRunName(parent, name));
  expect(claims).toEqual(['linear-0', 'linear-0-2', 'linear-0-4', 'affine-1'].map((name) => join(parent, name)));
  const run = createRun(claims[1]!, CONFIG, '1.2.3');
  run.close();
  expect(() => freeRunName('/proc/runs', 'x')).toThrow(/^cannot make a run in \/proc\/runs: /);
});

describe('going on', () => {
  test('is from the last checkpoint, with the logs as they were then', () => {
    const directory = stoppedRun();
    expect(read(directory, 'events.jsonl')).toBe(eventsTo(4));
    expect(expectAt(directory, 3)).toEqual([]);
    const { run } = openRun(directory);
    for (const n of [4, 5]) save(run, n);
    run.close();
    expectAt(directory, 5);
  });

  test('is from the beginning without a checkpoint', () => {
    const directory = join(emptyFolder(), 'x');
    const run = createRun(directory, CONFIG, '1.2.3');
    append(run, 1);
    run.close();
    expect(expectAt(directory, 0)).toEqual([]);
    rmSync(join(directory, 'events.jsonl'));
    expectAt(directory, 0);
  });

  test.each([
    ['damaged', damage, 'is damaged: its checksum is wrong'],
    ['cut off', (path: string) => truncateSync(path, 70), 'is cut off after 70 of '],
    ['empty', (path: string) => truncateSync(path, 0), 'is cut off after 0 bytes'],
    ['something else', (path: string) => writeFileSync(path, 'hello, this is no checkpoint'), 'is not a checkpoint'],
  ])('is from the checkpoint before if the last one is %s', (_, spoil, problem) => {
    const directory = stoppedRun();
    spoil(join(directory, 'checkpoint'));
    const [note, ...others] = expectAt(directory, 2);
    expect(note).toContain(`${join(directory, 'checkpoint')} ${problem}`);
    expect(note).toMatch(/; going on from the checkpoint before it$/);
    expect(others).toEqual([]);
    // The spoilt one is gone: it is not kept as the previous one, nor told of again.
    expect(expectAt(directory, 2)).toEqual([]);
    expect(existsSync(join(directory, 'checkpoint.previous'))).toBe(false);
  });

  test('is from the checkpoint before if the process was killed between the renames', () => {
    const directory = stoppedRun();
    rmSync(join(directory, 'checkpoint.previous'));
    renameSync(join(directory, 'checkpoint'), join(directory, 'checkpoint.previous'));
    copyFileSync(join(directory, 'checkpoint.previous'), join(directory, 'checkpoint.next'));
    const { run, snapshot, notes } = openRun(directory);
    expect({ state: snapshot?.state, notes }).toEqual({ state: { n: 3 }, notes: [] });
    expect(existsSync(join(directory, 'checkpoint.next'))).toBe(false);
    save(run, 4);
    run.close();
    damage(join(directory, 'checkpoint'));
    expectAt(directory, 3);
  });

  test('never uses a checkpoint whose log has lost bytes, also when the log has grown again', () => {
    const directory = stoppedRun();
    truncateSync(join(directory, 'events.jsonl'), eventsTo(3).length - 1);
    const { run, snapshot, notes } = openRun(directory);
    expect(snapshot?.state).toEqual({ n: 2 });
    const [needed, has] = [eventsTo(3).length, eventsTo(3).length - 1];
    expect(notes[0]).toContain(`needs ${needed} bytes of events.jsonl, which has only ${has}; going on from`);
    for (const n of [3, 4, 5]) append(run, n);
    run.close();
    expect(expectAt(directory, 2)).toEqual([]);
    truncateSync(join(directory, 'progress.csv'), 0);
    expectRefusal(directory, 'bytes of progress.csv, which has only 0');
  });

  test('wherever the log was cut, is to what it still holds or refused', () => {
    const bytes = Buffer.from(eventsTo(4));
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => {
        const directory = stoppedRun();
        truncateSync(join(directory, 'events.jsonl'), length);
        const whole = bytes.subarray(0, length).toString().split('\n').length - 1;
        if (whole < 2) expectRefusal(directory, 'no checkpoint can be used');
        else expect(expectAt(directory, Math.min(whole, 3))).toHaveLength(whole < 3 ? 1 : 0);
        rmSync(directory, { recursive: true });
      }),
      { numRuns: 30 },
    );
  });

  test('removes what killed processes were writing', () => {
    const directory = stoppedRun();
    for (const name of ['checkpoint.next', 'best.alg']) {
      writeFileSync(join(directory, `${name}.${randomUUID()}.tmp`), 'half');
    }
    expectAt(directory, 3);
    expect(readdirSync(directory).sort()).toEqual([
      'checkpoint',
      'checkpoint.previous',
      'config.json',
      'events.jsonl',
      'progress.csv',
    ]);
  });
});

describe('going on is refused', () => {
  test('if every checkpoint is damaged', () => {
    const directory = stoppedRun();
    damage(join(directory, 'checkpoint'));
    truncateSync(join(directory, 'checkpoint.previous'), 10);
    writeFileSync(join(directory, `best.alg.${randomUUID()}.tmp`), 'half');
    expectRefusal(
      directory,
      `${directory}: no checkpoint can be used, and nothing was changed: ${join(directory, 'checkpoint')} is damaged: its checksum is wrong; ${join(directory, 'checkpoint.previous')} is cut off after 10 bytes`,
    );
    rmSync(join(directory, 'checkpoint'));
    expectRefusal(directory, 'checkpoint.previous is cut off');
  });

  test('if there is no run', () => {
    const folder = emptyFolder();
    const missing = join(folder, 'x');
    expect(() => openRun(missing)).toThrow(`${missing}: no run directory`);
    expect(existsSync(missing)).toBe(false);
    expectRefusal(folder, `${folder}: no run directory`);
    writeFileSync(missing, '');
    expect(() => openRun(missing)).toThrow(`${missing}: no run directory`);
  });

  test.each([
    ['{"evozero": "1.2', /config\.json: damaged, not valid JSON: /],
    ['', /config\.json: damaged, not valid JSON: /],
    ['[]', /config\.json: damaged, it holds an array instead of an object$/],
    ['{"evozero": "9.8.7", "format": 3}', /: made by evozero "9.8.7" in format 3; this evozero reads format 2$/],
    ['{}', /in format undefined; this evozero reads format 2$/],
  ])('with the configuration %j', (text, message) => {
    const directory = stoppedRun();
    writeFileSync(join(directory, 'config.json'), text);
    expectRefusal(directory, message);
  });

  test('while the run is open', () => {
    const directory = stoppedRun();
    const { run } = openRun(directory);
    expectRefusal(directory, `${directory}: in use by process ${process.pid}; stop that first`);
    expect(() => createRun(directory, CONFIG, '1.2.3')).toThrow('exists already');
    run.close();
    expectAt(directory, 3);
  });
});

describe('writing', () => {
  test('a process that has lost the lock writes nothing more', () => {
    const directory = stoppedRun();
    const { run } = openRun(directory);
    const lock = JSON.stringify({ ...identifyProcess(process.pid), pid: 7 });
    writeFileSync(join(directory, 'lock'), lock);
    const before = contentOf(directory);
    expect(() => save(run, 4)).toThrow(`${directory}: this process has lost its lock`);
    expect(() => run.flush()).toThrow(RunError);
    expect(() => run.writeBest('a', 'b')).toThrow(RunError);
    run.close();
    expect(contentOf(directory)).toEqual(before);
  });

  test('on a full disk loses nothing, and goes on when there is room', () => {
    const disk = mountSmallDisk('512k');
    const [directory, ballast] = [join(disk, 'x'), join(disk, 'ballast')];
    const run = createRun(directory, CONFIG, '1.2.3');
    const numbers = new Float64Array(5000).fill(Math.PI);
    const saveLarge = (n: number) => {
      run.appendEvent({ type: 'step', n });
      run.saveCheckpoint({ state: { n }, arrays: { numbers } });
    };
    for (const n of [1, 2]) saveLarge(n);
    expect(() => writeFileSync(ballast, Buffer.alloc(600_000))).toThrow('ENOSPC');
    const message = `cannot write a checkpoint to ${directory}: no space left; what was saved before is kept`;
    expect(() => saveLarge(3)).toThrow(message);
    for (let n = 4; n <= 1000; n++) run.appendEvent({ type: 'step', n });
    expect(() => run.flush()).toThrow(`cannot write the logs of ${directory}: no space left`);
    expect(() => run.writeResult({ numbers: [...numbers] })).toThrow(/^cannot write .*\/result.json: no space left$/);
    expect(readdirSync(directory).filter((name) => /tmp|next/.test(name))).toEqual([]);
    // What a process would find that was killed now.
    const copy = join(emptyFolder(), 'copy');
    mkdirSync(copy);
    for (const name of readdirSync(directory)) copyFileSync(join(directory, name), join(copy, name));
    rmSync(join(copy, 'lock'));
    const opened = openRun(copy);
    opened.run.close();
    expect(opened.snapshot?.state).toEqual({ n: 2 });
    expect(read(copy, 'events.jsonl')).toBe(eventsTo(2));
    rmSync(ballast);
    saveLarge(1001);
    run.close();
    expect(read(directory, 'events.jsonl')).toBe(eventsTo(1001));
    const again = openRun(directory);
    onTestFinished(() => again.run.close());
    expect(again.snapshot?.state).toEqual({ n: 1001 });
    expect(read(directory, 'events.jsonl')).toBe(eventsTo(1001));
  });

  test('keeps the state that cannot be saved from harming the one before', () => {
    const directory = stoppedRun();
    const { run } = openRun(directory);
    append(run, 4);
    expect(() => run.saveCheckpoint({ state: { n: Number.NaN }, arrays: {} })).toThrow('state.state.n is NaN');
    run.close();
    expectAt(directory, 3);
  });

  test('of events and tables can be read by other programs', () => {
    const directory = join(emptyFolder(), 'x');
    const run = createRun(directory, CONFIG, '1.2.3');
    run.appendEvent({ fitness: Number.NaN, best: [Number.NEGATIVE_INFINITY, 1], text: 'a\nb' });
    run.appendProgress({ 'a,b': 'x"y', n: Number.POSITIVE_INFINITY });
    run.flush();
    expect(read(directory, 'events.jsonl')).toBe('{"fitness":"NaN","best":["-Infinity",1],"text":"a\\nb"}\n');
    expect(read(directory, 'progress.csv')).toBe('"a,b",n\n"x""y",Infinity\n');
    run.writeHallOfFame([]);
    expect(read(directory, 'hall-of-fame.csv')).toBe('');
    const rows = [
      { rank: 1, program: 'def Setup():\n  s2 = 0.5' },
      { rank: 2, program: '' },
    ];
    run.writeHallOfFame(rows);
    expect(read(directory, 'hall-of-fame.csv')).toBe('rank,program\n1,"def Setup():\n  s2 = 0.5"\n2,\n');
    run.writeBest('raw', 'simple');
    expect([read(directory, 'best.alg'), read(directory, 'best.simplified.alg')]).toEqual(['raw', 'simple']);
    run.close();
  });
});

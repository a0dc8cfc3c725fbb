// `evozero run` and `resume` with what cannot work: one clear line, 2 for a mistake and 1 for a failure, and nothing lost.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { compiled, evozero, type Run, startEvozero } from '../support/cli.js';
import { mountSmallDisk, temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const path = (...names: string[]) => join(folder, ...names);

/** A failure that is nobody's mistake: exit code 1 and one line, after lines that told how far it was. */
function expectFailure({ status, stdout, stderr }: Run, message: RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(message);
  expect(lines.filter((line) => line.startsWith('evozero: '))).toHaveLength(1);
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
  expect(status).toBe(1);
}

/** Ends a process for certain: a disk that it uses could not be unmounted. */
async function end(child: ChildProcess, done: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await done;
}

function write(name: string, text: string): string {
  writeFileSync(path(name), text);
  return path(name);
}

/** Everything in a directory, to see that nothing has changed. */
function contents(directory: string): string[][] {
  return readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'base64')]);
}

/** A copy of a run that was stopped with two checkpoints. */
function stoppedRun(name: string): string {
  cpSync(path('stopped'), path(name), { recursive: true });
  return path(name);
}

const SEARCH = ['run', 'linear', '--set', 'stop.fitness=null', '--max-algorithms', '120000'];

beforeAll(async () => {
  // No process of a test has to compile anything first.
  compiled('cli/main.js');
  expect(evozero([...SEARCH, '--out', path('whole')]).status).toBe(0);
  const { child, done } = startEvozero([...SEARCH, '--out', path('stopped')]);
  // The signal makes it write another one.
  while (!existsSync(path('stopped', 'checkpoint'))) await setTimeout(5);
  child.kill('SIGINT');
  expect((await done).status).toBe(130);
}, 120_000);

describe('a configuration', () => {
  const set = (...settings: string[]) => ['run', 'linear', ...settings.flatMap((setting) => ['--set', setting])];

  it.each([
    [['run', 'liner'], /there is no preset "liner"; did you mean "linear"\?/],
    [['run', 'cubic'], /there is no preset "cubic"; there are linear, /],
    [['run', ''], /there is no preset ""/],
    [['presets', 'show', 'afine'], /there is no preset "afine"; did you mean "affine"\?/],
    [
      set('search.tournament=2000'),
      /--set search\.tournament=2000: 2000 is larger than search\.population, which is 1000/,
    ],
    [set('search.population=5'), /tournament: 10 is larger than search\.population, which is 5/],
    [set('space.learn.min=9'), /--set space\.learn\.min=9: 9 is larger than space\.learn\.max, which is 8/],
    [
      set('space.memory.matrices=0', 'space.learn.ops=[matrix-add]'),
      /--set space\.learn\.ops=\[matrix-add\]: matrix-add needs a matrix, and space\.memory\.matrices is 0/,
    ],
    [set('search.populaton=5'), /--set search\.populaton=5: unknown field "populaton"; did you mean "population"\?/],
    [set('nonsense'), /--set nonsense: expected FIELD=VALUE, such as search\.population=100/],
    [set('search.population=many'), /--set search\.population=many: expected a whole number .*, not "many"/],
    [set('seed.x=1'), /--set seed\.x=1: seed has no fields/],
    [set('search.population=[1'), /--set search\.population=\[1: /],
    [['run', 'linear', '--workers', '0'], /'--workers <N>' argument '0' is invalid\. Expected a whole number from 1/],
    [['run', 'linear', '--islands', '0'], /'--islands <N>' argument '0' is invalid\. Expected a whole number from 1/],
    [['run', 'linear', '--seed', '-1'], /argument '-1' is invalid|argument missing/],
    [['run', 'linear', '--seed=-1'], /argument '-1' is invalid\. Expected a whole number from 0/],
    [['run', 'linear', '--minutes', '0'], /'--minutes <M>' argument '0' is invalid/],
    [['run', 'linear', '--max-algorithms', '1e6'], /'--max-algorithms <N>' argument '1e6' is invalid/],
    [['run', 'linear', '--out', ''], /'--out <DIR>' argument '' is invalid/],
    [set('search.initial=[missing.alg]'), /search\.initial\[0\]: missing\.alg: no such file or directory/],
    [set('search.initial=[paper/liner]'), /no built-in program "paper\/liner"; did you mean "paper\/linear"\?/],
    [set('search.initial=[paper/neural-net]'), /search\.initial.*: /],
  ])('%j', (args, message) => {
    // In a directory that must not be made.
    const out = path('unmade');
    expectMistake(args.includes('--out') || args[0] !== 'run' ? args : [...args, '--out', out], message);
    expect(existsSync(out)).toBe(false);
  });

  it('in a file with a mistake: where it is', () => {
    const config = (name: string, text: string) => ['run', write(name, text), '--out', path('unmade')];
    expectMistake(
      config('field.yaml', 'extends: linear\nsearch:\n  population: 100\n  tournament: lots\n'),
      /field\.yaml:4:3: search\.tournament: expected a whole number .*, not "lots"/,
    );
    expectMistake(config('syntax.yaml', 'extends: linear\nsearch: [1\n'), /syntax\.yaml:\d+:\d+: /);
    expectMistake(config('syntax.json', '{ "extends": "linear", }}'), /syntax\.json:1:\d+: /);
    expectMistake(config('empty.yaml', ''), /empty\.yaml:1:1: /);
    expectMistake(config('list.yaml', '- 1\n- 2\n'), /list\.yaml:1:1: expected an object/);
    expectMistake(config('twice.yaml', 'seed: 1\nseed: 2\n'), /twice\.yaml:2:1: there is another field "seed" before/);
    expectMistake(
      config('extends.yaml', '# mine\nextends: liner\n'),
      /extends\.yaml:2:1: extends: there is no preset "liner"; did you mean "linear"\?/,
    );
    write('broken.alg', 'def Setup():\n  s2 = sinus(s1)\ndef Predict():\ndef Learn():\n');
    expectMistake(
      config('initial.yaml', 'extends: linear\nsearch:\n  initial: [broken.alg]\n'),
      /initial\.yaml:3:13: search\.initial\[0\]: broken\.alg: line 2, column 8: unknown op 'sinus'/,
    );
    expect(existsSync(path('unmade'))).toBe(false);
  });

  it('in a file that is missing, a directory, or not to be read', () => {
    expectMistake(['run', path('missing.yaml')], /missing\.yaml: no such file or directory/);
    mkdirSync(path('folder.yaml'));
    expectMistake(['run', path('folder.yaml')], /folder\.yaml: is a directory/);
    const secret = write('secret.yaml', 'extends: linear\n');
    chmodSync(secret, 0);
    // Root may read everything; anybody else gets the message.
    if (process.getuid?.() !== 0) expectMistake(['run', secret], /secret\.yaml: permission denied/);
  });

  it('with data that is not there: how to get it', () => {
    const sets = ['search', 'select', 'final'].map((role) => `tasks.${role}.set=cifar10-binary-${role}`);
    const args = ['run', 'digits', ...sets.flatMap((setting) => ['--set', setting]), '--data', path()];
    expectMistake([...args, '--out', path('no-data')], /cifar10.*evozero data get cifar10/);
  });

  it.each([
    [['tasks.final.valid=500'], /digits: 500 validation examples were asked for, and its images suffice for 68/],
    [['tasks.final.set=cifar10-binary-final'], /cifar10.*evozero data get cifar10/],
    [
      ['tasks.final.set=linear-final', 'tasks.final.features=300', 'tasks.final.train=1000000'],
      /300 features of 1,000,100 examples do not fit into memory/,
    ],
  ])('whose final tasks cannot be made, before anything is searched: %j', (settings, message) => {
    const args = ['run', 'digits', ...settings.flatMap((setting) => ['--set', setting]), '--data', path()];
    expectMistake([...args, '--out', path('unmade')], message);
    expect(existsSync(path('unmade'))).toBe(false);
  });
});

describe('a directory for a run', () => {
  it('that has one already is left as it is', () => {
    const before = contents(path('whole'));
    expectMistake(
      ['run', 'linear', '--out', path('whole')],
      /whole: exists already; choose another --out, or go on with evozero resume .*whole/,
    );
    expect(contents(path('whole'))).toEqual(before);
    mkdirSync(path('thesis'));
    writeFileSync(path('thesis', 'thesis.tex'), 'x');
    expectMistake(['run', 'linear', '--out', path('thesis')], /thesis: is not empty; choose another --out/);
    expect(readdirSync(path('thesis'))).toEqual(['thesis.tex']);
  });

  it('that cannot be made', () => {
    const file = write('file', 'x');
    expectMistake(['run', 'linear', '--out', file], /cannot make .*\/file: is there already|cannot make .*\/file: /);
    expectMistake(['run', 'linear', '--out', join(file, 'below')], /cannot make .*\/below: is not a directory/);
    expectMistake(['run', 'linear', '--out', '/proc/evozero/x'], /cannot make \/proc\/evozero\/x: /);
    expect(readFileSync(file, 'utf8')).toBe('x');
  });

  it('that must not be written to', () => {
    const disk = mountSmallDisk('1m');
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expectMistake(['run', 'linear', '--out', join(disk, 'x')], /cannot make .*\/x: it cannot be written to/);
  });

  it('on a full disk', () => {
    const disk = mountSmallDisk('64k');
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(60_000));
    expectFailure(evozero(['run', 'linear', '--out', join(disk, 'x')]), /^evozero: cannot make .*\/x: no space left/);
  });
});

describe('a run directory', () => {
  it('that is none', () => {
    mkdirSync(path('none'));
    expectMistake(['resume', path('none')], /none: no run directory \(no config\.json in it\)/);
    expectMistake(['resume', path('missing')], /missing: no run directory/);
    expectMistake(['resume', ''], /value '' is invalid for argument 'RUN'\. Expected the path of a directory/);
    expectMistake(['resume'], /missing required argument 'RUN'/);
    expect(readdirSync(path('none'))).toEqual([]);
  });

  it('of another format', () => {
    const directory = stoppedRun('format');
    const config = JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
    writeFileSync(join(directory, 'config.json'), JSON.stringify({ ...config, evozero: '9.9.9', format: 99 }));
    const before = contents(directory);
    for (const command of ['resume', 'show']) {
      expectMistake(
        [command, directory],
        /format: made by evozero "9\.9\.9" in format 99; this evozero reads format 2/,
      );
    }
    expect(contents(directory)).toEqual(before);
  });

  it('with a damaged configuration', () => {
    const directory = stoppedRun('config');
    const text = readFileSync(join(directory, 'config.json'), 'utf8');
    writeFileSync(join(directory, 'config.json'), text.slice(0, 500));
    expectFailure(evozero(['resume', directory]), /config\.json: damaged, not valid JSON: /);
    writeFileSync(join(directory, 'config.json'), text.replace('"population": 1000', '"population": "x"'));
    const before = contents(directory);
    expectMistake(['resume', directory], /config\.json: search\.population: expected a whole number/);
    expect(contents(directory)).toEqual(before);
    // Its best program is still there for those who want it.
    expect(evozero(['eval', directory, '--tasks', 'linear', '--count', '1']).status).toBe(0);
  });

  it('whose checkpoints are both damaged stays as it is', () => {
    const directory = stoppedRun('checkpoints');
    // Where it was stopped late, it has only one; the previous one is made of that.
    const bytes = readFileSync(join(directory, 'checkpoint'));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(directory, 'checkpoint'), 'evozero*');
    writeFileSync(join(directory, 'checkpoint.previous'), bytes);
    const before = contents(directory);
    expectFailure(
      evozero(['resume', directory]),
      /checkpoints: no checkpoint can be used, and nothing was changed: .*\/checkpoint is cut off after 8 bytes; .*\/checkpoint\.previous is damaged: its checksum is wrong/,
    );
    expect(contents(directory)).toEqual(before);
  });

  it('that another process is writing', async () => {
    const directory = stoppedRun('in-use');
    const { child, done } = startEvozero(['resume', directory]);
    onTestFinished(() => end(child, done));
    while (!existsSync(join(directory, 'lock'))) await setTimeout(5);
    child.kill('SIGSTOP');
    expectMistake(['resume', directory], new RegExp(`in-use: in use by process ${child.pid}; stop that first`));
    expect(JSON.parse(evozero(['show', directory, '--json']).stdout).run.status).toBe('running');
    child.kill('SIGCONT');
    expect((await done).status).toBe(0);
    const events = (name: string) => readFileSync(path(name, 'events.jsonl'), 'utf8');
    expect(events('in-use') === events('whole')).toBe(true);
  });

  it('on a disk that becomes full goes on when there is room again', async () => {
    const disk = mountSmallDisk('12m');
    const directory = join(disk, 'x');
    const { child, done } = startEvozero([...SEARCH, '--out', directory]);
    onTestFinished(() => end(child, done));
    while (!existsSync(join(directory, 'checkpoint'))) await setTimeout(5);
    expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(13_000_000))).toThrow('ENOSPC');
    expectFailure(await done, /^evozero: cannot write .*: no space left/);
    // A disk without room for anything is still a run that can be looked at.
    expect(evozero(['show', directory]).status).toBe(0);
    expectFailure(evozero(['resume', directory]), /^evozero: cannot .*: no space left/);
    rmSync(join(disk, 'ballast'));
    expect(evozero(['resume', directory]).status).toBe(0);
    const read = (file: string) => [directory, path('whole')].map((place) => readFileSync(join(place, file), 'utf8'));
    for (const file of ['events.jsonl', 'best.alg', 'hall-of-fame.csv']) expect(read(file)[0]).toBe(read(file)[1]);
  });
});

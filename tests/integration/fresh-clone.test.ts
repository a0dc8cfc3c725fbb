// What the README promises of a fresh clone: two commands, nothing installed by hand.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { projectFiles } from '../support/tree-copy.js';

const clone = join(temporaryFolder(), 'evozero');

function copyProject(): void {
  for (const file of projectFiles()) cpSync(join(ROOT, file), join(clone, file));
}

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: clone, encoding: 'utf8' });
}

function changeSource(): void {
  appendFileSync(join(clone, 'src/cli/main.ts'), '// changed\n');
}

describe('a fresh clone', () => {
  it('runs with npm start, then without installing or compiling again', () => {
    copyProject();
    const first = run('npm', 'start', '--', '--seed', '4');
    expect(first.stderr).toContain('evozero: installing dependencies');
    expect(first.stderr).toContain('evozero: compiling');
    expect(first.stderr).toMatch(/experiment 1 of \d+, .* algorithms/);
    expect(first.stdout).toContain('def Predict(v0):');
    expect(first.stdout).toMatch(/final +(0\.9999|1\.0000)/);
    expect(first.stdout).toContain('In runs/linear-evozero-4:');
    expect(first.status).toBe(0);

    const second = run('node', 'bin/evozero.js', 'show', 'runs/linear-evozero-4', '--json');
    expect(second.stderr).not.toContain('evozero:');
    expect(JSON.parse(second.stdout).program).toContain('def Predict(v0):');

    const third = run('npm', 'run', '--silent', 'evozero', '--', 'show', 'paper/linear', '--json');
    expect(JSON.parse(third.stdout).name).toBe('paper/linear');
  });

  it('compiles again when a source file is newer, even if the last attempt was killed', () => {
    changeSource();
    // A lock that a killed process left behind: here, the number of a process that has ended.
    writeFileSync(join(clone, '.setup.lock'), String(spawnSync('true').pid));
    const { stdout, stderr } = run('node', 'bin/evozero.js', 'show', 'paper/linear', '--json');
    expect(stderr).toBe('evozero: compiling ...\n');
    expect(JSON.parse(stdout).name).toBe('paper/linear');
  });

  it('compiles once when two commands start at the same time', async () => {
    changeSource();
    const start = promisify(execFile);
    const command = () => start('node', ['bin/evozero.js', 'show', 'paper/linear', '--json'], { cwd: clone });
    const runs = await Promise.all([command(), command()]);
    for (const { stdout } of runs) expect(JSON.parse(stdout).name).toBe('paper/linear');
    // Who waits for long says so.
    const said = runs.map(({ stderr }) => stderr.replace(/^evozero: waiting for process \d+ \(\.setup\.lock\)\n$/, ''));
    expect(said.sort()).toEqual(['', 'evozero: compiling ...\n']);
    expect(existsSync(join(clone, '.setup.lock'))).toBe(false);
  });

  it('says so when it does not compile', () => {
    const broken = join(clone, 'src/util/broken.ts');
    writeFileSync(broken, 'export const x: string = 1;\n');
    const { status, stdout, stderr } = run('node', 'bin/evozero.js', 'show');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/src\/util\/broken\.ts.*error TS2322.*\nevozero: compiling failed\n$/);
    rmSync(broken);
    expect(run('node', 'bin/evozero.js', 'show').status).toBe(0);
  });

  it('builds the pages for the command that serves them, once, and the playground for any server of files', () => {
    expect(existsSync(join(clone, 'dist/web'))).toBe(false);
    const mistake = ['bin/evozero.js', 'dashboard', 'no-such-folder'];
    expect(run('node', ...mistake).stderr).toMatch(
      /^evozero: building the pages \.\.\.\nevozero: no-such-folder: no such/,
    );
    expect(run('node', ...mistake).stderr).toMatch(/^evozero: no-such-folder: no such/);
    expect(existsSync(join(clone, 'dist/web/index.html'))).toBe(true);
    expect(run('npm', 'run', 'build:playground').status).toBe(0);
    expect(existsSync(join(clone, 'dist/playground/index.html'))).toBe(true);
  });

  it('packs what an installation needs, and that runs without the sources', () => {
    const packed = run('npm', 'pack', '--json', '--ignore-scripts', '--silent');
    const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('bin/evozero.js');
    expect(paths).toContain('dist/cli/main.js');
    expect(paths).toContain('dist/web/index.html');
    expect(paths.filter((path) => path.startsWith('dist/playground/'))).toEqual([]);
    expect(paths.filter((path) => path.startsWith('src/') || path.includes('.test.'))).toEqual([]);
    const place = join(clone, '..', 'installed');
    run('mkdir', '-p', place);
    execFileSync('tar', ['xzf', join(clone, filename), '-C', place]);
    cpSync(join(clone, 'node_modules'), join(place, 'package/node_modules'), { recursive: true });
    const shown = spawnSync('node', ['package/bin/evozero.js', 'show', 'paper/linear', '--json'], {
      cwd: place,
      encoding: 'utf8',
    });
    expect(shown.stderr).toBe('');
    expect(JSON.parse(shown.stdout).name).toBe('paper/linear');
    const library = "import('evozero').then((e) => console.log(e.OPS[31].name))";
    execFileSync('ln', ['-s', join(place, 'package'), join(place, 'package/node_modules/evozero')]);
    expect(execFileSync('node', ['-e', library], { cwd: join(place, 'package'), encoding: 'utf8' })).toBe(
      'matrix-vector\n',
    );
  });
});

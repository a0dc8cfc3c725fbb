// What the README promises of a fresh clone: two commands, nothing installed by hand.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, temporaryFolder } from '../support/cli.js';

const clone = join(temporaryFolder(), 'evozero');

/** The files that git knows or would know, as they are now. */
function copyProject(): void {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of list.split('\0')) {
    if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(clone, file));
  }
}

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: clone, encoding: 'utf8' });
}

describe('a fresh clone', () => {
  it('runs with npm start, then without installing or compiling again', () => {
    copyProject();
    const first = run('npm', 'start', '--', '--seed', '3');
    expect(first.stderr).toContain('evozero: installing dependencies');
    expect(first.stderr).toContain('evozero: compiling');
    expect(first.stdout).toContain('def Predict(v0):');
    expect(first.stdout).toMatch(/mean +1\.0000/);
    expect(first.status).toBe(0);

    const second = run('node', 'bin/evozero.js', 'demo', '--json');
    expect(second.stderr).toBe('');
    expect(JSON.parse(second.stdout).mean).toBeGreaterThan(0.9999);

    const third = run('npm', 'run', '--silent', 'evozero', '--', 'show', 'paper/linear', '--json');
    expect(JSON.parse(third.stdout).name).toBe('paper/linear');
  });

  it('compiles again when a source file is newer', () => {
    const later = new Date(Date.now() + 2000);
    utimesSync(join(clone, 'src/cli/main.ts'), later, later);
    const { stdout, stderr } = run('node', 'bin/evozero.js', 'show', 'paper/linear', '--json');
    expect(stderr).toBe('evozero: compiling ...\n');
    expect(JSON.parse(stdout).name).toBe('paper/linear');
  });

  it('packs what an installation needs, and that runs without the sources', () => {
    const packed = run('npm', 'pack', '--json', '--ignore-scripts', '--silent');
    const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('bin/evozero.js');
    expect(paths).toContain('dist/cli/main.js');
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
    const library = "import('evozero').then((e) => console.log(e.OPS.length))";
    execFileSync('ln', ['-s', join(place, 'package'), join(place, 'package/node_modules/evozero')]);
    expect(execFileSync('node', ['-e', library], { cwd: join(place, 'package'), encoding: 'utf8' })).toBe('65\n');
  });
});

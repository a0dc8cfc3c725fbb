// A copy of the project with tools that only a campaign needs, so that they are nobody's dependencies.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { check, root } from './report.js';

/** Runs a command to its end, and returns what it printed. */
export function runIn(place, command, args, { stdio = ['ignore', 'pipe', 'inherit'] } = {}) {
  const options = { cwd: place, encoding: 'utf8', maxBuffer: 2 ** 28, stdio };
  const { status, stdout } = spawnSync(command, args, options);
  check(status === 0, `${command} ${args[0]} ended with ${status}: ${stdout?.trim().split('\n').at(-1) ?? ''}`);
  return stdout;
}

/** Copies what git knows or does not ignore, and installs the dependencies and more packages. */
export function copyProject(...packages) {
  const around = mkdtempSync(join(tmpdir(), 'evozero-copy-'));
  const place = join(around, 'evozero');
  // What tests compare with lies beside the project.
  const shared = join(root, '../shared');
  if (existsSync(shared)) symlinkSync(shared, join(around, 'shared'));
  const files = runIn(root, 'git', ['ls-files', '-co', '--exclude-standard']).trim().split('\n');
  for (const file of files.filter((file) => existsSync(join(root, file)))) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    cpSync(join(root, file), join(place, file));
  }
  // Tests ask git which files there are.
  runIn(place, 'git', ['init', '--quiet']);
  runIn(place, 'git', ['add', '--all']);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  runIn(place, 'npm', ['ci', ...flags]);
  runIn(place, 'npm', ['install', '--no-save', ...flags, ...packages]);
  return { place, remove: () => rmSync(around, { recursive: true, force: true }) };
}

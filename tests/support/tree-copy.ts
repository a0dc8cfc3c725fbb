// A copy of the project as it is now, to change and compile without touching the real one. Must not know what is changed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, ROOT } from './cli.js';
import { temporaryFolder } from './folders.js';

/** The files that git knows or would know, as they are now. */
export function projectFiles(): string[] {
  const flags = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', flags, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  return files.filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/**
 * These files, what has been compiled, and the installed packages by a link. Times are kept: what is older than
 * what was made of it is not made again, so that nothing is ever installed into the shared packages.
 */
export function copyTree(): string {
  compiled('index.js');
  const copy = temporaryFolder();
  const keep = { recursive: true, preserveTimestamps: true };
  for (const file of projectFiles()) cpSync(join(ROOT, file), join(copy, file), keep);
  cpSync(join(ROOT, 'dist'), join(copy, 'dist'), keep);
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

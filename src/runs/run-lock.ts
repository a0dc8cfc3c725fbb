// Who may write to a run directory: one process at a time, which a file says. A process that was killed leaves the file behind;
// its number and the time of its start tell that it is gone. Must not know what is written.
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { printable } from '../util/quote.js';
import { RunError, RunMistake } from './run-error.js';

/** A process, told from every other one that has had or will have its number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Empty where the system does not tell, as `start`. */
  readonly boot: string;
  /** Ticks from the boot. */
  readonly start: string;
}

/** Others may take or leave the lock between two looks at it, but hardly as often as this. */
const MAX_ATTEMPTS = 100;
const DEAD_STATES = ['Z', 'X'];

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** State and start of a process, where Linux tells them. */
function processStat(pid: number): { state: string; start: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the fields after it are numbered from 3, and the start is field 22.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0]!, start: fields[22 - 3]! };
}

export function identifyProcess(pid: number): ProcessIdentity {
  let boot = '';
  try {
    boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux.
  }
  return { pid, host: hostname(), boot, start: processStat(pid)?.start ?? '' };
}

function isRunning({ pid, boot, start }: ProcessIdentity): boolean {
  if (boot !== identifyProcess(process.pid).boot) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = processStat(pid);
  return stat === undefined || (!DEAD_STATES.includes(stat.state) && stat.start === start);
}

/** Undefined for a lock without sense, which a power failure may leave. */
function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const identity = JSON.parse(text) as ProcessIdentity;
    return Number.isInteger(identity.pid) && identity.pid > 0 ? identity : undefined;
  } catch {
    return undefined;
  }
}

/** The process that a lock's text speaks of, unless it is certainly gone. Those of other machines cannot be asked for. */
export function livingHolder(text: string): ProcessIdentity | undefined {
  const identity = parseIdentity(text);
  if (identity === undefined) return undefined;
  return identity.host !== hostname() || isRunning(identity) ? identity : undefined;
}

/** Whether some process holds a lock, without touching it. */
export function isLocked(path: string): boolean {
  const text = readIfThere(path);
  return text !== undefined && livingHolder(text) !== undefined;
}

/** A name for a moment, such as unfinished files have. */
function nameBeside(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/** What FAT, exFAT and some network shares say of hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'];

/** Without links, others may see a lock that says nothing yet, and take it away before its text is there. */
function tryWrite(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  return readIfThere(path) === text;
}

/** Gives a file the name of the lock too, unless there is one. */
function tryLink(from: string, to: string, text: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NO_LINKS.includes(code)) return tryWrite(to, text);
    // Somebody has the lock; or has just got it, and has cleaned up.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the lock with all its text at once: a process that is killed leaves none that says nothing. */
function tryMake(path: string, text: string): boolean {
  const unfinished = nameBeside(path);
  try {
    writeFileSync(unfinished, text, { flag: 'wx' });
    return tryLink(unfinished, path, text);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Takes a dead process's lock away, but puts it back if another process has made it anew in the meantime. */
function removeStale(path: string, text: string): void {
  const aside = nameBeside(path);
  try {
    renameSync(path, aside);
    const taken = readIfThere(aside);
    if (taken !== undefined && taken !== text) tryLink(aside, path, taken);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

export class RunLock {
  private readonly path: string;
  private readonly text = JSON.stringify(identifyProcess(process.pid));

  /** Takes the lock, or throws a RunError that says who has it. `directory` is what the message names. */
  constructor(path: string, directory: string) {
    this.path = path;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (tryMake(path, this.text)) return;
      const found = readIfThere(path);
      if (found === undefined) continue;
      const holder = livingHolder(found);
      if (holder !== undefined) throw new RunMistake(describeHolder(holder, directory, path));
      removeStale(path, found);
    }
    throw new RunError(`${directory}: ${printable(path)} cannot be made`);
  }

  isHeld(): boolean {
    return readIfThere(this.path) === this.text;
  }

  release(): void {
    if (this.isHeld()) rmSync(this.path, { force: true });
  }
}

function describeHolder({ pid, host }: ProcessIdentity, directory: string, path: string): string {
  if (host === hostname()) return `${directory}: in use by process ${pid}; stop that first`;
  return `${directory}: in use by process ${pid} on ${printable(host)}; if that is gone, remove ${printable(path)}`;
}

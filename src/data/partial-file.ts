// A file on its way to its final name. It grows as NAME.partial.HOST.PID.THREAD.N, a name that only one writer has, so that processes
// that fetch the same file never write into each other's; when one fails it becomes NAME.partial, and whoever comes next goes on
// with it. The final name is given last, to content that was read back and is right. Must not know where bytes come from.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { diskError } from './download-error.js';
import { hashOpenFile } from './file-hash.js';
import { makeDirectory } from './make-directory.js';

const HOST = hostname().replace(/[^\w-]/g, '_');
const CLAIMED_NAME = /^\.(?<host>[\w-]+)\.(?<pid>\d+)\.(?<thread>\d+)\.\d+$/;

/** Longer than any download waits for bytes: after this the owner is gone, also where it cannot be asked for (another machine). */
const ABANDONED_MS = 3_600_000;

const ownClaims = new Set<string>();
let claims = 0;

export class PartialFile {
  private bytes: number;
  private readonly path: string;
  private readonly claim: string;
  private readonly handle: FileHandle;

  private constructor(path: string, claim: string, handle: FileHandle, bytes: number) {
    this.path = path;
    this.claim = claim;
    this.handle = handle;
    this.bytes = bytes;
  }

  /** Goes on with what an earlier download of this path left, or begins. */
  static async open(path: string): Promise<PartialFile> {
    const claim = `${path}.partial.${HOST}.${process.pid}.${threadId}.${claims++}`;
    ownClaims.add(claim);
    try {
      makeDirectory(dirname(path));
      await adoptLargest(path, claim);
      const handle = await open(claim, constants.O_RDWR | constants.O_CREAT, 0o666);
      return new PartialFile(path, claim, handle, (await handle.stat()).size);
    } catch (error) {
      ownClaims.delete(claim);
      throw diskError(path, error);
    }
  }

  get size(): number {
    return this.bytes;
  }

  async append(chunk: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await this.handle.write(chunk, done, chunk.length - done, this.bytes);
        done += bytesWritten;
        this.bytes += bytesWritten;
      }
    } catch (error) {
      throw diskError(this.path, error);
    }
  }

  async clear(): Promise<void> {
    try {
      await this.handle.truncate(0);
    } catch (error) {
      throw diskError(this.path, error);
    }
    this.bytes = 0;
  }

  /** Gives the file its final name, if its content has this SHA-256, and tells whether it has. */
  async publish(sha256: string): Promise<boolean> {
    try {
      // Read back rather than hashed on the way: what counts is what lies on the disk.
      await this.handle.sync();
      if ((await hashOpenFile(this.handle)) !== sha256) return false;
      await rename(this.claim, this.path);
      for (const leftover of await findLeftovers(this.path)) await rm(leftover.path, { force: true });
      return true;
    } catch (error) {
      throw diskError(this.path, error);
    }
  }

  /** Lets go of the file. What is not published stays for the next one. */
  async release(): Promise<void> {
    try {
      await this.handle.close();
      if (this.bytes > 0) await renameIfThere(this.claim, `${this.path}.partial`);
      else await rm(this.claim, { force: true });
    } catch (error) {
      throw diskError(this.path, error);
    } finally {
      ownClaims.delete(this.claim);
    }
  }

  /** Lets go of the file and of what is in it. */
  async discard(): Promise<void> {
    this.bytes = 0;
    await this.release();
  }
}

/** The largest leftover gets the new name; others are of no more use. */
async function adoptLargest(path: string, claim: string): Promise<void> {
  const leftovers = (await findLeftovers(path)).sort((a, b) => b.size - a.size);
  let adopted = false;
  for (const { path: leftover } of leftovers) {
    if (adopted) await rm(leftover, { force: true });
    else adopted = await renameIfThere(leftover, claim);
  }
}

async function findLeftovers(path: string): Promise<{ path: string; size: number }[]> {
  const folder = dirname(path);
  const start = `${basename(path)}.partial`;
  const leftovers = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start)) continue;
    const candidate = join(folder, name);
    const stats = await lstat(candidate).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    const free = name === start || isAbandoned(candidate, name.slice(start.length), stats.mtimeMs);
    if (free) leftovers.push({ path: candidate, size: stats.size });
  }
  return leftovers;
}

function isAbandoned(path: string, suffix: string, writtenAt: number): boolean {
  const owner = CLAIMED_NAME.exec(suffix)?.groups;
  if (owner === undefined || ownClaims.has(path)) return false;
  if (Date.now() - writtenAt > ABANDONED_MS) return true;
  return owner.host === HOST && !isRunning(Number(owner.pid), Number(owner.thread));
}

/** A claim of this very thread that it did not make is of an earlier process: in a container that is always number 1. */
function isRunning(pid: number, thread: number): boolean {
  if (pid === process.pid) return thread !== threadId;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** False when another process was faster. */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

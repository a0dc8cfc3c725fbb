// Built tasks on disk, by a key of everything that decides their numbers. Safe with any number of processes and with processes
// that are killed: files appear whole, carry a checksum, and one that is damaged is as good as none. Must not know how
// tasks are built.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { UNFINISHED, writeAtomic } from './write-atomic.js';

/** Begins every file: a name, the version of the format, and 1 as this machine writes it, so that another byte order is not read. */
const MAGIC = new Uint8Array([...Buffer.from('evozero1'), ...new Uint8Array(Uint32Array.of(1, 0).buffer)]);
const DIGEST_BYTES = 32;
const HEADER_BYTES = MAGIC.length + DIGEST_BYTES;
const SUFFIX = '.task';

/** When the cache has become larger than this, what was not used for longest goes. */
const MAX_BYTES = 4 * 2 ** 30;
/** So much of it is left after a cleaning, so that there is room for a while. */
const PART_AFTER_CLEANING = 0.75;
/** What a killed process was writing is removed after this time; a living one takes less to write a task. */
const MAX_WRITING_MS = 3_600_000;

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

export class TaskCache {
  private readonly directory: string;
  /** Bytes in the folder, as of the last look, and what has been written since. */
  private used: number | undefined;
  private readonly maxBytes: number;

  constructor(directory: string, maxBytes = MAX_BYTES) {
    this.directory = directory;
    this.maxBytes = maxBytes;
  }

  /** The key of anything that JSON can write. */
  static key(parameters: unknown): string {
    return createHash('sha256').update(JSON.stringify(parameters)).digest('hex');
  }

  private path(key: string): string {
    return join(this.directory, 'tasks', key.slice(0, 2), `${key}${SUFFIX}`);
  }

  /** Fills `numbers` with what was stored; false if there is nothing, or nothing whole of this length. */
  read(key: string, numbers: Float64Array): boolean {
    const path = this.path(key);
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      return false;
    }
    const bytes = bytesOf(numbers);
    try {
      if (fstatSync(file).size !== HEADER_BYTES + bytes.length) return false;
      const header = new Uint8Array(HEADER_BYTES);
      if (!fill(file, header) || !MAGIC.every((byte, k) => header[k] === byte)) return false;
      if (!fill(file, bytes) || !digest(bytes).equals(header.subarray(MAGIC.length))) return false;
      touch(path);
      return true;
    } catch {
      return false;
    } finally {
      closeSync(file);
    }
  }

  /** Stores numbers for good. Throws what the operating system says, and then nothing has been left behind. */
  write(key: string, numbers: Float64Array): void {
    const bytes = bytesOf(numbers);
    writeAtomic(this.path(key), [MAGIC, digest(bytes), bytes]);
    this.used = this.used === undefined ? undefined : this.used + HEADER_BYTES + bytes.length;
    if (this.used === undefined || this.used > this.maxBytes) this.clean();
  }

  /** Looks how large the cache is, and removes what is too much. Other processes may be doing the same. */
  private clean(): void {
    const files = listFiles(join(this.directory, 'tasks'));
    // Also beside the tasks, where what is known of data files is kept.
    for (const { path, usedMs } of [...files, ...listFiles(join(this.directory, 'files'))]) {
      if (UNFINISHED.test(path) && Date.now() - usedMs > MAX_WRITING_MS) rmSync(path, { force: true });
    }
    const tasks = files.filter(({ path }) => path.endsWith(SUFFIX)).sort((a, b) => a.usedMs - b.usedMs);
    let bytes = tasks.reduce((sum, file) => sum + file.bytes, 0);
    const limit = bytes > this.maxBytes ? PART_AFTER_CLEANING * this.maxBytes : this.maxBytes;
    for (const file of tasks) {
      if (bytes <= limit) break;
      rmSync(file.path, { force: true });
      bytes -= file.bytes;
    }
    this.used = bytes;
  }
}

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** The files below the folders of the cache. Somebody may delete them meanwhile. */
function listFiles(folder: string): StoredFile[] {
  return namesBelow(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ path, bytes: stats.size, usedMs: stats.mtimeMs }] : [];
  });
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Fills `target` from where the file is; false if it ends before. */
function fill(file: number, target: Uint8Array): boolean {
  for (let at = 0; at < target.length; ) {
    const got = readSync(file, target, at, target.length - at, null);
    if (got === 0) return false;
    at += got;
  }
  return true;
}

/** Notes that a file is in use. A cache that may only be read is still of use. */
function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Then it may be removed earlier than others.
  }
}

// A file that only grows, except that it is cut to a known length when it is opened. Must not know what its lines mean.
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export class GrowingLog {
  private readonly file: number;
  /** Bytes in the file. */
  private length: number;
  private pending: Uint8Array[] = [];

  /** The file has at least `length` bytes, of which these stay. */
  constructor(path: string, length: number) {
    this.file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o666);
    this.length = length;
    try {
      ftruncateSync(this.file, length);
    } catch (error) {
      closeSync(this.file);
      throw error;
    }
  }

  isEmpty(): boolean {
    return this.length === 0 && this.pending.length === 0;
  }

  /** Remembers the text until the next flush. */
  append(text: string): void {
    this.pending.push(Buffer.from(text));
  }

  /** Hands everything to the operating system. What a full disk did not take stays for the next time. */
  flush(): void {
    let rest: Uint8Array = Buffer.concat(this.pending);
    this.pending = [];
    try {
      while (rest.length > 0) {
        const written = writeSync(this.file, rest, 0, rest.length, this.length);
        this.length += written;
        rest = rest.subarray(written);
      }
    } finally {
      if (rest.length > 0) this.pending = [rest];
    }
  }

  /** Flushes, and returns the length that is safe on the disk. */
  sync(): number {
    this.flush();
    fsyncSync(this.file);
    return this.length;
  }

  close(): void {
    closeSync(this.file);
  }
}

// Reads a stream of bytes piece by piece, and says where in it something is wrong. The stream may come from a file, a
// decompressor or a network: must not know which.
import { DataError } from '../data-error.js';

export type ByteStream = AsyncIterable<Uint8Array>;

export class ByteReader {
  readonly name: string;
  /** Bytes read so far. */
  offset = 0;
  private readonly source: AsyncIterator<Uint8Array>;
  private chunk: Uint8Array = new Uint8Array(0);
  private used = 0;

  constructor(name: string, stream: ByteStream) {
    this.name = name;
    this.source = stream[Symbol.asyncIterator]();
  }

  /** An error at the place that was reached, or at another. */
  error(problem: string, at = this.offset): DataError {
    return new DataError(`${this.name}: ${problem} (at byte ${at.toLocaleString('en-US')})`);
  }

  /** Fills `target`; `what` names it where the stream ends too early. */
  async readInto(target: Uint8Array, what: string): Promise<void> {
    let filled = 0;
    while (filled < target.length) {
      if (!(await this.hasMore())) throw this.error(`ends in the middle of ${what}`);
      const part = this.chunk.subarray(this.used, this.used + target.length - filled);
      target.set(part, filled);
      this.advance(part.length);
      filled += part.length;
    }
  }

  async read(length: number, what: string): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    await this.readInto(bytes, what);
    return bytes;
  }

  /** Whether there is another byte. */
  async hasMore(): Promise<boolean> {
    while (this.used === this.chunk.length) {
      const { done, value } = await this.source.next();
      if (done === true) return false;
      this.chunk = value;
      this.used = 0;
    }
    return true;
  }

  async expectEnd(): Promise<void> {
    if (await this.hasMore()) throw this.error('goes on after what should be its end');
  }

  /** The next `length` bytes as a stream, which must be read to its end before anything else is read. */
  async *stream(length: number, what: string): ByteStream {
    let left = length;
    while (left > 0) {
      if (!(await this.hasMore())) throw this.error(`ends in the middle of ${what}`);
      const part = this.chunk.subarray(this.used, this.used + left);
      this.advance(part.length);
      left -= part.length;
      yield part;
    }
  }

  async skip(length: number, what: string): Promise<void> {
    for await (const _ of this.stream(length, what));
  }

  /** Gives back what the stream holds, wherever reading stopped. */
  async close(): Promise<void> {
    await this.source.return?.();
  }

  private advance(length: number): void {
    this.used += length;
    this.offset += length;
  }
}

// The bytes of a file, plain or gzipped, as a stream, with what can go wrong in one clear line. Must not know formats.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { DataError } from '../tasks/data-error.js';
import type { ByteStream } from '../tasks/readers/byte-reader.js';
import { printable } from '../util/quote.js';
import { describeSystemError } from './system-error.js';

const CHUNK_BYTES = 1 << 20;
const GZIP = [0x1f, 0x8b];

function isGzip(chunk: Uint8Array): boolean {
  return chunk[0] === GZIP[0] && chunk[1] === GZIP[1];
}

async function* raw(path: string): ByteStream {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    throw new DataError(`${printable(path)}: ${describeSystemError(error)}`);
  }
}

/** What a decompressor makes of a stream; `name` says whose it is where it is damaged. */
async function* decompress(stream: ByteStream, decompressor: NodeJS.ReadWriteStream, name: string): ByteStream {
  try {
    // Errors of the stream come out of the decompressor.
    yield* pipeline(Readable.from(stream), decompressor, () => {}) as unknown as ByteStream;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (error instanceof DataError || !code.startsWith('Z_')) throw error;
    const problem =
      code === 'Z_BUF_ERROR'
        ? 'ends in the middle of its compressed data: is it complete?'
        : `its compressed data is damaged: ${message}`;
    throw new DataError(`${printable(name)}: ${problem}`);
  }
}

async function* startingWith(chunk: Uint8Array, rest: AsyncIterator<Uint8Array>): ByteStream {
  try {
    yield chunk;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    // Also when nobody wants more than the first chunk.
    await rest.return?.();
  }
}

/** The content of a file; what is gzipped, whatever its name, is unpacked. */
export async function* fileBytes(path: string): ByteStream {
  const source = raw(path)[Symbol.asyncIterator]();
  const { done, value } = await source.next();
  if (done === true) return;
  const stream = startingWith(value, source);
  yield* isGzip(value) ? decompress(stream, createGunzip({ chunkSize: CHUNK_BYTES }), path) : stream;
}

/** The part of a file that zlib has compressed. */
export function inflate(stream: ByteStream, name: string): ByteStream {
  return decompress(stream, createInflate({ chunkSize: CHUNK_BYTES }), name);
}

/** The same stream, whose checksum is known when it has ended. */
export function hashed(stream: ByteStream): { readonly stream: ByteStream; readonly sha256: () => string } {
  const hash = createHash('sha256');
  async function* pass(): ByteStream {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { stream: pass(), sha256: () => hash.digest('hex') };
}

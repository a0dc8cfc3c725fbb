import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { sha256 } from '../../tests/support/remote-file.js';
import { DataError } from '../tasks/data-error.js';
import type { ByteStream } from '../tasks/readers/byte-reader.js';
import { fileBytes, hashed } from './file-bytes.js';

const CONTENT = Buffer.from(Uint32Array.from({ length: 700_000 }, (_, i) => Math.imul(i, 2654435761) >>> 9).buffer);

async function collect(stream: ByteStream): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function fileOf(bytes: Uint8Array, name = 'data.bin'): string {
  const path = join(emptyFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

test.each([
  ['plain', CONTENT],
  ['gzipped, whatever its name', gzipSync(CONTENT)],
  ['gzipped in two pieces', Buffer.concat([gzipSync(CONTENT.subarray(0, 1000)), gzipSync(CONTENT.subarray(1000))])],
])('reads a file that is %s', async (_, bytes) => {
  const { stream, sha256: found } = hashed(fileBytes(fileOf(bytes)));
  expect((await collect(stream)).equals(CONTENT)).toBe(true);
  expect(found()).toBe(sha256(CONTENT));
});

test('reads an empty file, and one of a single byte', async () => {
  expect(await collect(fileBytes(fileOf(Buffer.of())))).toHaveLength(0);
  for (const bytes of [[0x1f], [0x1f, 0], [0, 0x8b]])
    expect([...(await collect(fileBytes(fileOf(Buffer.from(bytes)))))]).toEqual(bytes);
});

test.each([100, 5, 2])('refuses gzip that ends after %d bytes', async (length) => {
  const path = fileOf(gzipSync(CONTENT).subarray(0, length));
  await expect(collect(fileBytes(path))).rejects.toThrow(
    new DataError(`${path}: ends in the middle of its compressed data: is it complete?`),
  );
});

test('refuses gzip with a damaged byte', async () => {
  const bytes = gzipSync(CONTENT);
  bytes[bytes.length >> 1]! ^= 64;
  const path = fileOf(bytes);
  await expect(collect(fileBytes(path))).rejects.toThrow(DataError);
  await expect(collect(fileBytes(path))).rejects.toThrow(`${path}: its compressed data is damaged: `);
});

test('names a file that is not there, or is a directory', async () => {
  const folder = emptyFolder();
  await expect(collect(fileBytes(join(folder, 'no')))).rejects.toThrow(
    `${join(folder, 'no')}: no such file or directory`,
  );
  mkdirSync(join(folder, 'sub'));
  await expect(collect(fileBytes(join(folder, 'sub')))).rejects.toThrow(`${join(folder, 'sub')}: is a directory`);
});

// Takes known files out of a tar.gz. Paths in the archive are never used: an entry counts by its base name and its content, and
// the file gets the name that the caller expects. Must not know data sets.
import { createReadStream } from 'node:fs';
import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { PartialFile } from './partial-file.js';

/** Files to take out: what each name's content must have as SHA-256. */
type Wanted = ReadonlyMap<string, string>;

/** Returns the names for which the archive does not have the right content. */
export async function extractFiles(
  archive: string,
  folder: string,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const missing = new Map(wanted);
  const compressed = Readable.toWeb(createReadStream(archive));
  const entries = compressed.pipeThrough(new DecompressionStream('gzip')).pipeThrough(createTarDecoder());
  for await (const entry of entries) {
    const name = posix.basename(entry.header.name);
    const sha256 = entry.header.type === 'file' ? missing.get(name) : undefined;
    if (sha256 === undefined) await skip(entry);
    else if (await extract(entry, join(folder, name), sha256, signal)) missing.delete(name);
    if (missing.size === 0) break;
  }
  return [...missing.keys()];
}

/** Reads, because cancelling a body that is buffered already makes modern-tar 0.8.6 lose the next one. */
async function skip({ body }: ParsedTarEntry): Promise<void> {
  await body.pipeTo(new WritableStream());
}

/** False when the content is not the wanted one. */
async function extract(
  { body }: ParsedTarEntry,
  path: string,
  sha256: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const part = await PartialFile.open(path);
  try {
    await part.clear();
    for await (const piece of body) {
      signal?.throwIfAborted();
      await part.append(piece);
    }
    return await part.publish(sha256);
  } finally {
    await part.discard();
  }
}

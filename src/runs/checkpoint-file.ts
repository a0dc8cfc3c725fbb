// A snapshot as bytes: a head with version, length and checksum, then JSON, then the arrays as they lie in memory (little-endian),
// each from a multiple of 8 bytes on. Whatever happened to the bytes, they are read right or refused. Must not know files, nor what
// the numbers mean.
import { createHash } from 'node:crypto';
import type { Snapshot, SnapshotArray } from '../experiment/snapshot.js';
import { quote } from '../util/quote.js';

/** Bytes that are no whole checkpoint of this format. The message goes on after the name of a file. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

const MAGIC = Buffer.from('evozero*');
const VERSION_AT = 8;
const JSON_BYTES_AT = 12;
const TOTAL_BYTES_AT = 16;
const DIGEST_AT = 24;
const DIGEST_BYTES = 32;
const HEAD_BYTES = DIGEST_AT + DIGEST_BYTES;
const ALIGNMENT = 8;

const KINDS = { f64: Float64Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };
type Kind = keyof typeof KINDS;

/** What the JSON says, besides the state, of each array in turn. */
type ArrayEntry = readonly [name: string, kind: Kind, length: number];

function kindOf(name: string, array: SnapshotArray): Kind {
  const kind = (Object.keys(KINDS) as Kind[]).find((key) => array instanceof KINDS[key]);
  if (kind === undefined) throw new TypeError(`${name}: no array that a checkpoint can hold`);
  return kind;
}

/** Up to the next multiple of the alignment. */
function paddingAfter(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}

// --- JSON without loss -------------------------------------------------------------------------------------------------

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * JSON that reads back as the same value. JSON.stringify would make null of NaN, 0 of -0 and {} of a Map, and a resumed
 * search would silently be another one.
 */
function printExactly(value: unknown, path: string): string {
  if (typeof value === 'number' && Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item, k) => printExactly(item, `${path}[${k}]`)).join()}]`;
  if (!isPlainObject(value)) throw new TypeError(`${path} is ${quote(value)}, which a checkpoint cannot hold as JSON`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${printExactly(member, `${path}.${key}`)}`).join()}}`;
}

// --- Writing -----------------------------------------------------------------------------------------------------------

function digest(head: Uint8Array, pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(head.subarray(0, DIGEST_AT));
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** The bytes of a checkpoint in pieces, some of which are the snapshot's own memory. */
export function encodeCheckpoint({ state, arrays }: Snapshot, formatVersion: number): Uint8Array[] {
  const entries = Object.entries(arrays).map(([name, array]): ArrayEntry => [name, kindOf(name, array), array.length]);
  const json = Buffer.from(`{"arrays":${JSON.stringify(entries)},"state":${printExactly(state, 'state')}}`);
  const text = Buffer.concat([json, Buffer.alloc(paddingAfter(json.length), ' ')]);
  const pieces: Uint8Array[] = [text];
  for (const { buffer, byteOffset, byteLength } of Object.values(arrays)) {
    pieces.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(paddingAfter(byteLength)));
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.set(MAGIC);
  head.writeUInt32LE(formatVersion, VERSION_AT);
  head.writeUInt32LE(text.length, JSON_BYTES_AT);
  const total = pieces.reduce((sum, { length }) => sum + length, HEAD_BYTES);
  head.writeBigUInt64LE(BigInt(total), TOTAL_BYTES_AT);
  head.set(digest(head, pieces), DIGEST_AT);
  return [head, ...pieces];
}

// --- Reading -----------------------------------------------------------------------------------------------------------

function checkHead(bytes: Buffer, formatVersion: number): void {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, bytes.length))) {
    throw new CheckpointError('is not a checkpoint');
  }
  if (bytes.length < HEAD_BYTES) throw new CheckpointError(`is cut off after ${bytes.length} bytes`);
  const version = bytes.readUInt32LE(VERSION_AT);
  if (version !== formatVersion) {
    throw new CheckpointError(`is of format ${version}, and this evozero reads format ${formatVersion}`);
  }
  const total = bytes.readBigUInt64LE(TOTAL_BYTES_AT);
  if (bytes.length < total) throw new CheckpointError(`is cut off after ${bytes.length} of ${total} bytes`);
  if (!digest(bytes, [bytes.subarray(HEAD_BYTES)]).equals(bytes.subarray(DIGEST_AT, HEAD_BYTES))) {
    throw new CheckpointError('is damaged: its checksum is wrong');
  }
}

/** The snapshot in a file's bytes. Its arrays are views of these bytes where they lie well. Throws CheckpointError. */
export function decodeCheckpoint(bytes: Uint8Array<ArrayBuffer>, formatVersion: number): Snapshot {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes);
  const file = Buffer.from(buffer, byteOffset, byteLength);
  checkHead(file, formatVersion);
  let at = HEAD_BYTES + file.readUInt32LE(JSON_BYTES_AT);
  const json = JSON.parse(file.toString('utf8', HEAD_BYTES, at)) as { arrays: readonly ArrayEntry[]; state: unknown };
  const arrays = json.arrays.map(([name, kind, length]): [string, SnapshotArray] => {
    const array = new KINDS[kind](buffer, byteOffset + at, length);
    at += array.byteLength + paddingAfter(array.byteLength);
    return [name, array];
  });
  return { state: json.state, arrays: Object.fromEntries(arrays) };
}

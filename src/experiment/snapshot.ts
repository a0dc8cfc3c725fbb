// What a search can be stopped with and gone on from, to the bit: any state of plain data and arrays of numbers, taken apart into
// JSON and the arrays. It runs in a browser too, and must not know where a snapshot is kept.

export type SnapshotArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** All that a run needs to go on later, to the same result. */
export interface Snapshot {
  /** What JSON can tell, without numbers that are not finite; those belong into arrays. */
  readonly state: unknown;
  /** Numbers in bulk, by name. */
  readonly arrays: Readonly<Record<string, SnapshotArray>>;
}

/** Stands in the state for an array, with its name. */
const ARRAY_KEY = '$array';

/** Takes a state apart. */
export function takeSnapshot(value: unknown): Snapshot {
  const arrays: Record<string, SnapshotArray> = {};
  const take = (part: unknown, path: string): unknown => {
    if (ArrayBuffer.isView(part)) {
      arrays[path] = part as SnapshotArray;
      return { [ARRAY_KEY]: path };
    }
    if (Array.isArray(part)) return part.map((item, k) => take(item, `${path}.${k}`));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, take(item, path === '' ? key : `${path}.${key}`)]),
    );
  };
  return { state: take(value, ''), arrays };
}

/** Puts a state together again. */
export function readSnapshot({ state, arrays }: Snapshot): unknown {
  const put = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(put);
    if (typeof part !== 'object' || part === null) return part;
    if (ARRAY_KEY in part) return arrays[String(part[ARRAY_KEY])];
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, put(item)]));
  };
  return put(state);
}

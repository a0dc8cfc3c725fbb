// What a search can be stopped with and gone on from, to the bit. Types only: it runs in a browser too, and must not know where
// a snapshot is kept.

export type SnapshotArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

export interface Snapshot {
  /** What JSON can tell, without numbers that are not finite; those belong into arrays. */
  readonly state: unknown;
  /** Numbers in bulk, by name. */
  readonly arrays: Readonly<Record<string, SnapshotArray>>;
}

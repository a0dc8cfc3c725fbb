// What is known of programs that were evaluated, by a 64-bit hash: the least recently used is forgotten when there are too
// many (paper, "Functional Equivalence Checking"). Must not know what the hash is of.

const NONE = -1;
/** Words of an entry's key in a saved cache. */
const KEY_WORDS = 2;

/** The entries from the least to the most recently used. */
export interface SavedCache {
  readonly keys: Int32Array;
  readonly values: Float64Array;
}

/** Where a key begins to be looked for. */
function mixed(high: number, low: number): number {
  return (high ^ Math.imul(low, 0x9e3779b1)) >>> 8;
}

/** Entries of `width` numbers each. */
export class FitnessCache {
  readonly capacity: number;
  readonly width: number;
  private count = 0;
  private readonly highs: Int32Array;
  private readonly lows: Int32Array;
  private readonly values: Float64Array;
  /** The first entry of each bucket, and of each entry the next in its bucket. */
  private readonly buckets: Int32Array;
  private readonly chain: Int32Array;
  /** Of each entry, those that were used just before and just after it. */
  private readonly older: Int32Array;
  private readonly newer: Int32Array;
  private oldest = NONE;
  private newest = NONE;

  constructor(capacity: number, width: number) {
    this.capacity = capacity;
    this.width = width;
    this.highs = new Int32Array(capacity);
    this.lows = new Int32Array(capacity);
    this.values = new Float64Array(capacity * width);
    this.buckets = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity))).fill(NONE);
    this.chain = new Int32Array(capacity);
    this.older = new Int32Array(capacity);
    this.newer = new Int32Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  /** The entry of a key, which becomes the most recently used; -1 if there is none. */
  find(high: number, low: number): number {
    let entry = this.buckets[mixed(high, low) & (this.buckets.length - 1)]!;
    while (entry !== NONE && (this.highs[entry] !== high || this.lows[entry] !== low)) entry = this.chain[entry]!;
    if (entry !== NONE && entry !== this.newest) {
      this.unlink(entry);
      this.append(entry);
    }
    return entry;
  }

  value(entry: number, k: number): number {
    return this.values[entry * this.width + k]!;
  }

  setValue(entry: number, k: number, value: number): void {
    this.values[entry * this.width + k] = value;
  }

  /** A new entry for a key that has none. Its values are to be set. */
  add(high: number, low: number): number {
    const entry = this.count < this.capacity ? this.count++ : this.forgetOldest();
    this.highs[entry] = high;
    this.lows[entry] = low;
    const bucket = mixed(high, low) & (this.buckets.length - 1);
    this.chain[entry] = this.buckets[bucket]!;
    this.buckets[bucket] = entry;
    this.append(entry);
    return entry;
  }

  save(): SavedCache {
    const keys = new Int32Array(KEY_WORDS * this.count);
    const values = new Float64Array(this.width * this.count);
    let place = 0;
    for (let entry = this.oldest; entry !== NONE; entry = this.newer[entry]!) {
      keys[KEY_WORDS * place] = this.highs[entry]!;
      keys[KEY_WORDS * place + 1] = this.lows[entry]!;
      const from = entry * this.width;
      values.set(this.values.subarray(from, from + this.width), place * this.width);
      place++;
    }
    return { keys, values };
  }

  /** Fills an empty cache. */
  restore({ keys, values }: SavedCache): void {
    for (let place = 0; place < keys.length / KEY_WORDS; place++) {
      const entry = this.add(keys[KEY_WORDS * place]!, keys[KEY_WORDS * place + 1]!);
      for (let k = 0; k < this.width; k++) this.setValue(entry, k, values[place * this.width + k]!);
    }
  }

  private append(entry: number): void {
    this.older[entry] = this.newest;
    this.newer[entry] = NONE;
    if (this.newest === NONE) this.oldest = entry;
    else this.newer[this.newest] = entry;
    this.newest = entry;
  }

  private unlink(entry: number): void {
    const older = this.older[entry]!;
    const newer = this.newer[entry]!;
    if (older === NONE) this.oldest = newer;
    else this.newer[older] = newer;
    if (newer === NONE) this.newest = older;
    else this.older[newer] = older;
  }

  private forgetOldest(): number {
    const entry = this.oldest;
    this.unlink(entry);
    const bucket = mixed(this.highs[entry]!, this.lows[entry]!) & (this.buckets.length - 1);
    if (this.buckets[bucket] === entry) {
      this.buckets[bucket] = this.chain[entry]!;
      return entry;
    }
    let before = this.buckets[bucket]!;
    while (this.chain[before] !== entry) before = this.chain[before]!;
    this.chain[before] = this.chain[entry]!;
    return entry;
  }
}

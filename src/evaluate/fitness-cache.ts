// What is known of programs that were evaluated, by a 64-bit hash: the least recently used is forgotten when there are too
// many (paper, "Functional Equivalence Checking"). Must not know what the hash is of.

const NONE = -1;
/** Words of an entry's key in a saved cache. */
const KEY_WORDS = 2;

// An entry is eight words in a row, so that it lies in one line of the processor's cache: the key, the next entry in its bucket,
// the entries that were used just before and just after it, and its first value in the last two words.
const WORDS = 8;
const HIGH = 0;
const LOW = 1;
const CHAIN = 2;
const OLDER = 3;
const NEWER = 4;
const VALUE = 3;
const NUMBERS = WORDS / 2;

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
  private readonly words: Int32Array;
  /** The same memory, as numbers. */
  private readonly numbers: Float64Array;
  /** The values of each entry but the first. */
  private readonly others: Float64Array;
  /** The first entry of each bucket. */
  private readonly buckets: Int32Array;
  private oldest = NONE;
  private newest = NONE;

  constructor(capacity: number, width: number) {
    this.capacity = capacity;
    this.width = width;
    this.words = new Int32Array(WORDS * capacity);
    this.numbers = new Float64Array(this.words.buffer);
    this.others = new Float64Array((width - 1) * capacity);
    this.buckets = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, capacity)))).fill(NONE);
  }

  get size(): number {
    return this.count;
  }

  /** The entry of a key, which becomes the most recently used; -1 if there is none. */
  find(high: number, low: number): number {
    const { words } = this;
    let entry = this.buckets[mixed(high, low) & (this.buckets.length - 1)]!;
    while (entry !== NONE && (words[WORDS * entry + HIGH] !== high || words[WORDS * entry + LOW] !== low)) {
      entry = words[WORDS * entry + CHAIN]!;
    }
    if (entry !== NONE && entry !== this.newest) {
      this.unlink(entry);
      this.append(entry);
    }
    return entry;
  }

  value(entry: number, k: number): number {
    return k === 0 ? this.numbers[NUMBERS * entry + VALUE]! : this.others[entry * (this.width - 1) + k - 1]!;
  }

  setValue(entry: number, k: number, value: number): void {
    if (k === 0) this.numbers[NUMBERS * entry + VALUE] = value;
    else this.others[entry * (this.width - 1) + k - 1] = value;
  }

  /** A new entry for a key that has none. Its values are to be set. */
  add(high: number, low: number): number {
    const entry = this.count < this.capacity ? this.count++ : this.forgetOldest();
    const { words } = this;
    const bucket = mixed(high, low) & (this.buckets.length - 1);
    words[WORDS * entry + HIGH] = high;
    words[WORDS * entry + LOW] = low;
    words[WORDS * entry + CHAIN] = this.buckets[bucket]!;
    this.buckets[bucket] = entry;
    this.append(entry);
    return entry;
  }

  save(): SavedCache {
    const keys = new Int32Array(KEY_WORDS * this.count);
    const values = new Float64Array(this.width * this.count);
    let place = 0;
    for (let entry = this.oldest; entry !== NONE; entry = this.words[WORDS * entry + NEWER]!) {
      keys[KEY_WORDS * place] = this.words[WORDS * entry + HIGH]!;
      keys[KEY_WORDS * place + 1] = this.words[WORDS * entry + LOW]!;
      for (let k = 0; k < this.width; k++) values[place * this.width + k] = this.value(entry, k);
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
    const { words, newest } = this;
    words[WORDS * entry + OLDER] = newest;
    words[WORDS * entry + NEWER] = NONE;
    if (newest === NONE) this.oldest = entry;
    else words[WORDS * newest + NEWER] = entry;
    this.newest = entry;
  }

  private unlink(entry: number): void {
    const { words } = this;
    const older = words[WORDS * entry + OLDER]!;
    const newer = words[WORDS * entry + NEWER]!;
    if (older === NONE) this.oldest = newer;
    else words[WORDS * older + NEWER] = newer;
    if (newer === NONE) this.newest = older;
    else words[WORDS * newer + OLDER] = older;
  }

  private forgetOldest(): number {
    const { words, buckets, oldest } = this;
    this.unlink(oldest);
    const bucket = mixed(words[WORDS * oldest + HIGH]!, words[WORDS * oldest + LOW]!) & (buckets.length - 1);
    if (buckets[bucket] === oldest) {
      buckets[bucket] = words[WORDS * oldest + CHAIN]!;
      return oldest;
    }
    let before = buckets[bucket]!;
    while (words[WORDS * before + CHAIN] !== oldest) before = words[WORDS * before + CHAIN]!;
    words[WORDS * before + CHAIN] = words[WORDS * oldest + CHAIN]!;
    return oldest;
  }
}

// What is known of programs that were evaluated, by a 64-bit hash: the least recently used is forgotten when there are too
// many (paper, "Functional Equivalence Checking"). Must not know what the hash is of.

const NONE = -1;
/** Words of an entry's key in a saved cache. */
const KEY_WORDS = 2;

// Most time goes by waiting for memory, so that few lines of it are touched. An entry is eight words in a row: the key, the entries
// that were used just before and just after it, two that are not used, and its first value in the last two words. Values are counted in numbers of two words.
const WORDS = 8;
const HIGH = 0;
const LOW = 1;
const OLDER = 2;
const NEWER = 3;
const VALUE = 3;
const NUMBERS = WORDS / 2;

// Entries are found through a table: a word has an entry's number and, above it, bits of its key, so that others are passed over
// without a look at them. It is in the first place for its key or in one of the next, without a gap between. What is forgotten stays
// in the table, where its entry has another key by then, until the table is too full and made again.
const EMPTY = -1;
/** Places for each entry, at least, and the part of them that may be taken. */
const SPARSENESS = 2;
const MAX_TAKEN = 0.7;

/** The entries from the least to the most recently used. */
export interface SavedCache {
  readonly keys: Int32Array;
  readonly values: Float64Array;
}

/** 32 bits of a key: the lower say where it begins to be looked for. */
function mixed(high: number, low: number): number {
  const bits = high ^ Math.imul(low, 0x9e3779b1);
  return bits ^ (bits >>> 15);
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
  private readonly table: Int32Array;
  /** The last place of the table, of which there are a power of two. */
  private readonly lastPlace: number;
  private readonly entryMask: number;
  private taken = 0;
  private oldest = NONE;
  private newest = NONE;

  constructor(capacity: number, width: number) {
    this.capacity = capacity;
    this.width = width;
    this.words = new Int32Array(WORDS * capacity);
    this.numbers = new Float64Array(this.words.buffer);
    this.others = new Float64Array((width - 1) * capacity);
    const places = 2 ** Math.ceil(Math.log2(SPARSENESS * Math.max(1, capacity)));
    this.table = new Int32Array(places).fill(EMPTY);
    this.lastPlace = places - 1;
    // One more than there are entries, so that no word is that of an empty place.
    this.entryMask = 2 ** Math.ceil(Math.log2(capacity + 1)) - 1;
  }

  get size(): number {
    return this.count;
  }

  /** The entry of a key, which becomes the most recently used; -1 if there is none. */
  find(high: number, low: number): number {
    const { words, table, lastPlace, entryMask } = this;
    const bits = mixed(high, low);
    for (let place = bits & lastPlace; ; place = (place + 1) & lastPlace) {
      const word = table[place]!;
      if (word === EMPTY) return NONE;
      if (((word ^ bits) & ~entryMask) !== 0) continue;
      const entry = word & entryMask;
      if (words[WORDS * entry + HIGH] !== high || words[WORDS * entry + LOW] !== low) continue;
      if (entry !== this.newest) {
        this.unlink(entry);
        this.append(entry);
      }
      return entry;
    }
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
    words[WORDS * entry + HIGH] = high;
    words[WORDS * entry + LOW] = low;
    if (this.taken > MAX_TAKEN * this.lastPlace) this.makeTable();
    else this.enter(entry);
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
    const { oldest } = this;
    this.unlink(oldest);
    return oldest;
  }

  private enter(entry: number): void {
    const { words, table, lastPlace } = this;
    const bits = mixed(words[WORDS * entry + HIGH]!, words[WORDS * entry + LOW]!);
    let place = bits & lastPlace;
    while (table[place] !== EMPTY) place = (place + 1) & lastPlace;
    table[place] = (bits & ~this.entryMask) | entry;
    this.taken++;
  }

  private makeTable(): void {
    this.table.fill(EMPTY);
    this.taken = 0;
    for (let entry = 0; entry < this.count; entry++) this.enter(entry);
  }
}

// A map that forgets what was not asked for lately, so that a cache never grows without end. Knows nothing of what it holds.

export class RecentMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly most: number;
  private readonly onForget: (value: V) => void;

  constructor(most: number, onForget: (value: V) => void = () => {}) {
    this.most = most;
    this.onForget = onForget;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    // A map keeps the order in which keys came.
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.most) return;
    const [oldest, forgotten] = this.entries.entries().next().value!;
    this.entries.delete(oldest);
    this.onForget(forgotten);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  values(): Iterable<V> {
    return this.entries.values();
  }
}

import { describe, expect, it } from 'vitest';
import { Hasher } from './hash.js';

const hash = (...words: number[]) => words.reduce((hasher, word) => hasher.word(word), new Hasher()).hex();

describe('the hash', () => {
  it('has 16 digits and is the same everywhere', () => {
    expect(hash(1, 2, 3)).toMatch(/^[0-9a-f]{16}$/);
    // Part of what checkpoints and caches rely on: a change here is a change of format.
    expect(hash()).toBe('5989355fa2263b11');
    expect(hash(1, 2, 3)).toBe('ebbddceff4a17932');
  });

  it('tells 300,000 short sequences apart, in either half', () => {
    const whole = new Set<string>();
    for (let a = 0; a < 300; a++) for (let b = 0; b < 1000; b++) whole.add(hash(a, b));
    expect(whole.size).toBe(300_000);
    // 32 bits each: about 10 collisions are expected among 300,000; many more would mean a weak half.
    for (const [from, to] of [
      [0, 8],
      [8, 16],
    ]) {
      expect(new Set([...whole].map((h) => h.slice(from, to))).size).toBeGreaterThan(300_000 - 40);
    }
  });

  it('changes about half of its bits with any bit of the input', () => {
    const bits = (h: string) => BigInt(`0x${h}`);
    for (let bit = 0; bit < 32; bit++) {
      let flips = 0;
      for (let k = 0; k < 200; k++) {
        let difference = bits(hash(k, 5)) ^ bits(hash(k ^ (1 << bit), 5));
        for (; difference > 0n; difference >>= 1n) flips += Number(difference & 1n);
      }
      expect(Math.abs(flips / 200 - 32)).toBeLessThan(2);
    }
  });

  it('depends on order and length', () => {
    expect(hash(1, 2)).not.toBe(hash(2, 1));
    expect(hash(0)).not.toBe(hash(0, 0));
  });

  it('tells zeros of both signs apart', () => {
    expect(new Hasher().number(0).hex()).not.toBe(new Hasher().number(-0).hex());
  });
});

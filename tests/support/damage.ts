// Random damage for campaigns: to bytes, to texts and to JSON values. The same seed does the same damage. Must not know what is damaged.
import type { RandomStream } from '../../src/util/random.js';

/** Changes, cuts, repeats or inserts bytes here and there. */
export function damageBytes(bytes: Uint8Array, random: RandomStream): Buffer<ArrayBuffer> {
  let damaged: Buffer<ArrayBuffer> = Buffer.from(bytes);
  const edits = 1 + random.integer(4);
  for (let edit = 0; edit < edits; edit++) {
    const at = random.integer(damaged.length + 1);
    const end = Math.min(damaged.length, at + random.integer(9));
    const kind = random.integer(5);
    const inserted = Buffer.from(Array.from({ length: random.integer(6) }, () => random.integer(256)));
    if (kind === 0) damaged = damaged.subarray(0, at);
    else if (kind === 1 && at < damaged.length) damaged[at] = random.integer(256);
    else if (kind === 2) damaged = Buffer.concat([damaged.subarray(0, at), inserted, damaged.subarray(at)]);
    else if (kind === 3) damaged = Buffer.concat([damaged.subarray(0, at), damaged.subarray(end)]);
    else damaged = Buffer.concat([damaged.subarray(0, end), damaged.subarray(at)]);
  }
  return damaged;
}

/** A text with a few random edits: characters or lines taken out, doubled, moved, or replaced by something odd. */
export function damageText(text: string, other: string, snippets: readonly string[], random: RandomStream): string {
  let result = text;
  for (let edits = 1 + random.integer(6); edits > 0; edits--) {
    const from = random.integer(result.length + 1);
    const to = Math.min(result.length, from + random.integer(random.uniform() < 0.8 ? 4 : 80));
    const kind = random.integer(6);
    const middle = [
      '',
      snippets[random.integer(snippets.length)]!,
      String.fromCharCode(random.integer(random.uniform() < 0.9 ? 128 : 65536)),
      result.slice(from, to).repeat(2),
      other.slice(random.integer(other.length), random.integer(other.length)),
      result.slice(from, to).split('').reverse().join(''),
    ][kind]!;
    result = result.slice(0, from) + middle + result.slice(to);
  }
  return result;
}

const ODD: readonly unknown[] = [
  ...[null, true, false, '', 'x', [], {}, 0, -0, -1, 0.5, 1e300, 2 ** 31, 2 ** 53, 'NaN', '__proto__', '\u0000', [[]]],
  ...[{ length: 1e9 }, 'a'.repeat(1000), Array.from({ length: 50 }, (_, k) => k)],
];

/** Something somewhere in a JSON value is another, gone, or there twice. */
export function damageJson(value: unknown, random: RandomStream): unknown {
  const isHere = typeof value !== 'object' || value === null || random.uniform() < 0.05;
  if (isHere) return typeof value === 'number' && random.uniform() < 0.3 ? value * 2 : ODD[random.integer(ODD.length)];
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? [ODD[random.integer(ODD.length)]] : { odd: 1 };
  const k = random.integer(entries.length);
  const [key, inner] = entries[k]!;
  const kind = random.uniform();
  const changed: [string, unknown][] =
    kind < 0.1
      ? []
      : kind < 0.15
        ? [
            [key, inner],
            [`${key}x`, inner],
          ]
        : [[key, damageJson(inner, random)]];
  const all = [...entries.slice(0, k), ...changed, ...entries.slice(k + 1)];
  return Array.isArray(value) ? all.map(([, one]) => one) : Object.fromEntries(all);
}

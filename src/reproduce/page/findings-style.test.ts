import { expect, test } from 'vitest';
import { markupText } from '../../pages/markup.js';
import { FINDINGS_STYLE } from './findings-style.js';

const STYLE = markupText(FINDINGS_STYLE);

/** The custom properties that blocks of `:root` define, for light and for dark pages. */
function defined(isDark: boolean): Set<string> {
  const dark = /@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}\s*\}/g;
  const blocks = isDark ? STYLE.match(dark)!.join('') : STYLE.replace(dark, '');
  return new Set([...blocks.matchAll(/(--[\w-]+):/g)].map(([, name]) => name!));
}

test('every colour that is used exists, in both schemes', () => {
  const used = new Set([...STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!));
  expect(used.size).toBeGreaterThan(30);
  for (const isDark of [false, true]) {
    const known = defined(isDark);
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
  }
});

test('is only a style sheet: braces match, and nothing is escaped or loaded', () => {
  expect(STYLE.split('{').length).toBe(STYLE.split('}').length);
  expect(STYLE).not.toMatch(/<|&lt;|url\(|@import/);
});

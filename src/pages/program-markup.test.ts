import { expect, test } from 'vitest';
import { BUILTIN_TEXTS } from '../program/builtin-texts.js';
import { markupText } from './markup.js';
import { markProgram } from './program-markup.js';

const mark = (text: string) => markupText(markProgram(text));

test('ops, addresses and constants have classes', () => {
  expect(mark('  s1 = dot(v0, m12)')).toBe(
    '  <span class="s">s1</span> = <span class="op">dot</span>(<span class="v">v0</span>, <span class="m">m12</span>)',
  );
  expect(mark('  s2 = -1.5e-7')).toBe('  <span class="s">s2</span> = <span class="number">-1.5e-7</span>');
  expect(mark('  no_op')).toBe('  <span class="op">no_op</span>');
});

test('heads and comments stand out', () => {
  expect(mark('def Predict(v0):\n  # dot(v0)')).toBe('<b>def Predict(v0):</b>\n  <i># dot(v0)</i>');
});

test('hostile text is escaped wherever it stands', () => {
  const hostile = `<script>x("1")</script>`;
  for (const text of [hostile, `def ${hostile}`, `# ${hostile}`, `  s1 = ${hostile}(s2)`]) {
    expect(mark(text)).not.toContain('<script');
    expect(mark(text)).not.toContain('"1"');
  }
});

test('nothing but markup is added', () => {
  for (const text of Object.values(BUILTIN_TEXTS)) {
    const plain = mark(text)
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&');
    expect(plain).toBe(text.trimEnd());
  }
});

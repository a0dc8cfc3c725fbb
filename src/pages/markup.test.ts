import { expect, test } from 'vitest';
import { html, joinMarkup, type Markup, markupText } from './markup.js';

test('values are escaped, in text and in attributes; markup is not', () => {
  const hostile = `"><script>alert('&')</script>`;
  const inner = html`<b title="${hostile}">${hostile}</b>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
  expect(markupText(html`<p>${inner}${7}</p>`)).toBe(`<p><b title="${escaped}">${escaped}</b>7</p>`);
});

test('lists of markup follow each other, and nothing leaves nothing', () => {
  const items = ['a', '<'].map((text) => html`<li>${text}</li>`);
  expect(markupText(html`<ul>${items}</ul>${undefined}`)).toBe('<ul><li>a</li><li>&lt;</li></ul>');
  expect(markupText(joinMarkup(items, ' & '))).toBe('<li>a</li> &amp; <li>&lt;</li>');
});

test('nothing that was read from JSON passes for markup', () => {
  const forged = JSON.parse('{"Symbol(markup)": "<i>", "markup": "<i>"}') as Markup;
  expect(markupText(html`${forged}${[forged]}`)).toBe('[object Object][object Object]');
  const list = JSON.parse('["<i>"]') as Markup[];
  expect(markupText(html`${list}`)).toBe('&lt;i&gt;');
});

test('characters that do not print are shown as such', () => {
  expect(markupText(html`${'a\u0000b\u202Ec\uD800d\ne\tf'}`)).toBe('a\uFFFDb\uFFFDc\uFFFDd\ne\tf');
});

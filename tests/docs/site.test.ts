// The site that `npm run site` makes: every page is there, every link on it leads to a file and to a place in it, and nothing comes from
// elsewhere, so that it works from a disk and below any path.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { buildSite } from '../../scripts/site/build.js';
// @ts-expect-error: a plain JavaScript file without types
import { highlight } from '../../scripts/site/highlight.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const count: number = buildSite(folder);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
const pages = files.filter((name) => name.endsWith('.html'));
const html = new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

function addresses(text: string): string[] {
  return [...text.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, address]) => address!);
}

it('has a page for every page', () => {
  expect(count).toBeGreaterThan(40);
  expect(pages.length).toBeGreaterThanOrEqual(count);
  expect(pages).toContain('index.html');
});

it('has no link that leads nowhere', () => {
  const lost = [...html].flatMap(([page, text]) =>
    addresses(text).flatMap((address) => {
      if (/^https?:/.test(address)) return [];
      const [to = '', anchor] = address.split('#');
      const file = to === '' ? page : posix.join(posix.dirname(page), to);
      const isThere = files.includes(file) && (anchor === undefined || html.get(file)!.includes(` id="${anchor}"`));
      return isThere ? [] : [`${page}: ${address}`];
    }),
  );
  expect(lost).toEqual([]);
});

it('loads nothing from elsewhere and runs no script', () => {
  for (const [page, text] of html) {
    expect([page, /<script|\ssrc="https?:|<link [^>]*href="https?:|\ssrc="\//.exec(text)?.[0]]).toEqual([
      page,
      undefined,
    ]);
  }
});

it('colours code without changing it', () => {
  const code = 'const a = "<b>"; // & more\nfor (;;) { f(1.5e3, `x`, \'\'); }';
  const coloured: string = highlight(code, 'ts');
  expect(coloured).toContain('<span class="word">const</span>');
  expect(coloured).toContain('<span class="comment">// &amp; more</span>');
  const plain = coloured
    .replace(/<\/?span[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(plain).toBe(code);
});

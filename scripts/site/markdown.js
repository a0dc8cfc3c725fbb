// Markdown to HTML: headings with the anchors that GitHub gives them, coloured code, tables that scroll, links as they are told.
// The one place that knows marked. Must not know which pages there are.
import { Lexer, Marked } from 'marked';
import { escapeHtml, guessLanguage, highlight } from './highlight.js';

/** What a heading says, without its marks. */
function plainText(tokens) {
  return tokens
    .map(({ type, text, tokens: inner }) => (inner ? plainText(inner) : type === 'html' ? '' : text))
    .join('')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

/** Gives headings their anchors as GitHub does: the same text again gets a number. */
export function anchorMaker() {
  const seen = new Map();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function walk(tokens, visit) {
  for (const token of tokens) {
    visit(token);
    if (token.tokens) walk(token.tokens, visit);
    if (token.type === 'list') walk(token.items, visit);
    if (token.type === 'table') {
      for (const cell of [...token.header, ...token.rows.flat()]) walk(cell.tokens, visit);
    }
  }
}

/**
 * What a page consists of: `headings` (level, text, anchor), `anchors` (all that can be linked to), `links` (addresses, of pictures
 * too), `spans` of code in a line, and `blocks` of code (language, the words behind it, text).
 */
export function readPage(markdown) {
  const makeAnchor = anchorMaker();
  const page = { headings: [], anchors: [], links: [], spans: [], blocks: [] };
  walk(new Lexer().lex(markdown), (token) => {
    if (token.type === 'heading') {
      const text = plainText(token.tokens);
      const anchor = makeAnchor(text);
      page.headings.push({ level: token.depth, text, anchor });
      page.anchors.push(anchor);
    } else if (token.type === 'link' || token.type === 'image') page.links.push(token.href);
    else if (token.type === 'codespan') page.spans.push(token.text);
    else if (token.type === 'code') {
      const [language = '', ...words] = (token.lang ?? '').split(/\s+/).filter((word) => word !== '');
      page.blocks.push({ language: language || guessLanguage(token.text), words, text: token.text });
    } else if (token.type === 'html') {
      for (const [, id] of token.raw.matchAll(/\bid="([^"]+)"/g)) page.anchors.push(id);
      for (const [, address] of token.raw.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)) page.links.push(address);
    }
  });
  return page;
}

/** HTML of a page. `link` makes of an address in the Markdown the one on the site. */
export function renderPage(markdown, link) {
  const makeAnchor = anchorMaker();
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const anchor = escapeHtml(makeAnchor(plainText(tokens)));
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [named = ''] = lang.split(/\s+/);
        const language = named || guessLanguage(text);
        // A block that scrolls must be reachable by keyboard.
        return `<pre tabindex="0"><code>${highlight(text, language)}</code></pre>\n`;
      },
      link({ href, title, tokens }) {
        const about = title ? ` title="${escapeHtml(title)}"` : '';
        return `<a href="${escapeHtml(link(href))}"${about}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(link(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      html({ text }) {
        return text.replace(/\b(src|srcset|href)="([^"]+)"/g, (_, name, to) => `${name}="${escapeHtml(link(to))}"`);
      },
    },
  });
  return marked
    .parse(markdown)
    .replaceAll('<table>', '<div class="table" tabindex="0" role="region" aria-label="table"><table>')
    .replaceAll('</table>', '</table></div>');
}

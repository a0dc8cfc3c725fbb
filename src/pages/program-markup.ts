// Program text with a class for each kind of word, which the style sheet colours. Goes by the look of words, so that it must not
// list ops, nor mind whether the text is a program.
import { html, joinMarkup, type Markup } from './markup.js';

/** A name before a bracket or the op without one; an address; a number with its sign. */
const TOKEN = /\b([A-Za-z_]\w*(?=\()|no_op)\b|\b([smv]\d+)\b|(-?\b\d+\.?\d*(?:[eE][+-]?\d+)?)/g;

function markCode(code: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [text, op, address] = match;
    const kind = op !== undefined ? 'op' : address === undefined ? 'number' : address[0]!;
    parts.push(html`${code.slice(end, match.index)}<span class="${kind}">${text}</span>`);
    end = match.index + text.length;
  }
  return html`${parts}${code.slice(end)}`;
}

function markLine(line: string): Markup {
  const comment = line.indexOf('#');
  const code = comment < 0 ? line : line.slice(0, comment);
  const marked = code.startsWith('def ') ? html`<b>${code}</b>` : markCode(code);
  return comment < 0 ? marked : html`${marked}<i>${line.slice(comment)}</i>`;
}

/** The text for a `<pre>`. */
export function markProgram(text: string): Markup {
  return joinMarkup(text.trimEnd().split('\n').map(markLine), '\n');
}

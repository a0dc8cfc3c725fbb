// The flow of data through a program as a figure of a page: the drawing of `evozero explain`, with the page's own colours and names
// that no other figure of the page has. Must not know programs.
import type { Graph } from '../analysis/diagram/graph.js';
import { toSvg } from '../analysis/diagram/svg.js';
import { html, type Markup, trustMarkup } from '../pages/markup.js';
import { count } from '../util/number-text.js';

/** A drawing without its own style, which would be that of the whole page. */
export function withoutStyle(svg: string): string {
  return svg.replace(/<style>[^<]*<\/style>/, '');
}

/** `prefix` is of this figure alone. */
export function renderFlow(graph: Graph, prefix: string): Markup {
  const lines = `${count(graph.nodes.length, 'value')} and ${count(graph.edges.length, 'connection')}`;
  const description = `The flow of data through the program: ${lines}. The program above says the same in words.`;
  const svg = withoutStyle(toSvg(graph, 'Flow of data', description))
    .replaceAll(/ id="([\w-]+)"/g, ` id="${prefix}$1"`)
    .replaceAll(/url\(#([\w-]+)\)/g, `url(#${prefix}$1)`)
    .replace('aria-labelledby="title description"', `aria-labelledby="${prefix}title ${prefix}description"`);
  return html`<figure class="flow" tabindex="0" aria-label="Flow of data">${trustMarkup(svg)}</figure>`;
}

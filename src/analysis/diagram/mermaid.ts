// Graphs of programs as Mermaid flowcharts, which many Markdown viewers draw. Must not know programs.

import { functionTitle } from '../../program/print.js';
import { FUNCTION_NAMES } from '../../program/program.js';
import type { Graph, GraphNode } from './graph.js';

const SHAPES: { readonly [kind in GraphNode['kind']]: readonly [string, string] } = {
  input: ['([', '])'],
  state: ['[(', ')]'],
  zero: ['((', '))'],
  instruction: ['[', ']'],
  prediction: ['([', '])'],
};

/** Quotes and what Mermaid would read as markup become numbered entities. */
function escapeText(text: string): string {
  return text.replace(/["#&<>`\\]/g, (character) => `#${character.codePointAt(0)};`);
}

function writeNode({ id, kind, label, note }: GraphNode): string {
  const [open, close] = SHAPES[kind];
  const text = note === '' ? escapeText(label) : `${escapeText(label)}<br/><small>${escapeText(note)}</small>`;
  return `${id}${open}"${text}"${close}`;
}

/** The graph of a program's data flow as a Mermaid flowchart. */
export function toMermaid({ nodes, edges }: Graph): string {
  const lines = ['flowchart TB'];
  for (const node of nodes) if (node.cluster === undefined) lines.push(`  ${writeNode(node)}`);
  for (const name of FUNCTION_NAMES) {
    const inside = nodes.filter(({ cluster }) => cluster === name);
    if (inside.length === 0) continue;
    lines.push(`  subgraph ${name}_cluster["${functionTitle(name)}"]`);
    lines.push(...inside.map((node) => `    ${writeNode(node)}`), '  end');
  }
  for (const { from, to, isFeedback } of edges) lines.push(`  ${from} ${isFeedback ? '-.->' : '-->'} ${to}`);
  return `${lines.join('\n')}\n`;
}

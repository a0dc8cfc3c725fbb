// Graphs of programs in the language of Graphviz. Must not know programs.

import { functionTitle } from '../../program/print.js';
import { FUNCTION_NAMES } from '../../program/program.js';
import type { Graph, GraphNode } from './graph.js';

const SHAPES: { readonly [kind in GraphNode['kind']]: string } = {
  input: 'oval',
  state: 'cylinder',
  zero: 'circle',
  instruction: 'box',
  prediction: 'oval',
};

const COLORS = { s: '#2e7d32', v: '#b26a00', m: '#7b3fa0' } as const;

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function writeNode({ id, kind, label, note, type }: GraphNode): string {
  const text = note === '' ? quote(label) : `${quote(label).slice(0, -1)}\\n${quote(note).slice(1)}`;
  return `${id} [label=${text}, shape=${SHAPES[kind]}, color="${COLORS[type]}"];`;
}

/** The graph of a program's data flow in Graphviz's language. */
export function toDot({ nodes, edges }: Graph): string {
  const lines = ['digraph program {', '  rankdir=TB;', '  node [fontname="monospace", style=rounded];'];
  for (const node of nodes) if (node.cluster === undefined) lines.push(`  ${writeNode(node)}`);
  for (const name of FUNCTION_NAMES) {
    const inside = nodes.filter(({ cluster }) => cluster === name);
    if (inside.length === 0) continue;
    lines.push(`  subgraph cluster_${name} {`, `    label=${quote(functionTitle(name))};`);
    lines.push(...inside.map((node) => `    ${writeNode(node)}`), '  }');
  }
  for (const { from, to, type, isFeedback } of edges) {
    const style = isFeedback ? ', style=dashed, constraint=false' : '';
    lines.push(`  ${from} -> ${to} [color="${COLORS[type]}"${style}];`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

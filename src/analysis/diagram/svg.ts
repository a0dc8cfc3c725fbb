// Graphs of programs as SVG that needs nothing else: for light and dark pages, with a title and a description for readers who
// do not see it. Must not know programs.
import { functionTitle } from '../../program/print.js';
import type { Graph } from './graph.js';
import { type Box, type Layout, layOut, type Point } from './layout.js';

const STYLE = `
  .page { fill: #ffffff; } .cluster { fill: #f4f6f9; stroke: #cdd5df; } .title { fill: #5a6675; font-weight: 600; }
  .box { fill: #ffffff; stroke-width: 1.4; } .label { fill: #16202b; } .note { fill: #5a6675; }
  .s { stroke: #2e7d32; } .v { stroke: #b26a00; } .m { stroke: #7b3fa0; }
  .s-head { fill: #2e7d32; } .v-head { fill: #b26a00; } .m-head { fill: #7b3fa0; }
  .state .box { stroke-width: 2.4; } .input .box, .prediction .box { fill: #eaf2fd; }
  .edge { fill: none; stroke-width: 1.4; opacity: 0.85; } .back { stroke-dasharray: 6 4; }
  .label { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
  .note, .title { font: 11px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
  .title { font-weight: 600; font-size: 13px; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #12171d; } .cluster { fill: #1a2129; stroke: #36414e; } .title, .note { fill: #a3b0be; }
    .box { fill: #222b35; } .label { fill: #eef3f8; } .input .box, .prediction .box { fill: #1d3350; }
    .s { stroke: #7bc67e; } .v { stroke: #f0b44d; } .m { stroke: #c79be0; }
    .s-head { fill: #7bc67e; } .v-head { fill: #f0b44d; } .m-head { fill: #c79be0; }
  }
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function round(x: number): string {
  return String(Math.round(x * 10) / 10);
}

/** A smooth line: bent around the points between its ends. */
function path(points: readonly Point[]): string {
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const between = points.slice(1, -1);
  const [first, last] = [points[0]!, points.at(-1)!];
  if (between.length === 0) return `M ${at(first)} L ${at(last)}`;
  const bends = between.map(
    (point, k) => `Q ${at(point)} ${at(k === between.length - 1 ? last : middle(point, between[k + 1]!))}`,
  );
  return `M ${at(first)} ${bends.join(' ')}`;
}

function rectangle({ x, y, width, height }: Box, radius: number, classes: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" class="${classes}"/>`;
}

function writeText(x: number, y: number, text: string, classes: string, anchor = 'middle'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" class="${classes}">${escapeText(text)}</text>`;
}

function writeNode({ kind, label, note, type, box }: Layout['nodes'][number]): string {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const radius = kind === 'instruction' ? 5 : box.height / 2;
  const texts =
    note === '' || kind === 'zero'
      ? [writeText(x, y + 4.5, label, 'label')]
      : [writeText(x, y - 3, label, 'label'), writeText(x, y + 13, note, 'note')];
  return `<g class="${kind}">${rectangle(box, radius, `box ${type}`)}${texts.join('')}</g>`;
}

function writeHead(type: string): string {
  return `<marker id="head-${type}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M 0 0.8 L 8 4 L 0 7.2 z" class="${type}-head"/></marker>`;
}

/**
 * A graph as the text of an SVG file. `title` is what the picture is called, and `description` says in words what it shows, for readers who
 * do not see it. All texts are escaped.
 */
export function toSvg(graph: Graph, title: string, description: string): string {
  const { width, height, nodes, edges, clusters } = layOut(graph);
  const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="description">${escapeText(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${['s', 'v', 'm'].map(writeHead).join('')}</defs>`,
    `<rect width="100%" height="100%" class="page"/>`,
    ...clusters.map(
      ({ name, box }) =>
        rectangle(box, 10, 'cluster') + writeText(box.x + 12, box.y + 19, functionTitle(name), 'title', 'start'),
    ),
    ...edges.map(
      ({ type, isFeedback, points }) =>
        `<path d="${path(points)}" class="edge ${type}${isFeedback ? ' back' : ''}" marker-end="url(#head-${type})"/>`,
    ),
    ...nodes.map(writeNode),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

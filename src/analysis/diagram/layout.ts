// Where the parts of a graph lie on a page: text widths are estimated, dagre does the rest. Must not know colours or SVG.
import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { FUNCTION_NAMES, type FunctionName } from '../../program/program.js';
import type { Graph, GraphEdge, GraphNode } from './graph.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle by its upper left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (GraphNode & { readonly box: Box })[];
  readonly edges: readonly (GraphEdge & { readonly points: readonly Point[] })[];
  readonly clusters: readonly { readonly name: FunctionName; readonly box: Box }[];
}

/** Of the fonts that the SVG asks for, per character, in pixels. */
const CHARACTER = { label: 7.9, note: 6.2 };
const PADDING = 12;
const MARGIN = 20;
/** Above the nodes of a cluster, for its title. */
const TITLE_HEIGHT = 30;

function sizeOf({ kind, label, note }: GraphNode): { width: number; height: number } {
  if (kind === 'zero') return { width: 28, height: 28 };
  const text = Math.max(label.length * CHARACTER.label, note.length * CHARACTER.note);
  return { width: Math.max(44, text + 2 * PADDING), height: note === '' ? 32 : 46 };
}

function boxAround(centre: { x: number; y: number; width: number; height: number }): Box {
  const { x, y, width, height } = centre;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/**
 * From top to bottom: Setup, what Predict finds, Predict, what Learn finds, Learn. Functions are bands of the whole width, so
 * that edges never have to go around them.
 */
const BANDS = ['setup', 'before predict', 'predict', 'before learn', 'learn'] as const;
type Band = (typeof BANDS)[number];

function bandsOf({ nodes, edges }: Graph): Map<string, Band> {
  const clusterOf = new Map(nodes.map(({ id, cluster }) => [id, cluster]));
  return new Map(
    nodes.map(({ id, kind, cluster }) => {
      if (cluster !== undefined) return [id, cluster];
      const isForPredict = edges.some(({ from, to }) => from === id && clusterOf.get(to) === 'predict');
      return [id, kind !== 'prediction' && isForPredict ? 'before predict' : 'before learn'];
    }),
  );
}

const KEY = { back: 'back', forth: 'forth', order: 'order' };

function ends({ from, to, isFeedback }: GraphEdge): readonly [string, string, string] {
  // A state lies above what is computed from it, so edges back are laid out the other way round.
  return isFeedback ? [to, from, KEY.back] : [from, to, KEY.forth];
}

/** Points that every node of a band lies above, and every node of the next band below. */
function separate(g: LayoutGraph, graph: Graph, bands: ReadonlyMap<string, Band>): void {
  const used = BANDS.filter((band) => [...bands.values()].includes(band));
  const isInside = (edge: GraphEdge) => !edge.isFeedback && bands.get(edge.from) === bands.get(edge.to);
  const inner = graph.edges.filter(isInside);
  for (const [k, band] of used.slice(0, -1).entries()) {
    const id = `below ${band}`;
    g.setNode(id, { width: 0, height: 0 });
    for (const { id: node } of graph.nodes) {
      const isLast = bands.get(node) === band && !inner.some(({ from }) => from === node);
      const isFirst = bands.get(node) === used[k + 1] && !inner.some(({ to }) => to === node);
      if (isLast) g.setEdge(node, id, { weight: 0 }, KEY.order);
      if (isFirst) g.setEdge(id, node, { weight: 0 }, KEY.order);
    }
  }
}

function arrange(graph: Graph, bands: ReadonlyMap<string, Band>): LayoutGraph {
  const g = new LayoutGraph({ directed: true, multigraph: true });
  const distances = { nodesep: 24, ranksep: 30, edgesep: 10 };
  g.setGraph({ rankdir: 'TB', ...distances, marginy: MARGIN + TITLE_HEIGHT });
  for (const node of graph.nodes) g.setNode(node.id, sizeOf(node));
  for (const edge of graph.edges) {
    const [from, to, key] = ends(edge);
    g.setEdge(from, to, { weight: edge.isFeedback ? 1 : 2 }, key);
  }
  separate(g, graph, bands);
  layout(g);
  return g;
}

function pointsOf(edge: GraphEdge, g: LayoutGraph): Point[] {
  const { points } = g.edge(...ends(edge)) as { points: Point[] };
  return edge.isFeedback ? points.toReversed() : points;
}

export function layOut(graph: Graph): Layout {
  const bands = bandsOf(graph);
  const g = arrange(graph, bands);
  const placed = graph.nodes.map((node) => ({ ...node, box: boxAround(g.node(node.id) as Required<Box>) }));
  const routed = graph.edges.map((edge) => ({ ...edge, points: pointsOf(edge, g) }));
  // Edges may go around the outermost nodes on either side.
  const turns = routed.flatMap(({ points }) => points.map(({ x }) => x));
  const shift = 2 * MARGIN - Math.min(...placed.map(({ box }) => box.x), ...turns);
  const nodes = placed.map((node) => ({ ...node, box: { ...node.box, x: node.box.x + shift } }));
  const edges = routed.map((edge) => ({ ...edge, points: edge.points.map(({ x, y }) => ({ x: x + shift, y })) }));
  const width = Math.max(...nodes.map(({ box }) => box.x + box.width), ...turns.map((x) => x + shift)) + 2 * MARGIN;
  const clusters = FUNCTION_NAMES.flatMap((name) => {
    const inside = nodes.filter(({ id }) => bands.get(id) === name);
    if (inside.length === 0) return [];
    const top = Math.min(...inside.map(({ box }) => box.y)) - TITLE_HEIGHT;
    const bottom = Math.max(...inside.map(({ box }) => box.y + box.height)) + PADDING;
    return [{ name, box: { x: MARGIN, y: top, width: width - 2 * MARGIN, height: bottom - top } }];
  });
  const bottom = Math.max(...[...nodes, ...clusters].map(({ box }) => box.y + box.height));
  return { width, height: bottom + MARGIN, nodes, edges, clusters };
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countRuns } from '../../../tests/support/amount.js';
import { arbitraryProgram, withPrediction } from '../../../tests/support/arbitraries.js';
import { builtin } from '../../program/builtin.js';
import { explain } from '../explain/explain.js';
import { toDot } from './dot.js';
import { type Graph, graphOf } from './graph.js';
import { layOut } from './layout.js';
import { toMermaid } from './mermaid.js';
import { toSvg } from './svg.js';

function graphFor(name: string): Graph {
  const { program, labels } = builtin(name)!;
  return graphOf(program, labels, explain(program, labels));
}

it('has inputs, state, prediction and what feeds back', () => {
  const { nodes, edges } = graphFor('paper/linear');
  const named = (id: string) => nodes.find((node) => node.id === id);
  expect(named('input_v0')?.note).toBe('features');
  expect(named('state_v1')).toMatchObject({ kind: 'state', note: 'weights' });
  expect(named('predict_0')).toMatchObject({ label: 's1 = dot(v0, v1)', cluster: 'predict' });
  const back = edges.filter(({ isFeedback }) => isFeedback);
  expect(back).toEqual([{ from: 'learn_3', to: 'state_v1', type: 'v', isFeedback: true }]);
  expect(edges).toContainEqual({ from: 'predict_0', to: 'prediction', type: 's', isFeedback: false });
  expect(edges).toContainEqual({ from: 'setup_0', to: 'learn_1', type: 's', isFeedback: false });
});

it('leaves out dead instructions', () => {
  const { nodes } = graphFor('paper/evolved-raw');
  expect(nodes.some(({ id }) => id === 'learn_1')).toBe(false);
});

it('lays functions out below each other, and no node on another', () => {
  const { nodes, clusters } = layOut(graphFor('paper/neural-net'));
  const bottoms = clusters.map(({ box }) => box.y + box.height);
  expect(clusters.map(({ name }) => name)).toEqual(['setup', 'predict', 'learn']);
  expect(clusters[1]!.box.y).toBeGreaterThan(bottoms[0]!);
  expect(clusters[2]!.box.y).toBeGreaterThan(bottoms[1]!);
  for (const [k, a] of nodes.entries()) {
    for (const b of nodes.slice(k + 1)) {
      const isApart =
        a.box.x + a.box.width <= b.box.x ||
        b.box.x + b.box.width <= a.box.x ||
        a.box.y + a.box.height <= b.box.y ||
        b.box.y + b.box.height <= a.box.y;
      expect(isApart, `${a.label} and ${b.label}`).toBe(true);
    }
  }
});

it('writes Mermaid and DOT', () => {
  const graph = graphFor('paper/linear');
  expect(toMermaid(graph)).toContain('  learn_3 -.-> state_v1\n');
  expect(toMermaid(graph)).toContain('subgraph predict_cluster["Predict"]');
  expect(toDot(graph)).toContain('predict_0 -> prediction');
  expect(toDot(graph)).toContain('subgraph cluster_learn {');
});

it('escapes everything in SVG', () => {
  const svg = toSvg(graphFor('paper/linear'), '<a & "b">', "it's");
  expect(svg).toContain('<title id="title">&lt;a &amp; &quot;b&quot;&gt;</title>');
  expect(svg).toContain('it&#39;s');
  expect(svg).toContain('prefers-color-scheme: dark');
});

it('draws every program', () => {
  fc.assert(
    fc.property(arbitraryProgram(), fc.constantFrom('scalar', 'vector'), (random, labels) => {
      const program = withPrediction(random, labels);
      const graph = graphOf(program, labels, explain(program, labels));
      const ids = new Set(graph.nodes.map(({ id }) => id));
      for (const { from, to } of graph.edges) expect(ids.has(from) && ids.has(to)).toBe(true);
      expect(toSvg(graph, 'x', 'y')).not.toMatch(/NaN|undefined|Infinity/);
    }),
    { numRuns: countRuns(100) },
  );
});

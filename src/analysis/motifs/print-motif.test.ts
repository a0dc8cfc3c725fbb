import { expect, test } from 'vitest';
import { parseSource } from '../../program/parse.js';
import type { Explanation, Place } from '../explain/explanation.js';
import { followProgram } from './data-flow.js';
import { nameTechniques } from './name-techniques.js';
import { printSection } from './print-motif.js';

const TEXT = `def Setup():
  s3 = -0.25
  v9 = gaussian(0, 1)
def Predict(v0):
  v7 = dot(m2, v0)
  v8 = maximum(v7, v5)
  s1 = dot(v8, v9)
def Learn(v0, s0):
  s8 = s0 - s1
  s8 = s3 * s8
  v8 = s8 * v8
  v9 = v9 + v8
  m3 = outer(v8, v0)
  m2 = m3 + m2`;
const { program, labels } = parseSource(TEXT);
const FLOW = followProgram(program, labels);

/** The numbers of instructions, by how they are written. */
function find(...places: readonly [Place['function'], number][]): number[] {
  return places.map(([name, index]) =>
    FLOW.nodes.findIndex(({ place }) => place.function === name && place.index === index),
  );
}

test('addresses are numbered in order, and those of the evaluation keep theirs', () => {
  expect(printSection(FLOW, find(['predict', 1], ['predict', 2], ['learn', 0], ['learn', 1]))).toBe(`def Predict(v0):
  v3 = maximum(v1, v2)
  s1 = dot(v3, v4)

def Learn(v0, s0):
  s2 = s0 - s1
  s4 = s3 * s2
`);
});

test('an update keeps its address, and a reused address is told apart', () => {
  expect(printSection(FLOW, find(['predict', 1], ['learn', 2], ['learn', 3]))).toBe(`def Predict(v0):
  v3 = maximum(v1, v2)

def Learn(v0, s0):
  v4 = s2 * v3
  v5 = v5 + v4
`);
});

test('a section has the techniques that it shows half of and those that it is a part of', () => {
  const at = (name: Place['function'], ...indices: number[]) => indices.map((index) => ({ function: name, index }));
  const techniques = [
    { name: 'relu', why: '', places: at('predict', 1) },
    { name: 'sgd', why: '', places: [...at('predict', 1), ...at('learn', 0, 1, 2, 3)] },
    { name: 'noise', why: '', places: [...at('setup', 1), ...at('predict', 1), ...at('learn', 5)] },
  ] as const;
  const explanation: Explanation = { comments: { setup: [], predict: [], learn: [] }, names: new Map(), techniques };
  expect(nameTechniques(FLOW, find(['predict', 1], ['learn', 2]), explanation)).toEqual(['relu', 'sgd']);
  expect(nameTechniques(FLOW, find(['learn', 4], ['learn', 5]), explanation)).toEqual([]);
  expect(nameTechniques(FLOW, find(['setup', 1], ['learn', 5], ['learn', 4]), explanation)).toEqual(['noise']);
});

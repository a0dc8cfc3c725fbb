import { describe, expect, test } from 'vitest';
import type { TechniqueName } from '../analysis/explain/explanation.js';
import type { LineageStep } from '../analysis/lineage-steps.js';
import { markupText } from '../pages/markup.js';
import { drawFlags, findFlags, renderFlagList } from './technique-flags.js';

const PROGRAM = { text: '', instructions: 0, live: new Set<string>() };

function step(
  number: number,
  appeared: readonly TechniqueName[],
  disappeared: readonly TechniqueName[] = [],
): LineageStep {
  const techniquesOf = (names: readonly TechniqueName[]) =>
    names.map((name) => ({ name, why: `Why ${name}.`, places: [] }));
  return {
    number,
    id: 100 * number,
    origin: 'insert',
    fitness: number / 10,
    parent: null,
    previous: null,
    program: PROGRAM,
    before: null,
    gain: null,
    appeared: techniquesOf(appeared),
    disappeared: techniquesOf(disappeared),
    isSmall: false,
  };
}

describe('flags', () => {
  test('stand where a technique came for good, or first if it did not stay', () => {
    const steps = [
      step(1, []),
      step(2, ['sgd', 'noise']),
      step(3, ['linear-model'], ['sgd', 'noise']),
      step(4, ['noise']),
      step(5, ['sgd'], ['noise']),
    ];
    const flags = findFlags(steps).map(({ number, id, techniques, lost }) => [
      number,
      id,
      techniques.map(({ name }) => name),
      [...lost],
    ]);
    expect(flags).toEqual([
      [1, 200, ['noise'], ['noise']],
      [2, 300, ['linear-model'], []],
      [3, 500, ['sgd'], []],
    ]);
  });

  test('there are none without techniques', () => {
    expect(drawFlags([], () => ({ x: 0, y: 0 })).room).toBe(0);
    expect(renderFlagList([])).toBeUndefined();
  });

  test('that would overlap stand above each other, others in one row', () => {
    const steps = [step(1, ['sgd']), step(2, ['relu']), step(3, ['noise'])];
    const heights = (positions: readonly number[]) => {
      const at = ({ algorithms }: { algorithms: number }) => ({
        x: positions[Math.floor(algorithms / 100) - 1]!,
        y: 100,
      });
      const { markup, room } = drawFlags(findFlags(steps), at);
      const texts = [
        ...markupText(markup).matchAll(/<text class="([^"]*)" x="\S+" y="(\S+)"[^>]*><tspan class="number">(\d)/g),
      ];
      const byNumber = new Map(texts.map(([, kind, y, number]) => [Number(number), { kind, y: Number(y) }]));
      return { flags: [1, 2, 3].map((number) => byNumber.get(number)!), room };
    };
    const apart = heights([100, 320, 500]);
    expect(new Set(apart.flags.map(({ y }) => y)).size).toBe(1);
    const near = heights([100, 110, 120]);
    expect(new Set(near.flags.map(({ y }) => y)).size).toBe(3);
    expect(near.room).toBeGreaterThan(apart.room);
    // Texts at the right edge go left; the pole of the rightmost then passes none of the others.
    const right = heights([680, 690, 700]);
    expect(right.flags.map(({ kind }) => kind)).toEqual(['flag left', 'flag left', 'flag left']);
    expect(right.flags[2]!.y).toBeLessThan(right.flags[0]!.y);
  });

  test('have as many words as there is room for', () => {
    const many = [step(1, ['backprop', 'normalized-gradient', 'noise', 'linear-model']), step(2, [], ['backprop'])];
    const wordsAt = (x: number) => {
      const text = markupText(drawFlags(findFlags(many), () => ({ x, y: 0 })).markup);
      return /<tspan class="words"> ([^<]*)</.exec(text)![1];
    };
    const first = 'normalized gradient, injected noise';
    expect(wordsAt(10)).toBe(`${first}, linear model, backpropagation through two layers (lost again)`);
    expect(wordsAt(360)).toBe(`${first} and 2 more`);
  });

  test('are told in words too', () => {
    const list = markupText(renderFlagList(findFlags([step(1, ['relu']), step(2, [], ['relu'])]))!);
    expect(list).toContain('<b>ReLU</b> (lost again): Why relu.');
    expect(list).toContain('algorithm 101, fitness 0.100000');
  });
});

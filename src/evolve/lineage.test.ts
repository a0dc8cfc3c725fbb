import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram } from '../../tests/support/arbitraries.js';
import { type LineageStep, ORIGINS, restoreLines, saveLines, stepsTo } from './lineage.js';

const stepParts = fc.record({
  program: arbitraryProgram({ maxLength: 2 }),
  parentProgram: arbitraryProgram({ maxLength: 2 }),
  fitness: fc.double({ min: 0, max: 1, noNaN: true }),
  origin: fc.constantFrom(...ORIGINS),
  /** How many steps ago the step before is; a line begins where that is none. */
  back: fc.nat(4),
});

/** A tree of steps: each goes on from an earlier one, or begins a line. */
const trees = fc.array(stepParts, { minLength: 1, maxLength: 12 }).map((parts) => {
  const steps: LineageStep[] = [];
  for (const [k, { program, parentProgram, fitness, origin, back }] of parts.entries()) {
    const previous = back === 0 ? undefined : steps[k - back];
    const parent = previous && { id: 10 * k, fitness: fitness / 2, program: parentProgram };
    steps.push({ id: 10 * k + 5, program, fitness, origin, parent, previous });
  }
  return steps;
});

describe('the steps to a program', () => {
  it('go from the first to the last', () => {
    const program = { setup: [], predict: [], learn: [] };
    const first: LineageStep = {
      id: 3,
      program,
      fitness: 0,
      origin: 'initial',
      parent: undefined,
      previous: undefined,
    };
    const parent = { id: 3, program, fitness: 0 };
    const second: LineageStep = { id: 8, program, fitness: 0.5, origin: 'insert', parent, previous: first };
    expect(stepsTo(second)).toEqual([first, second]);
    expect(stepsTo(first)).toEqual([first]);
  });
});

describe('saved lines', () => {
  it('are the same lines again, whichever of a tree are saved', () => {
    fc.assert(
      fc.property(trees, fc.infiniteStream(fc.boolean()), (tree, choices) => {
        const lines = tree.filter(() => choices.next().value);
        const { saved, lineOf } = saveLines(lines);
        const steps = restoreLines(saved);
        expect(lineOf).toHaveLength(lines.length);
        expect(Array.from(lineOf, (k) => stepsTo(steps[k]!))).toStrictEqual(lines.map(stepsTo));
      }),
    );
  });

  it('have each step once, so that what lines share stays shared', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const { saved, lineOf } = saveLines([...tree, ...tree]);
        const steps = restoreLines(saved);
        expect(steps).toHaveLength(tree.length);
        const restored = Array.from(lineOf, (k) => steps[k]!);
        for (const [k, step] of tree.entries()) {
          expect(restored[k]).toBe(restored[k + tree.length]);
          const before = step.previous;
          expect(restored[k]!.previous).toBe(before && restored[tree.indexOf(before)]);
        }
      }),
    );
  });

  it('may be none', () => {
    const { saved, lineOf } = saveLines([]);
    expect(restoreLines(saved)).toEqual([]);
    expect(lineOf).toHaveLength(0);
  });
});

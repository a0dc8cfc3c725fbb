import { describe, expect, it } from 'vitest';
import type { BestEvent, LineageEntry, RunEvent } from '../experiment/events.js';
import { ProgramTextError } from '../program/lexer.js';
import type { Program } from '../program/program.js';
import type { Explanation, TechniqueName } from './explain/explanation.js';
import { describeSteps, foldSmallSteps, lineFromEvents } from './lineage-steps.js';

function text(...predict: readonly string[]): string {
  return `def Setup():\n\ndef Predict(v0):\n${predict.map((line) => `  ${line}\n`).join('')}\ndef Learn(v0, s0):\n`;
}

/** Calls every program of two or more instructions a linear model, and every one of three a decaying one. */
function explain({ predict }: Program): Explanation {
  const names: TechniqueName[] = [];
  if (predict.length > 1) names.push('linear-model');
  if (predict.length === 3) names.push('weight-decay');
  const techniques = names.map((name) => ({
    name,
    why: `so ${name}`,
    places: [{ function: 'predict', index: 0 }] as const,
  }));
  return { comments: { setup: [], predict: [], learn: [] }, names: new Map(), techniques };
}

const LINES = ['s1 = norm(v0)', 's1 = mean(v0)', 's2 = std(v0)', 's1 = s1 + s2'];

/** A line whose steps have so many instructions and this fitness; each is the child of the one before. */
function line(...steps: readonly (readonly [number, number])[]): LineageEntry[] {
  const program = (k: number) => text(...LINES.slice(0, steps[k]![0]));
  return steps.map(([, fitness], k) => ({
    id: 100 * k,
    fitness,
    origin: k === 0 ? 'initial' : 'insert',
    parent: k === 0 ? null : { id: 100 * (k - 1), fitness: steps[k - 1]![1], program: program(k - 1) },
    program: program(k),
  }));
}

describe('steps', () => {
  it('say what they gained, and which techniques came and went', () => {
    const steps = describeSteps(line([0, 0.1], [2, 0.4], [3, 0.5], [4, 0.9]), explain);
    expect(steps.map(({ number, before, fitness }) => [number, before, fitness])).toEqual([
      [1, null, 0.1],
      [2, 0.1, 0.4],
      [3, 0.4, 0.5],
      [4, 0.5, 0.9],
    ]);
    expect(steps[0]).toMatchObject({ gain: null, parent: null, previous: null });
    expect(steps[1]!.gain).toBeCloseTo(0.3, 12);
    const names = steps.map(({ appeared, disappeared }) =>
      [appeared, disappeared].map((all) => all.map((t) => t.name)),
    );
    expect(names).toEqual([
      [[], []],
      [['linear-model'], []],
      [['weight-decay'], []],
      [[], ['weight-decay']],
    ]);
  });

  it('know which instructions have an effect', () => {
    const [, step] = describeSteps(line([0, 0.1], [2, 0.4]), explain);
    expect(step!.program.instructions).toBe(2);
    expect([...step!.program.live]).toEqual(['Predict: s1 = mean(v0)']);
  });

  it('that gained next to nothing are folded, but not where a technique comes, nor the ends', () => {
    const small = 1e-6;
    const steps = describeSteps(
      line(
        [0, 0.1],
        [1, 0.1 + small],
        [1, 0.1 + 2 * small],
        [2, 0.1 + 3 * small],
        [2, 0.1 + 4 * small],
        [2, 0.9],
        [2, 0.9 + small],
      ),
      explain,
    );
    expect(foldSmallSteps(steps).map((group) => group.map(({ number }) => number))).toEqual([
      [1],
      [2, 3],
      [4],
      [5],
      [6],
      [7],
    ]);
    expect(steps.filter(({ isSmall }) => isSmall).map(({ number }) => number)).toEqual([2, 3, 5]);
  });

  it('without a known beginning are measured against the parent', () => {
    const [step] = describeSteps(line([1, 0.2], [2, 0.5]).slice(1), explain);
    expect(step).toMatchObject({ number: 1, before: 0.2, previous: null, isSmall: false });
    expect(step!.appeared.map(({ name }) => name)).toEqual(['linear-model']);
  });

  it('that are no programs are refused', () => {
    const broken = line([0, 0.1]).map((entry) => ({ ...entry, program: 'def Setup(): what' }));
    expect(() => describeSteps(broken, explain)).toThrow(ProgramTextError);
  });

  it('may use more memory than usual, if they are told', () => {
    const large = line([0, 0.1]).map((entry) => ({ ...entry, program: text('s1 = s77 + s1') }));
    expect(() => describeSteps(large, explain)).toThrow(ProgramTextError);
    expect(describeSteps(large, explain, { scalars: 80, vectors: 3, matrices: 1 })).toHaveLength(1);
  });
});

describe('the line that events tell', () => {
  const best = (experiment: number, id: number, ancestor: number | null): BestEvent => {
    const parent = ancestor === null ? null : { id: ancestor, fitness: 0, program: text() };
    const origin = ancestor === null ? 'initial' : 'insert';
    const place = { experiment, algorithms: id };
    return { type: 'best', ...place, id, fitness: id / 1000, origin, parent, ancestor, hash: '', program: text() };
  };
  const select = (experiment: number, id: number, isBest: boolean): RunEvent => {
    return { type: 'select', experiment, algorithms: id, id, searchFitness: 0, selectFitness: 0, isBest };
  };
  const ids = (...events: readonly RunEvent[]) => {
    const { entries, isWhole } = lineFromEvents(events);
    return [entries.map(({ id }) => id), isWhole];
  };

  it('leads back from the last best, past bests of other lines', () => {
    expect(ids(best(1, 1, null), best(1, 5, null), best(1, 9, 1), best(1, 20, 9))).toEqual([[1, 9, 20], true]);
  });

  it('is that of the selected program, in its experiment', () => {
    const events = [
      best(1, 1, null),
      best(1, 9, 1),
      select(1, 9, true),
      best(2, 1, null),
      best(2, 7, 1),
      select(2, 7, false),
    ];
    expect(ids(...events)).toEqual([[1, 9], true]);
    expect(ids(...events.filter(({ type }) => type !== 'select'))).toEqual([[1, 7], true]);
  });

  it('says where the beginning is missing', () => {
    expect(ids(best(1, 1, null), best(1, 9, 4), best(1, 20, 9))).toEqual([[9, 20], false]);
  });

  it('is empty without a best', () => {
    expect(ids()).toEqual([[], true]);
  });
});

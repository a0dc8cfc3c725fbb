import { describe, expect, test } from 'vitest';
import {
  drawTasks,
  type ImageTaskSet,
  isWhole,
  PAIRS,
  pairsOf,
  parseTaskSet,
  regressionSeed,
  sizeOf,
  taskSetNames,
} from './task-sets.js';

const RELEASED = ['05', '09', '18', '29', '35', '36', '38', '46', '89'];
const names = (pairs: readonly (readonly number[])[]) => pairs.map(([a, b]) => `${a}${b}`);

describe('parseTaskSet', () => {
  test('reads every name', () => {
    for (const name of taskSetNames()) expect(() => parseTaskSet(name)).not.toThrow();
    expect(parseTaskSet('linear')).toEqual({ family: 'linear', role: 'all' });
    expect(parseTaskSet('network-final')).toEqual({ family: 'network', role: 'final' });
    expect(parseTaskSet('cifar10-binary-select')).toEqual({ dataset: 'cifar10', kind: 'binary', role: 'select' });
    expect(parseTaskSet('fashion-mnist-multiclass-final')).toEqual({
      dataset: 'fashion-mnist',
      kind: 'multiclass',
      role: 'final',
    });
    expect(parseTaskSet('svhn-search')).toEqual(parseTaskSet('svhn-binary-search'));
    expect(parseTaskSet('digits')).toEqual({ dataset: 'digits', kind: 'binary', role: 'all' });
  });

  test.each([
    '',
    'cifar10',
    'cifar10-binary',
    'cifar10-select-binary',
    'cifar10-binary-selec',
    'CIFAR10-select',
    '__proto__',
    'constructor',
  ])('refuses %j in one line', (name) => {
    expect(() => parseTaskSet(name)).toThrow(/no such set of tasks; [^\n]+$/);
  });

  test('suggests the nearest name', () => {
    expect(() => parseTaskSet('cifar10-binary-selec')).toThrow('did you mean cifar10-binary-select?');
  });
});

describe('pairsOf', () => {
  test('splits 45 pairs into 36 and 9, the released ones unless told otherwise', () => {
    expect(new Set(names(PAIRS)).size).toBe(45);
    expect(names(pairsOf('select', 'released'))).toEqual(RELEASED);
    expect(pairsOf('search', 'released')).toHaveLength(36);
    expect(names(pairsOf('final', 'released'))).toEqual(RELEASED);
  });

  test.each(['released', 0, 1, 12345] as const)('never selects on a pair that is searched on: split %s', (split) => {
    const [search, select] = [names(pairsOf('search', split)), names(pairsOf('select', split))];
    expect([...search, ...select].sort()).toEqual(names(PAIRS).sort());
    expect(select).toHaveLength(9);
  });

  test('draws another split from another seed', () => {
    expect(names(pairsOf('select', 1)).sort()).not.toEqual(names(pairsOf('select', 2)).sort());
    expect(pairsOf('select', 1)).toEqual(pairsOf('select', 1));
  });
});

describe('drawTasks', () => {
  const select: ImageTaskSet = { dataset: 'cifar10', kind: 'binary', role: 'select' };
  const search: ImageTaskSet = { ...select, role: 'search' };

  test('has 45 x 100 binary tasks, and 1,000 of many classes', () => {
    expect(sizeOf(search, 'released')).toBe(3600);
    expect(sizeOf(select, 'released')).toBe(900);
    expect(sizeOf({ ...search, kind: 'multiclass' }, 'released')).toBe(800);
    expect(sizeOf({ ...select, kind: 'multiclass' }, 'released')).toBe(200);
    expect(() => drawTasks(select, 901, 0, 'released')).toThrow(
      'cifar10, binary, select: has 900 tasks, and 901 were asked for',
    );
  });

  test.each([search, select, { ...select, kind: 'multiclass' }, { ...search, kind: 'multiclass' }] as const)(
    'never draws a task twice: $kind $role',
    (set) => {
      const size = sizeOf(set, 'released');
      const tasks = drawTasks(set, size, 3, 'released');
      expect(new Set(tasks.map(({ dataSeed }) => dataSeed)).size).toBe(size);
      expect(new Set(tasks.map(({ programSeed }) => programSeed)).size).toBe(size);
    },
  );

  test('has no task of the search in the selection', () => {
    for (const kind of ['binary', 'multiclass'] as const) {
      const searched = drawTasks({ ...search, kind }, sizeOf({ ...search, kind }, 7), 0, 7);
      const selected = drawTasks({ ...select, kind }, sizeOf({ ...select, kind }, 7), 0, 7);
      const seen = new Set(searched.map(({ dataSeed }) => dataSeed));
      expect(selected.filter(({ dataSeed }) => seen.has(dataSeed))).toEqual([]);
    }
  });

  test('gives every pair its turn', () => {
    const pairs = names(drawTasks(select, 90, 0, 'released').map(({ classes }) => classes));
    for (const pair of RELEASED) expect(pairs.filter((name) => name === pair)).toHaveLength(10);
    expect(new Set(pairs.slice(0, 9)).size).toBe(9);
  });

  test('draws in another order with another seed, from the same tasks', () => {
    const [a, b] = [1, 2].map((seed) => drawTasks(select, 900, seed, 'released').map(({ dataSeed }) => dataSeed));
    expect(a).not.toEqual(b);
    expect([...a!].sort()).toEqual([...b!].sort());
  });

  test('draws the pairs of every round, and the projections of every pair, in an order of their own', () => {
    const tasks = (seed: number) => drawTasks(select, 900, seed, 'released');
    const rounds = Array.from({ length: 100 }, (_, k) =>
      names(
        tasks(1)
          .slice(9 * k, 9 * k + 9)
          .map(({ classes }) => classes),
      ).join(),
    );
    expect(new Set(rounds).size).toBeGreaterThan(90);
    const orders = RELEASED.flatMap((pair) =>
      [1, 2].map((seed) =>
        tasks(seed)
          .filter(({ classes }) => classes.join('') === pair)
          .map(({ projection }) => projection)
          .join(),
      ),
    );
    expect(new Set(orders).size).toBe(18);
  });

  test('keys random ops by the seed, the kind and the task', () => {
    const seeds = (['binary', 'multiclass'] as const).flatMap((kind) =>
      [1, 2].flatMap((seed) => drawTasks({ ...search, kind }, 800, seed, 'released').map((task) => task.programSeed)),
    );
    expect(new Set(seeds).size).toBe(3200);
  });

  test('has no examples of a pair in common with those of many classes', () => {
    const all = (kind: 'binary' | 'multiclass') =>
      drawTasks({ ...search, kind }, 800, 0, 'released').map(({ dataSeed }) => dataSeed);
    expect(new Set([...all('binary'), ...all('multiclass')]).size).toBe(1600);
    // The pair 0 and 1 begins as all classes do.
    const pair = drawTasks(search, 3600, 0, 'released').filter(({ classes }) => classes.join('') === '01');
    const seeds = new Set(all('multiclass'));
    expect(pair.filter(({ dataSeed }) => seeds.has(dataSeed))).toEqual([]);
  });

  test('splits the projections of many classes by the split too', () => {
    const many: ImageTaskSet = { ...select, kind: 'multiclass' };
    const drawn = ([0, 1, 'released'] as const).map((split) =>
      drawTasks(many, 200, 0, split)
        .map(({ projection }) => projection)
        .sort((a, b) => a - b)
        .join(),
    );
    expect(new Set(drawn).size).toBe(3);
  });

  test('has every pair in all, and every draw of many classes in the final evaluation', () => {
    expect(sizeOf({ dataset: 'digits', kind: 'binary', role: 'all' }, 'released')).toBe(4500);
    expect(sizeOf({ ...select, role: 'final' }, 'released')).toBe(900);
    expect(sizeOf({ ...select, role: 'tune' }, 'released')).toBe(900);
    expect(sizeOf({ ...select, kind: 'multiclass', role: 'final' }, 'released')).toBe(1000);
  });

  test('tunes on the tasks of the final evaluation, whole images too', () => {
    const [tuned, final] = (['tune', 'final'] as const).map((role) => drawTasks({ ...select, role }, 9, 2, 'released'));
    expect(tuned).toEqual(final);
    expect((['search', 'select', 'tune', 'final', 'all'] as const).map((role) => isWhole(role))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('begins alike, however many are drawn', () => {
    expect(drawTasks(search, 100, 5, 'released').slice(0, 7)).toEqual(drawTasks(search, 7, 5, 'released'));
  });
});

test('regression tasks of different roles have different seeds', () => {
  const seeds = (['all', 'search', 'select', 'final', 'tune'] as const).map((role) =>
    regressionSeed({ family: 'linear', role }, 3),
  );
  expect(new Set(seeds).size).toBe(5);
  expect(seeds[0]).toBe(3);
  expect(regressionSeed({ family: 'linear', role: 'select' }, 4)).not.toBe(seeds[2]);
});

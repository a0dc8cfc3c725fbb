import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../tests/support/arbitraries.js';
import { tableOf } from '../../../tests/support/tables.js';
import { checkTasks, type Examples } from '../../engine/engine.js';
import { RandomStream } from '../../util/random.js';
import { sharedFloats } from '../allocate.js';
import { encodeTable } from './encoding.js';
import type { Table } from './table.js';
import { readTable, splitTable, type TableOptions, tabularTask } from './tabular.js';

function range<T>(count: number, item: (k: number) => T): T[] {
  return Array.from({ length: count }, (_, k) => item(k));
}

function columnOf({ count, features }: Examples, F: number, j: number): number[] {
  return range(count, (k) => features[k * F + j]!);
}

function moments(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) };
}

describe('what columns are', () => {
  const table: Table = {
    name: 't.csv',
    header: ['size', 'colour', 'always', 'name', 'nothing', 'mixed', 'flag', '', 'huge', 'y'],
    rows: range(40, (k) => [
      k === 3 ? ' N/A ' : ` ${k % 2 ? '+' : '-'}${k}.5e-1 `,
      k === 0 ? '?' : ['red', 'green', ' red '][k % 3]!,
      'x',
      `name ${k}`,
      ['', 'NA', 'null', 'n/a', '-', 'nan'][k % 6]!,
      k === 7 ? '1,000' : String(k % 5),
      k % 2 ? 'yes' : '',
      String(k),
      k === 5 ? 'Infinity' : String(k % 3),
      String(k / 7),
    ]),
  };
  const { report } = tabularTask(table, { target: 'y' }, 1);

  it('is found out, with the reason', () => {
    expect(report.columns).toEqual([
      { name: 'size', kind: 'number', why: 'numbers, 39 different', missing: 1, encoded: 1 },
      { name: 'colour', kind: 'category', why: 'text, 2 different', missing: 1, encoded: 2 },
      { name: 'always', kind: 'constant', why: 'always "x"', missing: 0, encoded: 0 },
      { name: 'name', kind: 'text', why: 'text, 40 of 40 different', missing: 0, encoded: 0 },
      { name: 'nothing', kind: 'empty', why: 'no values', missing: 40, encoded: 0 },
      { name: 'mixed', kind: 'category', why: 'text, 6 different', missing: 0, encoded: expect.any(Number) },
      { name: 'flag', kind: 'category', why: 'text, 1 different', missing: 20, encoded: 1 },
      { name: 'column 8', kind: 'number', why: 'numbers, 40 different', missing: 0, encoded: 1 },
      { name: 'huge', kind: 'category', why: 'text, 4 different', missing: 0, encoded: expect.any(Number) },
    ]);
  });

  it.each([
    ['0x10', 'category'],
    ['0b1', 'category'],
    ['1e3', 'number'],
    ['.5', 'number'],
    ['1 000', 'category'],
  ])('depends on whether %s is a number', (cell, kind) => {
    const rows = range(40, (k) => `${k % 2 ? cell : '7'},${k / 8}`);
    expect(tabularTask(tableOf('x,y', ...rows), { target: 'y' }, 1).report.columns[0]!.kind).toBe(kind);
  });

  it.each([
    [11, 12, 'text'],
    [11, 13, 'category'],
    [10, 10, 'category'],
    [90, 100, 'category'],
    [91, 100, 'text'],
  ])('is text where %d of %d words are different', (different, rows, kind) => {
    const lines = range(rows, (k) => `w${k % different},${k},${k / 8}`);
    expect(tabularTask(tableOf('w,x,y', ...lines), { target: 'y' }, 1).report.columns[0]!.kind).toBe(kind);
  });

  it('can be said instead', () => {
    const options = { target: 'y', kinds: { 'column 8': 'category', size: 'text' }, ignore: ['flag'] } as const;
    const { columns } = tabularTask(table, { ...options, maxCategories: 4 }, 1).report;
    const of = (name: string) => columns.find((column) => column.name === name);
    expect(of('column 8')).toMatchObject({ kind: 'category', why: 'as asked', encoded: 5 });
    expect(of('size')).toMatchObject({ kind: 'text', why: 'as asked', encoded: 0 });
    expect(of('flag')).toMatchObject({ kind: 'ignored', why: 'as asked', encoded: 0 });
  });

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});

describe('the target', () => {
  const withTargets = (targets: readonly string[]) => tableOf('x,y', ...targets.map((y, k) => `${k},${y}`));
  const repeat = (values: readonly string[], times: number) => range(times, () => values).flat();

  it.each<[string, string[], string, string[]]>([
    ['two words', repeat(['no', 'yes'], 5), 'binary', ['no', 'yes']],
    ['three words', repeat(['b', 'a', 'C'], 3), 'multiclass', ['C', 'a', 'b']],
    ['two numbers', repeat(['10', '9.5', '1e1'], 3), 'binary', ['9.5', '10']],
    ['few whole numbers', repeat(['10', '2', '1'], 5), 'multiclass', ['1', '2', '10']],
    ['few whole numbers, but few of each', repeat(['10', '2', '1'], 4), 'regression', []],
    ['few broken numbers', repeat(['1', '2', '2.5'], 9), 'regression', []],
    ['many whole numbers', range(100, (k) => String(k % 11)), 'regression', []],
  ])('of %s', (_, targets, kind, classes) => {
    const { report, encoding } = tabularTask(withTargets(targets), { target: 'y' }, 1);
    expect(report.target.kind).toBe(kind);
    expect(report.target.classes.map(({ name }) => name)).toEqual(classes);
    expect(report.target.classes.reduce((sum, { count }) => sum + count, 0)).toBe(classes.length && targets.length);
    expect(encoding.target).toMatchObject(classes.length > 0 ? { kind, classes } : { kind });
  });

  it('says why', () => {
    const why = (targets: string[]) => tabularTask(withTargets(targets), { target: 'y' }, 1).report.target.why;
    expect(why(range(50, (k) => `${k}.5`))).toBe('numbers, 50 different');
    expect(why(repeat(['1', '2', '3'], 9))).toBe('whole numbers, 3 different, many times each');
    expect(why(repeat(['a', 'b'], 9))).toBe('text, 2 different');
  });

  it('can be taken otherwise', () => {
    const numbers = withTargets(repeat(['0', '1', '2'], 9));
    expect(tabularTask(numbers, { target: 'y', task: 'regression' }, 1).task.loss).toBe('rms');
    const two = withTargets(repeat(['0', '1'], 9));
    expect(tabularTask(two, { target: 'y', task: 'multiclass' }, 1).task).toMatchObject({
      loss: 'multiclass',
      features: 10,
    });
  });

  it('of equal training rows still tells the others apart', () => {
    // The one row that differs is for validation with some seed.
    const targets = [...range(19, () => '5'), '7'];
    const made = range(40, (seed) => tabularTask(withTargets(targets), { target: 'y', task: 'regression' }, seed).task);
    const apart = made.filter(({ train }) => new Set(train.labels).size === 1);
    expect(apart.length).toBeGreaterThan(0);
    for (const { valid } of apart) expect(new Set(valid.labels)).toEqual(new Set([0, 2]));
  });

  it('leaves rows out where it is missing', () => {
    const { report, task } = tabularTask(withTargets(['1.5', '', '2.5', 'NA', '3', '?', '4']), { target: 'y' }, 1);
    expect(report).toMatchObject({ rowsUsed: 4, rowsLeftOut: 3, trainRows: 3, validRows: 1 });
    expect(task.train.count + task.valid.count).toBe(4);
  });
});

describe('tasks of tables', () => {
  const columns = 5;
  const table: Table = {
    name: 't.csv',
    header: ['y', ...range(columns, (j) => `c${j}`)],
    rows: range(300, (k) => {
      const random = new RandomStream(7, k);
      const cells = range(columns, (j) => {
        if (random.integer(10) === 0) return 'NA';
        return j % 2 ? `v${random.integer(14)}` : String(1e6 + random.gaussian());
      });
      return [String(random.gaussian() * 1e9), ...cells];
    }),
  };

  it('depend on the seed alone', () => {
    const [a, b, c] = [1, 1, 2].map((seed) => tabularTask(table, { target: 'y' }, seed));
    expect(b).toEqual(a);
    expect(c!.task.train.labels).not.toEqual(a!.task.train.labels);
    expect(c!.task.seed).not.toBe(a!.task.seed);
  });

  it('can be run, and shared between threads', () => {
    const { task } = tabularTask(table, { target: 'y' }, 1, sharedFloats);
    checkTasks([task], 'f32');
    expect(task.train.features.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(task.valid.labels.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it.each([undefined, 2, 30, 100])('with %s features are standardized by the training rows', (features) => {
    const { task, report } = tabularTask(table, { target: 'y', ...(features !== undefined && { features }) }, 1);
    const encoded = 3 + 2 * 11;
    expect(report.encodedColumns).toBe(encoded);
    expect(report.fit).toBe(task.features === encoded ? 'exact' : task.features < encoded ? 'projected' : 'padded');
    for (let j = 0; j < task.features; j++) {
      const { mean, deviation } = moments(columnOf(task.train, task.features, j));
      expect(mean).toBeCloseTo(0, 6);
      expect(deviation).toBeCloseTo(j < encoded ? 1 : 0, 6);
    }
    const labels = moments([...task.train.labels]);
    expect(labels.mean).toBeCloseTo(0);
    expect(labels.deviation).toBeCloseTo(1);
  });

  it.each([undefined, 0.2, 0.5, 0.9])('have the part %s for validation', (validFraction) => {
    const { report } = tabularTask(table, { target: 'y', ...(validFraction !== undefined && { validFraction }) }, 1);
    expect([report.trainRows, report.validRows]).toEqual([
      300 - 300 * (validFraction ?? 0.2),
      300 * (validFraction ?? 0.2),
    ]);
  });

  it('bring back validation rows that are far away', () => {
    const rows = range(40, (k) => `${k === 9 ? '1e30' : k % 2},${k / 8}`);
    const made = range(20, (seed) => tabularTask(tableOf('x,y', ...rows), { target: 'y' }, seed).task);
    const apart = made.filter(({ valid }) => valid.features.some((x) => x > 100));
    expect(apart.length).toBeGreaterThan(0);
    for (const { valid } of apart) expect(Math.max(...valid.features)).toBe(1e6);
  });

  it('do not look at validation rows when fitting', () => {
    const { encoding, task } = tabularTask(table, { target: 'y', features: 4 }, 1);
    const target = encoding.target.kind === 'regression' ? encoding.target.scaling : { mean: 0, deviation: 1 };
    const inTraining = new Set(Array.from(task.train.labels, (z) => Math.round(z * target.deviation + target.mean)));
    const changed = table.rows.map((row) =>
      inTraining.has(Math.round(Number(row[0]))) ? row : [row[0]!, '5', 'zz', '5', 'zz', '5'],
    );
    const again = tabularTask({ ...table, rows: changed }, { target: 'y', features: 4 }, 1);
    expect(again.encoding).toEqual(encoding);
    expect(again.task.train).toEqual(task.train);
    expect(again.task.valid.features).not.toEqual(task.valid.features);
  });

  it('have ten thousand columns if they must', () => {
    const wide: Table = {
      name: 't.csv',
      header: ['y', ...range(10_000, (j) => `c${j}`)],
      rows: range(20, (k) => {
        const random = new RandomStream(k);
        return range(10_001, () => random.uniform().toFixed(3));
      }),
    };
    const { task, report } = tabularTask(wide, { target: 'y' }, 1);
    expect(report).toMatchObject({ encodedColumns: 10_000, features: 64, fit: 'projected' });
    checkTasks([task]);
  });

  it('keep numbers finite, whatever the cells', () => {
    const cell = fc.oneof(
      fc.double({ noNaN: true }).map(String),
      fc.constantFrom('', '1e308', '-1e308', '5e-324', '0', '1e-160', 'NaN', '0x1f', '-'),
    );
    const rows = fc.array(fc.tuple(cell, cell, fc.integer().map(String)), { minLength: 12, maxLength: 30 });
    fc.assert(
      fc.property(rows, fc.constantFrom(2, 3), fc.nat(), (cells, features, seed) => {
        const spread = cells.map((row, k) => [...row.slice(0, 2), `${row[2]}.${k}5`]);
        const source: Table = {
          name: 't',
          header: ['a', 'b', 'y', 'z'],
          rows: spread.map((row, k) => [...row, `${k}`]),
        };
        const { task } = tabularTask(source, { target: 'y', task: 'regression', features }, seed);
        checkTasks([task], 'f32');
        for (let j = 0; j < features; j++) {
          const { mean, deviation } = moments(columnOf(task.train, features, j));
          expect(Math.abs(mean)).toBeLessThan(1e-4);
          expect(Math.min(Math.abs(deviation - 1), deviation)).toBeLessThan(1e-4);
        }
      }),
    );
  });
});

describe('splits of one table', () => {
  it('have the same number of features, whichever categories their training rows have', () => {
    const rows = range(60, (k) => `${k % 7},${k % 6 === 0 ? `rare${k}` : 'often'},${k * k}`);
    const read = readTable(tableOf('a,b,y', ...rows), { target: 'y' });
    const tasks = range(10, (seed) => splitTable(read, seed).task);
    expect(new Set(tasks.map(({ features }) => features)).size).toBe(1);
    expect(() => checkTasks(tasks)).not.toThrow();
  });

  it('are those of the table read anew', () => {
    const table = tableOf('a,y', ...range(20, (k) => `${k % 5},${k}`));
    expect(splitTable(readTable(table, { target: 'y' }), 3)).toEqual(tabularTask(table, { target: 'y' }, 3));
  });
});

describe('numbers near the largest', () => {
  it('are told apart and standardized', () => {
    const table = tableOf(
      'a,y',
      ...range(40, (k) => `${k % 2 === 0 ? '' : '-'}1.${k + 10}e307,${k % 2 === 0 ? '' : '-'}1.${k + 10}e300`),
    );
    const { task, report } = tabularTask(table, { target: 'y' }, 1);
    expect(report.target).toMatchObject({ kind: 'regression', why: 'numbers, 40 different' });
    for (const numbers of [task.train.features, task.train.labels]) {
      expect(numbers.every(Number.isFinite)).toBe(true);
      expect(Math.max(...numbers.map(Math.abs))).toBeLessThan(3);
    }
    expect(task.train.labels.reduce((sum, x) => sum + x * x, 0) / task.train.count).toBeCloseTo(1, 10);
  });
});

describe('cells that say nothing', () => {
  const rows = range(30, (k) => `${k % 3 === 0 ? 'none' : k % 3 === 1 ? '?' : 'yes'},${k % 2},${k / 8}`);
  const columnOfOptions = (options: Partial<TableOptions>) =>
    tabularTask(tableOf('garage,b,y', ...rows), { target: 'y', ...options }, 1).report.columns[0];

  it('are the usual ones, or those that are given', () => {
    expect(columnOfOptions({})).toMatchObject({ missing: 10, why: 'text, 2 different' });
    expect(columnOfOptions({ missing: ['None', ' ? '] })).toMatchObject({ missing: 20, why: 'text, 1 different' });
    expect(columnOfOptions({ missing: [] })).toMatchObject({ missing: 0, why: 'text, 3 different' });
  });

  it('are the same for other tables', () => {
    const { encoding } = tabularTask(tableOf('garage,b,y', ...rows), { target: 'y', missing: ['yes'] }, 1);
    const encode = (cell: string) => encodeTable(encoding, tableOf('garage,b', `${cell},1`));
    expect(encode('yes')).toEqual(encode(''));
    expect(encode('?')).not.toEqual(encode(''));
  });
});

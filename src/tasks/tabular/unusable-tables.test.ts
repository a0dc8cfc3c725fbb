import { describe, expect, it } from 'vitest';
import { tableOf } from '../../../tests/support/tables.js';
import { DataError } from '../data-error.js';
import type { Table } from './table.js';
import { type TableOptions, tabularTask } from './tabular.js';

const message = (table: Table, options: TableOptions): string => {
  try {
    tabularTask(table, options, 1);
  } catch (error) {
    expect(error).toBeInstanceOf(DataError);
    return (error as Error).message;
  }
  throw new Error('no error');
};

describe('tables that cannot be used', () => {
  const good = tableOf('size,colour,price', '1,red,1.5', '2,blue,2.5', '3,red,3.5', '4,blue,4.5');
  const target = 'price';

  it.each<[string, Table, TableOptions, string]>([
    ['a header only', tableOf('a,b'), { target: 'a' }, 't.csv: there is a header, but no rows'],
    [
      'one row',
      tableOf('a,b', '1,2'),
      { target: 'a' },
      't.csv: there is only one row, and both parts of a split need one',
    ],
    [
      'one row with a target',
      tableOf('a,b', '1,2', ',3'),
      { target: 'a' },
      't.csv: only one row has a target "a", and both parts of a split need one',
    ],
    [
      'one row of each class',
      tableOf('a,b', 'u,1', 'v,2', 'w,3'),
      { target: 'a' },
      't.csv: too few rows to split: no class has two',
    ],
    ['two names alike', tableOf('a,b, a ', '1,2,3'), { target: 'a' }, 't.csv: columns 1 and 3 are both named "a"'],
    ['a constant target', tableOf('a,b', '7,1', '7,2', '7.0,3'), { target: 'a' }, 't.csv: target "a" is always "7"'],
    [
      'no target at all',
      tableOf('a,b', ',1', 'NA,2', '?,3'),
      { target: 'a' },
      't.csv: target "a" is missing in all 3 rows',
    ],
    [
      'words to predict as numbers',
      tableOf('a,b', '1,1', ',2', 'twelve,3', '5,4'),
      { target: 'a', task: 'regression' },
      't.csv:4: column "a": "twelve" is not a number',
    ],
    [
      'too many classes',
      tableOf('a,b', ...Array.from({ length: 11 }, (_, k) => `${k === 10 ? 'x' : k},${k}`)),
      { target: 'a' },
      't.csv: target "a" has 11 different values, such as "x" at t.csv:12: multiclass tasks have at most 10 classes',
    ],
    [
      'too many classes for two',
      tableOf('a,b', '1,2', '2,3', '3,4'),
      { target: 'a', task: 'binary' },
      't.csv: target "a" has 3 different values: binary tasks have at most 2 classes',
    ],
    ['an unknown target', good, { target: 'prize' }, 't.csv: no column "prize"; did you mean "price"?'],
    ['an unknown column', good, { target, ignore: ['color'] }, 't.csv: no column "color"; did you mean "colour"?'],
    ['an unknown kind', good, { target, kinds: { xyzzy: 'text' } }, 't.csv: no column "xyzzy"'],
    ['the target ignored', good, { target, ignore: ['price'] }, 't.csv: column "price" is the target'],
    [
      'a word for a number',
      good,
      { target, kinds: { colour: 'number' } },
      't.csv:2: column "colour": "red" is not a number',
    ],
    [
      'a word for a number after rows without a target',
      tableOf('x,y', '1,1.5', '2,', '3,', 'many,2.5', '5,3.5'),
      { target: 'y', kinds: { x: 'number' } },
      't.csv:5: column "x": "many" is not a number',
    ],
    [
      'no columns left',
      good,
      { target, ignore: ['size'], kinds: { colour: 'text' } },
      't.csv: no column is left to learn from ("size": ignored; "colour": as asked)',
    ],
    ['too few features', good, { target, features: 1 }, 'regression tasks of a table take 2 to 8192 features, not 1'],
    ['no validation', good, { target, validFraction: 0 }, 'validFraction: expected a number between 0 and 1, not 0'],
    [
      'no categories',
      good,
      { target, maxCategories: 0.5 },
      'maxCategories: expected a whole number of at least 1, not 0.5',
    ],
  ])('%s', (_, table, options, expected) => {
    expect(message(table, options)).toBe(expected);
  });

  it('are described in one short line', () => {
    const cell = `a\n\u001b[31m${'long '.repeat(100)}`;
    const table: Table = { name: 't.csv', header: ['x', 'y'], rows: [1, 2, 3].map((k) => [String(k), cell + k]) };
    const text = message(table, { target: 'y', task: 'regression' });
    expect(text.length).toBeLessThan(100);
    expect(text).not.toMatch(/\p{C}/u);
    expect(text).toContain('t.csv: row 1: column "y"');
  });
});

import { expect, test } from 'vitest';
import { tableToCsv } from './findings-csv.js';

test('a header and a line for each row, numbers in full', () => {
  const table = {
    name: 't',
    title: 'T',
    columns: ['task', 'value'],
    rows: [['a', 1 / 3] as const, ['b', 1e-9] as const],
  };
  expect(tableToCsv(table)).toBe('task,value\na,0.3333333333333333\nb,1e-9\n');
});

test('separators, quotes and line ends are quoted, what is unknown is empty', () => {
  const table = {
    name: 't',
    title: 'T',
    columns: ['a,b', 'c'],
    rows: [['say "no"', null] as const, ['two\nlines', -2] as const],
  };
  expect(tableToCsv(table)).toBe('"a,b",c\n"say ""no""",\n"two\nlines",-2\n');
});

test('an empty cell alone is no empty line', () => {
  expect(tableToCsv({ name: 't', title: 'T', columns: ['a'], rows: [[null], ['x']] })).toBe('"a"\n""\n"x"\n');
});

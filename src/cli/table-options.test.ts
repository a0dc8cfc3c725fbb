import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addTableOptions, tableOptions } from './table-options.js';

function parse(...args: string[]) {
  const command = addTableOptions(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  return tableOptions(command.parse(args, { from: 'user' }).opts());
}

test('every flag gets to the table', () => {
  expect(
    parse(
      ...[
        '--target',
        'y',
        '--target-kind',
        'binary',
        '--ignore',
        'a',
        '--ignore',
        'b',
        '--kind',
        'c=category',
        '--kind',
        'd=e=number',
      ],
      ...['--max-categories', '3', '--valid-part', '0.3', '--missing', 'x', '--missing', 'y', '--delimiter', '\\t'],
    ),
  ).toEqual({
    target: 'y',
    task: 'binary',
    ignore: ['a', 'b'],
    kinds: { c: 'category', 'd=e': 'number' },
    maxCategories: 3,
    validFraction: 0.3,
    missing: ['x', 'y'],
    delimiter: '\t',
  });
  expect(parse('--target', 'y')).toEqual({ target: 'y' });
  expect(parse()).toBeUndefined();
});

test.each([
  ['--valid-part', '0'],
  ['--valid-part', '1'],
  ['--valid-part', ''],
  ['--kind', '=number'],
  ['--kind', 'c'],
  ['--kind', 'c=word'],
  ['--kind', 'c=empty'],
  ['--delimiter', ''],
  ['--delimiter', '::'],
  ['--delimiter', '"'],
])('%s %j is refused', (flag, value) => {
  expect(() => parse(flag, value)).toThrow(/Expected/);
});

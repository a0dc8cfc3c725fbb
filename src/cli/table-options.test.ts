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
        '--task',
        'binary',
        '--ignore',
        'a',
        '--ignore',
        'b',
        '--kind',
        'c=text',
        '--kind',
        'd=e=number',
      ],
      ...['--max-categories', '3', '--valid-part', '0.3'],
    ),
  ).toEqual({
    target: 'y',
    task: 'binary',
    ignore: ['a', 'b'],
    kinds: { c: 'text', 'd=e': 'number' },
    maxCategories: 3,
    validFraction: 0.3,
  });
  expect(parse('--target', 'y')).toEqual({ target: 'y' });
  expect(parse()).toBeUndefined();
});

test.each([
  ['--valid-part', '0'],
  ['--valid-part', '1'],
  ['--valid-part', ''],
  ['--kind', '=text'],
  ['--kind', 'c'],
  ['--kind', 'c=word'],
])('%s %j is refused', (flag, value) => {
  expect(() => parse(flag, value)).toThrow(/Expected/);
});

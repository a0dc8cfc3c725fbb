import { expect, it } from 'vitest';
import * as z from 'zod';
import { CONFIG } from '../../src/experiment/config-schema.js';
import { type Field, getAt, readFields, setAt } from './config-fields.js';

const schema = z.toJSONSchema(CONFIG, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;

function find(fields: readonly Field[], path: string): Field | undefined {
  for (const field of fields) {
    if (field.path.join('.') === path) return field;
    const inner = field.kind === 'group' ? find(field.fields, path) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

it('reads the fields of the real schema', () => {
  const fields = readFields(schema);
  expect(find(fields, 'search.population')).toEqual({
    kind: 'number',
    path: ['search', 'population'],
    title: 'population',
    empty: undefined,
    isWhole: true,
    least: 1,
    most: 1_000_000,
  });
  expect(find(fields, 'stop.minutes')).toMatchObject({ kind: 'number', empty: null, isWhole: false });
  expect(find(fields, 'precision')).toMatchObject({ kind: 'choice', options: ['f64', 'f32'] });
  expect(find(fields, 'islands.async')).toMatchObject({ kind: 'switch' });
  expect(find(fields, 'islands.remote')).toMatchObject({ kind: 'text', empty: null });
  expect(find(fields, 'islands.migration')).toMatchObject({ kind: 'group', empty: null });
  expect(find(fields, 'space.setup.ops')).toMatchObject({ kind: 'list' });
  expect(find(fields, 'search.initial')).toMatchObject({ kind: 'list' });
  expect(find(fields, 'islands.vary')).toMatchObject({ kind: 'json' });
  expect(find(fields, 'search.mutationProbability')?.title).toBe('mutation probability');
});

it('changes one value and leaves the others', () => {
  const before = { a: { b: 1, c: 2 }, d: 3 };
  expect(setAt(before, ['a', 'b'], null)).toEqual({ a: { b: null, c: 2 }, d: 3 });
  expect(setAt(before, ['a', 'b'], undefined)).toEqual({ a: { c: 2 }, d: 3 });
  expect(setAt(before, ['e', 'f'], 4)).toEqual({ ...before, e: { f: 4 } });
  expect(getAt(before, ['a', 'c'])).toBe(2);
  expect(getAt(before, ['d', 'x'])).toBeUndefined();
  expect(before).toEqual({ a: { b: 1, c: 2 }, d: 3 });
});

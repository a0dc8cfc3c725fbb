import { expect, it } from 'vitest';
import { flattenSettings } from './flatten-settings.js';

it('names every value by its path', () => {
  const settings = flattenSettings({
    seed: 1,
    search: { initial: ['empty'], hurdles: null },
    list: [{ a: 1 }],
    none: {},
  });
  expect(settings).toEqual([
    { path: 'seed', value: '1' },
    { path: 'search.initial', value: 'empty' },
    { path: 'search.hurdles', value: 'none' },
    { path: 'list', value: '[{"a":1}]' },
    { path: 'none', value: '{}' },
  ]);
});

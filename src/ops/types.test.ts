// A missing or wrong piece of a row is a compile error: `npm run check` fails if one of these lines compiles.
import { expect, it } from 'vitest';
import type { OpRow } from './types.js';

const about = '';

it('rows must be whole', () => {
  const rows: OpRow[] = [
    { id: 0, name: 'a', shape: 'map1', fn: 'abs', text: 's = abs(s)', about },
    // @ts-expect-error: a map without a function
    { id: 0, name: 'a', shape: 'map1', text: 's = abs(s)', about },
    // @ts-expect-error: a function that no engine has
    { id: 0, name: 'a', shape: 'map1', fn: 'cube', text: 's = cube(s)', about },
    // @ts-expect-error: a shape that no engine has
    { id: 0, name: 'a', shape: 'sort', text: 'v = sort(v)', about },
    // @ts-expect-error: random numbers without both constants
    { id: 0, name: 'a', shape: 'fillRandom', fn: 'uniform', constants: [], text: 's = uniform(c, c)', about },
    // @ts-expect-error: no text
    { id: 0, name: 'a', shape: 'transpose', about },
    // @ts-expect-error: no meaning
    { id: 0, name: 'a', shape: 'transpose', text: 'm = transpose(m)' },
  ];
  expect(rows).toHaveLength(7);
});

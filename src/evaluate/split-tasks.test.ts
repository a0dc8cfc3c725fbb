import { expect, test } from 'vitest';
import { splitTasks } from './split-tasks.js';

test('few large tasks are evaluated together, and many small ones', () => {
  const places = [...Array(25).keys()];
  const small = { features: 16, trainCount: 1000, validCount: 100 };
  expect(splitTasks(small, places).map(({ length }) => length)).toEqual([10, 10, 5]);
  const large = { features: 3072, trainCount: 8000, validCount: 2000 };
  expect(splitTasks(large, places).map(({ length }) => length)).toEqual(places.map(() => 1));
  expect(splitTasks(small, places).flat()).toEqual(places);
});

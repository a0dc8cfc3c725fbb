import { expect, it } from 'vitest';
import { parseRoute, routeTo } from './route.js';

it('finds again what it wrote, whatever is in it', () => {
  const name = '<img src=x onerror="a/b?c#d%">';
  const address = routeTo(['runs', name], { step: '3', tab: '', other: undefined });
  expect(parseRoute(address)).toEqual({ path: ['runs', name], query: { step: '3' } });
});

it('reads an empty and a broken address', () => {
  expect(parseRoute('')).toEqual({ path: [], query: {} });
  expect(parseRoute('#/runs/50%')).toEqual({ path: ['runs', '50%'], query: {} });
});

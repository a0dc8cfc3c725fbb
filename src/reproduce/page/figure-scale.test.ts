import { expect, test } from 'vitest';
import type { Axis } from '../findings.js';
import { isWithin, makeScale, spanAxis } from './figure-scale.js';

function labels(axis: Partial<Axis>, values: readonly number[], most = 5): string[] {
  const span = spanAxis({ label: '', ...axis }, values);
  return makeScale(span, 0, 100, most).ticks.map(({ label }) => label);
}

test('ticks are round numbers with the same decimals', () => {
  expect(labels({}, [0.21, 0.58])).toEqual(['0.2', '0.3', '0.4', '0.5', '0.6']);
  expect(labels({}, [0, 20_000])).toEqual(['0', '5,000', '10,000', '15,000', '20,000']);
  expect(labels({}, [-0.02, 0.03])).toEqual(['−0.02', '0', '0.02']);
  expect(labels({}, [0, 4_000_000])).toEqual(['0', '1M', '2M', '3M', '4M']);
  expect(labels({}, [0, 4e-9])).toEqual(['0', '1e−9', '2e−9', '3e−9', '4e−9']);
});

test('logarithmic ticks are powers of ten, or steps between them where there are few', () => {
  expect(labels({ log: true }, [1, 1e6], 8)).toEqual(['1', '10', '100', '1k', '10k', '100k', '1M']);
  expect(labels({ log: true }, [1, 1e6], 4)).toEqual(['1', '100', '10k', '1M']);
  expect(labels({ log: true }, [1e-7, 0.1], 4)).toEqual(['10⁻⁶', '10⁻⁴', '0.01']);
  expect(labels({ log: true }, [15, 70])).toEqual(['20', '50']);
  expect(labels({ log: true }, [30, 40])).toEqual(['30', '35', '40']);
});

test('an axis ends where it is told to, and elsewhere has room beyond its values', () => {
  const span = spanAxis({ label: '', from: 0.5 }, [0.6, 0.9]);
  expect(span.low).toBe(0.5);
  expect(span.high).toBeGreaterThan(0.9);
  expect(isWithin(0.4, span)).toBe(false);
  expect(isWithin(0.5, span)).toBe(true);
  // All values on the wrong side of the only end.
  expect(spanAxis({ label: '', from: 2 }, [1])).toMatchObject({ low: 2, high: 2.2 });
  expect(spanAxis({ label: '', to: 0 }, [1])).toMatchObject({ low: -0.5, high: 0 });
  // Ends in the wrong order.
  expect(spanAxis({ label: '', from: 1, to: 0 }, [])).toMatchObject({ low: 0, high: 1 });
});

test('values that cannot be negative begin at zero', () => {
  expect(spanAxis({ label: '' }, [0.01, 1]).low).toBe(0);
  expect(spanAxis({ label: '' }, [-1, -0.01]).high).toBe(0);
});

test.each([
  ['nothing', []],
  ['no numbers', [Number.NaN, Number.POSITIVE_INFINITY, undefined, null as unknown as number]],
  ['one value', [3]],
  ['zeros', [0, 0]],
  ['equal values', [0.1 + 0.2, 0.3]],
  ['extremes', [-1e308, 1e-308, 1e300]],
])('%s give an axis with finite places', (_, values) => {
  for (const log of [false, true]) {
    const span = spanAxis({ label: '', log }, values);
    const { at, ticks } = makeScale(span, 0, 100, 5);
    expect(span.low).toBeLessThan(span.high);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThan(20);
    for (const { value } of ticks) {
      expect(at(value)).toBeGreaterThanOrEqual(-0.001);
      expect(at(value)).toBeLessThanOrEqual(100.001);
    }
  }
});

test('only positive values have a place on a logarithmic axis', () => {
  expect(spanAxis({ label: '', log: true }, [-5, 0, 10, 1000]).low).toBeGreaterThan(5);
});

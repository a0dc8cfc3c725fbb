import { expect, test } from 'vitest';
import { count, durationText, fitnessText, gainText, percentText } from './number-text.js';

test('counts', () => {
  expect([0, 1, 12_345].map((n) => count(n, 'task'))).toEqual(['0 tasks', '1 task', '12,345 tasks']);
  expect(count(2, 'matrix', 'matrices')).toBe('2 matrices');
});

test('a fitness has the digits that tell it from 1', () => {
  const shown = [0, 0.5, 0.9999, 0.999999995, 0.9999999999987348, 1].map(fitnessText);
  expect(shown).toEqual(['0.000000', '0.500000', '0.999900', '0.9999999950', '0.9999999999987', '1']);
});

test('a fitness may be missing, or what files spell instead of no number', () => {
  expect(fitnessText(null)).toBe('none');
  expect(fitnessText('NaN' as unknown as number)).toBe('NaN');
});

test('gains keep two digits however small', () => {
  expect([0.25, 0.000231, 1.64e-7, 0, -0.125].map(gainText)).toEqual(['+0.25', '+0.00023', '+1.6e-7', '+0', '−0.13']);
});

test('percentages never say nothing or all of what is not', () => {
  const shown = [0, 0.0001, 0.051, 0.41, 0.994, 0.9996, 1].map(percentText);
  expect(shown).toEqual(['0%', '<0.1%', '5.1%', '41%', '99.4%', '>99.9%', '100%']);
});

test('durations', () => {
  const shown = [2.54, 99.9, 119.6, 3599.7, 7500, 36_000_000].map(durationText);
  expect(shown).toEqual(['2.5 s', '99.9 s', '2 min 0 s', '60 min 0 s', '2 h 5 min', '10,000 h 0 min']);
});

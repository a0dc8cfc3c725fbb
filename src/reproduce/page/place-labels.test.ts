import { expect, test } from 'vitest';
import { chooseSpot, spotsAround, textWidth, wrapText } from './place-labels.js';

const AREA = { x: 0, y: 0, width: 100, height: 60 };
const at = (x: number, y: number) => ({ x, y, width: 20, height: 10 });

test('texts break between words, and end with dots where they have no room', () => {
  const width = textWidth('linear model');
  expect(wrapText('linear model', width, 2)).toEqual(['linear model']);
  expect(wrapText('linear model with noise', width, 2)).toEqual(['linear model', 'with noise']);
  const [first, second] = wrapText('a linear model with very much noise and more', width, 2);
  expect(first).toBe('a linear');
  expect(second).toMatch(/^model.*…$/);
  expect(textWidth(second!)).toBeLessThanOrEqual(width);
});

test('a word that is too long breaks anyway, however little room there is', () => {
  expect(wrapText('abcdefgh', textWidth('abcd'), 3)).toEqual(['abcd', 'efgh']);
  expect(wrapText('abc', -5, 2)).toHaveLength(2);
  expect(wrapText('', 10, 2)).toEqual(['']);
});

test('a text goes where it covers nothing', () => {
  const spots = [
    { box: at(10, 10), cost: 0 },
    { box: at(50, 10), cost: 1 },
  ];
  expect(chooseSpot(spots, AREA, [], [])).toEqual(at(10, 10));
  expect(chooseSpot(spots, AREA, [], [{ x: 15, y: 15 }])).toEqual(at(50, 10));
  expect(chooseSpot(spots, AREA, [at(5, 5)], [])).toEqual(at(50, 10));
  // Marks may be covered where nothing else is left; texts may not.
  expect(chooseSpot(spots, AREA, [at(50, 10)], [{ x: 15, y: 15 }])).toEqual(at(10, 10));
  expect(chooseSpot(spots, AREA, [at(10, 10), at(50, 10)], [])).toBeUndefined();
});

test('no text leaves the area', () => {
  for (const mark of [
    { x: 0, y: 0 },
    { x: 100, y: 60 },
    { x: 98, y: 2 },
  ]) {
    const box = chooseSpot(spotsAround(mark, { width: 40, height: 15 }, []), AREA, [], []);
    expect(box).toBeDefined();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.x + 40).toBeLessThanOrEqual(100);
    expect(box!.y + 15).toBeLessThanOrEqual(60);
  }
});

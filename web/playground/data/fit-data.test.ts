import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../src/util/random.js';
import { dataHandlers, type FitNews } from './fit-data.js';

const random = new RandomStream(7);
const rows = Array.from({ length: 80 }, () => {
  const [a, b] = [random.gaussian(), random.gaussian()];
  return `${a},${b},${3 * a - b + 1}`;
});
const bytes = new TextEncoder().encode(['first,second,answer', ...rows].join('\n'));

describe('a table in the page', () => {
  it('is asked for before anything is done with it', () => {
    expect(() => dataHandlers.inspect({ target: 'answer' })).toThrow('choose a file first');
  });

  it('is read, described, and fitted', async () => {
    const summary = dataHandlers.read({ name: 'mine.csv', bytes });
    expect(summary).toMatchObject({ name: 'mine.csv', columns: ['first', 'second', 'answer'], rows: 80 });
    expect(summary.sample).toHaveLength(5);
    expect(dataHandlers.inspect({ target: 'answer' }).target.kind).toBe('regression');
    const news: FitNews[] = [];
    const options = { target: 'answer', seconds: 0, seed: 1, fromScratch: false };
    const result = await dataHandlers.fit(options, (each) => news.push(each));
    expect(result.scores.map(({ name }) => name)).toEqual(['evolved', 'linear regression', 'two-layer network']);
    expect(result.scores[0]!.score).toMatch(/^R² 0\.9|^R² 1/);
    expect(news.some((each) => each.type === 'best' && each.text.startsWith('def Setup'))).toBe(true);
    expect(news.some((each) => each.type === 'stage' && each.stage === 'selecting')).toBe(true);
  });

  it('ends its search when it is told to', async () => {
    const options = { target: 'answer', seconds: 600, seed: 1, fromScratch: true };
    // Otherwise it would go on for ten minutes.
    const { scores } = await dataHandlers.fit(options, () => dataHandlers.stop());
    expect(scores[0]!.name).toBe('evolved');
  });

  it('forgets a table when the next one cannot be read', () => {
    expect(() => dataHandlers.read({ name: 'bad.csv', bytes: new Uint8Array(0) })).toThrow('bad.csv: is empty');
    expect(() => dataHandlers.inspect({ target: 'answer' })).toThrow('choose a file first');
  });
});

import { describe, expect, it } from 'vitest';
import { asCount, asText, bestText, parseDescription, parseState } from './redis-replies.js';

const buffers = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const ID = '0123456789abcdef0123456789abcdef';
const GOOD = [ID, '1700000000000', '{}', '3', '1', '0.1.0'];

describe('replies', () => {
  it('are counts or nothing', () => {
    expect(asCount(Buffer.from('12'))).toBe(12);
    for (const reply of [Buffer.from('x'), Buffer.from('1e3'), Buffer.from('9'.repeat(16)), -1, 0.5, null, [1]]) {
      expect(asCount(reply)).toBe(0);
    }
  });

  it('are text only if they are UTF-8', () => {
    expect(asText(Buffer.from('ü'))).toBe('ü');
    expect(asText(Buffer.from([0xff]))).toBeUndefined();
    expect(asText(7)).toBeUndefined();
  });

  it('are states that give back what was written', () => {
    for (const best of [null, 0.1, -3, 1e-300]) {
      expect(parseState(`17 1 2 3 1 10 ${bestText(best)}`)).toEqual({ isDone: true, algorithms: 10, best });
    }
    expect(bestText(Number.NaN)).toBe('-');
    for (const text of ['', 'x', '17 1 2 3 2 10 -', '17 1 2 3 1 10 x', '17 1 2 3 1 99999999999999999 -']) {
      expect(parseState(text)).toBeUndefined();
    }
  });

  it('are descriptions with everything right', () => {
    expect(parseDescription(buffers(...GOOD), 10)).toEqual({
      id: ID,
      created: 1_700_000_000_000,
      config: '{}',
      islands: 3,
      format: 1,
      evozero: '0.1.0',
    });
    for (const [k, bad] of ['x', '-1', '{', '11', 'x', 'x'.repeat(101)].entries()) {
      expect(parseDescription(buffers(...GOOD.with(k, bad)), 10), `field ${k}`).toBeUndefined();
    }
    expect(parseDescription(buffers(...GOOD.with(3, '0')), 10)).toBeUndefined();
    expect(parseDescription(null, 10)).toBeUndefined();
  });
});

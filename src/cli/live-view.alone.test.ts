import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BEGUN } from '../../tests/support/run-status.js';
import { isInBackground } from './keys.js';
import { View } from './live-view.js';

vi.mock('./keys.js', () => ({ isInBackground: vi.fn(() => false) }));

const ESCAPE = '\u001b';
/** What erases lines, or moves up to them. */
const UPWARDS = new RegExp(`${ESCAPE}\\[\\d*[AFK]`);

describe('the view on a terminal', () => {
  const { isTTY } = process.stderr;
  let written = '';
  let view: View;
  let seconds = 0;

  /** What it writes when a status is shown. */
  const show = async (change: Partial<typeof BEGUN> = {}): Promise<string> => {
    written = '';
    seconds += 1;
    view.show(seconds, () => ({ ...BEGUN, algorithms: seconds, ...change }));
    await new Promise(setImmediate);
    return written;
  };

  beforeEach(() => {
    vi.mocked(isInBackground).mockReturnValue(false);
    process.stderr.isTTY = true;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
    view = new View();
  });

  afterEach(() => {
    view.finish();
    vi.restoreAllMocks();
    process.stderr.isTTY = isTTY;
  });

  test('is drawn over itself', async () => {
    expect(await show()).not.toMatch(UPWARDS);
    expect(await show()).toMatch(UPWARDS);
  });

  test('is not drawn in the background, and anew after it, below what is there', async () => {
    await show();
    vi.mocked(isInBackground).mockReturnValue(true);
    expect(await show()).toBe('');
    expect(await show()).toBe('');
    vi.mocked(isInBackground).mockReturnValue(false);
    const anew = await show();
    expect(anew).toContain(BEGUN.title);
    expect(anew).not.toMatch(UPWARDS);
  });

  test('is drawn anew after the process was stopped, also if that is heard of only after the status was shown', async () => {
    await show();
    const drawing = show();
    process.emit('SIGCONT', 'SIGCONT');
    const anew = await drawing;
    expect(anew).toContain(BEGUN.title);
    expect(anew).not.toMatch(UPWARDS);
  });

  test('is drawn whole where its height changes', async () => {
    await show();
    expect(await show()).not.toContain(BEGUN.title);
    const program = 'def Setup():\n\ndef Predict(v0):\n  s1 = mean(v0)\n\ndef Learn(v0, s0):\n';
    expect(await show({ program, bestFitness: 0.5 })).toContain(BEGUN.title);
  });

  test('goes away at the end, but not in the background', async () => {
    await show();
    written = '';
    view.finish();
    expect(written).toMatch(UPWARDS);
    view = new View();
    await show();
    written = '';
    vi.mocked(isInBackground).mockReturnValue(true);
    view.finish();
    expect(written).toBe('');
  });

  test('is not drawn any more after the end', async () => {
    view.show(100, () => BEGUN);
    view.finish();
    written = '';
    await new Promise(setImmediate);
    expect(written).toBe('');
  });
});

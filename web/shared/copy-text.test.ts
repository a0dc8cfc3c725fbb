import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy-text.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('puts a text on the clipboard', async () => {
  const texts: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void texts.push(text) } });
  expect(await copyText('a program')).toBe(true);
  expect(texts).toEqual(['a program']);
});

it('says no where there is no clipboard, or one that may not be used', async () => {
  vi.stubGlobal('navigator', {});
  expect(await copyText('a program')).toBe(false);
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('not allowed')) } });
  expect(await copyText('a program')).toBe(false);
});

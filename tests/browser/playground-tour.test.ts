// The guided tour of the playground, in a real Chromium: every screen has something to do, and the engine does it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keepScreenshot } from '../support/browser.js';
import { readCount, readFigure, usePlayground } from '../support/playground.js';

const { open, addressOf } = usePlayground();

/** Script: the next request to a worker is answered with an error. */
const refuseNextCall = `(() => {
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function ({ id }) {
    Worker.prototype.postMessage = send;
    this.dispatchEvent(new MessageEvent('message', { data: { id, error: { name: 'Error', message: 'refused' } } }));
  };
})()`;

/** The fitness on the bar of the page. */
const readBar = (page: Page, name: string) =>
  page.getByTestId('fitness-bar').filter({ hasText: name }).locator('b').textContent();

describe('the tour', () => {
  it('goes from screen to screen by arrow keys and links', async () => {
    const { page, complaints } = await open('tour');
    const titles: (string | null)[] = [];
    for (let screen = 1; screen <= 7; screen++) {
      await expect.poll(() => page.locator('[aria-current="step"] .step-number').textContent()).toBe(String(screen));
      titles.push(await page.getByRole('heading', { level: 1 }).textContent());
      await page.keyboard.press('ArrowRight');
    }
    expect(new Set(titles).size).toBe(7);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(titles[5]);
    await page.locator('a[rel="prev"]').click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(titles[4]);
    expect(page.url()).toMatch(/#\/tour\/5$/);
    expect(complaints).toEqual([]);
  });

  it('leaves arrow keys to what they scroll', async () => {
    const { page, complaints } = await open('tour/7', { viewport: { width: 1000, height: 900 } });
    const program = page.locator('.program');
    await program.waitFor();
    const [width, inner] = await program.evaluate((element) => [element.clientWidth, element.scrollWidth]);
    expect(inner).toBeGreaterThan(width!);
    const scrolled = () => program.evaluate((element) => element.scrollLeft);
    await program.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(scrolled).toBeGreaterThan(0);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(scrolled).toBe(0);
    expect(page.url()).toMatch(/#\/tour\/7$/);
    await program.blur();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.url()).toMatch(/#\/tour\/6$/);
    expect(complaints).toEqual([]);
  });

  it('can be tried again when something fails', async () => {
    const { page, complaints } = await open('tour/4');
    const again = async (name: string) => {
      const button = page.getByRole('button', { name });
      await expect.poll(() => button.isEnabled()).toBe(true);
      const before = complaints.length;
      await page.evaluate(refuseNextCall);
      await button.click();
      await expect.poll(() => complaints.slice(before)).toEqual(['refused']);
      await expect.poll(() => button.isEnabled()).toBe(true);
    };
    await again('1 more');
    await page.getByRole('button', { name: '1 more' }).click();
    await expect.poll(() => readFigure(page, 'Programs so far')).toBe('101');
    await page.goto(addressOf('tour/5'));
    await again('Search through 50,000 programs');
  });

  it('program: a line that is switched off is missed', async () => {
    const { page, complaints } = await open('tour/1');
    const fitness = () => readBar(page, 'Fitness');
    await expect.poll(fitness).toMatch(/^1 − /);
    await page.getByLabel('update of the weights').uncheck();
    await expect.poll(fitness).toMatch(/^0\.[0-5]/);
    await page.getByLabel('update of the weights').check();
    await expect.poll(fitness).toMatch(/^1 − /);
    expect(complaints).toEqual([]);
  });

  it('evaluation: memory learns, example by example', async () => {
    const { page, complaints } = await open('tour/2');
    await page.getByRole('button', { name: '100 examples' }).click();
    await expect.poll(() => readFigure(page, 'Examples learned')).toBe('100');
    expect(Number(await readFigure(page, 'Error'))).toBeLessThan(0.1);
    await keepScreenshot(page, 'playground-tour-evaluation');
    expect(complaints).toEqual([]);
  });

  it('mutation: few mutants of many are better', async () => {
    const { page, complaints } = await open('tour/3');
    await page.getByRole('button', { name: 'Mutate' }).click();
    await page.getByTestId('mutation').waitFor();
    await page.getByRole('button', { name: 'Try 500 mutants' }).click();
    await page.getByTestId('tally').waitFor();
    const shares = await page.getByTestId('tally').getByRole('listitem').allTextContents();
    const [better, same, worse] = shares.map((share) => Number(/(\d+) mutant/.exec(share)![1]));
    expect(better! + same! + worse!).toBe(500);
    expect(better).toBeGreaterThan(0);
    expect(worse).toBeGreaterThan(better!);
    expect(complaints).toEqual([]);
  });

  it('evolution: a population finds it', async () => {
    const { page, complaints } = await open('tour/4');
    await expect.poll(() => readFigure(page, 'Programs so far')).toBe('100');
    expect(
      await page
        .getByRole('list', { name: /^100 programs/ })
        .getByRole('listitem')
        .count(),
    ).toBe(100);
    const before = Number(await readFigure(page, 'Best fitness'));
    await page.getByRole('button', { name: '100,000 more' }).click();
    await expect.poll(() => readFigure(page, 'Programs so far')).toBe('100,100');
    expect(before).toBeLessThan(0.6);
    expect(Number(await readFigure(page, 'Best fitness'))).toBeGreaterThan(0.99);
    await keepScreenshot(page, 'playground-tour-evolution');
    expect(complaints).toEqual([]);
  });

  it('fingerprints: disguises are seen through', async () => {
    const { page, complaints } = await open('tour/5');
    const verdict = () => page.getByTestId('verdict').locator('.badge').allTextContents();
    const shown: Record<string, string[]> = {
      'other names': ['same form', 'same fingerprint'],
      'useless lines': ['same form', 'same fingerprint'],
      'a detour': ['another form', 'same fingerprint'],
      'another constant': ['another form', 'another fingerprint'],
    };
    for (const [variant, badges] of Object.entries(shown)) {
      await page.getByText(variant, { exact: true }).click();
      await expect.poll(verdict).toEqual(badges);
    }
    await page.getByRole('button', { name: 'Search through 50,000 programs' }).click();
    await page.getByText('50,000', { exact: true }).waitFor();
    const shares = await page.locator('.judgements li').allTextContents();
    const counts = shares.map((share) => Number(/([\d,]+)$/.exec(share)![1]!.replaceAll(',', '')));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50_000);
    expect(complaints).toEqual([]);
  });

  it('hurdles: a low one saves work, a high one loses good programs', async () => {
    const { page, complaints } = await open('tour/6');
    const slider = page.getByRole('slider');
    const lost = () => readCount(page, 'Lost, though good (above 0.9)');
    await page.getByTestId('hurdle-outcome').getByText('of 300').waitFor();
    await slider.fill('0.42');
    await expect.poll(lost).toBe(0);
    expect(Number.parseInt(await readFigure(page, 'Work saved'), 10)).toBeGreaterThan(50);
    await slider.fill('0.8');
    await expect.poll(lost).toBeGreaterThan(0);
    await keepScreenshot(page, 'playground-tour-hurdles');
    expect(complaints).toEqual([]);
  });

  it('discovery: techniques show their lines, and the program can be taken apart', async () => {
    const { page, complaints } = await open('tour/7');
    for (const name of ['logistic regression', 'a network of two layers', 'what was discovered']) {
      await expect.poll(() => readBar(page, name)).toMatch(/^9\d\.\d%$/);
    }
    await page.getByRole('button', { name: 'normalized gradient' }).click();
    expect(await page.locator('.line.marked').count()).toBeGreaterThan(0);
    await keepScreenshot(page, 'playground-tour-discovery');
    await page.getByRole('button', { name: 'Open as program' }).click();
    expect(await page.getByLabel('Name of the program').inputValue()).toBe('paper/evolved');
    expect(await page.getByRole('combobox', { name: 'Tasks' }).inputValue()).toBe('two digits');
    expect(complaints).toEqual([]);
  });
});

// Searches in the playground, in a real Chromium and under a strict policy: they find what Node finds, go step by step, and are shared.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Config, parseConfig } from '../../src/experiment/config.js';
import type { RunResult } from '../../src/experiment/events.js';
import { presets } from '../../src/experiment/presets.js';
import { search } from '../../src/experiment/search.js';
import { keepScreenshot, openPage } from '../support/browser.js';
import { readCount, usePlayground } from '../support/playground.js';

const { open, openShared, browser } = usePlayground();

/** That of the page, for those who only press the button. */
const FIRST_SEED = 4;

const readAlgorithms = (page: Page) => readCount(page, 'Algorithms tried');

async function searchInNode(config: Config): Promise<RunResult> {
  for await (const event of search(config)) if (event.type === 'end') return event.result;
  throw new Error('the search has no end');
}

/** The numbers behind the bar that says how programs were judged, by their names. */
async function readJudgements(page: Page): Promise<Record<string, number>> {
  const items = await page.locator('.chart-card .judgements li').allTextContents();
  return Object.fromEntries(
    items.map((item) => {
      const [, name, count] = /^(.*?) [<>]?[\d.]+% ([\d,]+)$/.exec(item)!;
      return [name!, Number(count!.replaceAll(',', ''))];
    }),
  );
}

async function expectSameAsNode(page: Page, result: RunResult): Promise<void> {
  const outcome = await page.getByTestId('outcome').textContent();
  expect(outcome).toContain(`${result.algorithms.toLocaleString('en-US')} algorithm`);
  expect(await readAlgorithms(page)).toBe(result.algorithms);
  expect(await readJudgements(page)).toEqual({
    'known form': result.counts.canonicalHits,
    'known fingerprint': result.counts.fingerprintHits,
    'evaluated in full': result.counts.evaluated,
  });
  await page.getByText('Try the program').click();
  await expect.poll(() => page.getByLabel('Text of the program').inputValue()).toBe(result.simplified);
}

describe('a search', () => {
  it('invents linear regression, as Node does with the same seed', async () => {
    const config = parseConfig({
      ...presets.linear,
      seed: FIRST_SEED,
      islands: { ...presets.linear.islands, count: 1 },
    });
    const expected = searchInNode(config);
    const { page, complaints } = await open('search');
    await keepScreenshot(page, 'playground-start');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Discovered', { exact: true }).waitFor();
    expect(await page.locator('.callouts').textContent()).toContain('stochastic gradient descent');
    await keepScreenshot(page, 'playground-discovered');
    const result = await expected;
    expect(result.success).toBe(true);
    await expectSameAsNode(page, result);
    expect(complaints).toEqual([]);
  });

  it('with several workers finds what Node finds with as many islands', async () => {
    const config = parseConfig({
      ...presets.linear,
      seed: 5,
      islands: { count: 2 },
      search: { ...presets.linear.search, population: 100 },
      stop: { algorithms: 6000 },
    });
    const { page, complaints } = await openShared({ kind: 'search', config });
    await page.getByText('2 islands, at full speed').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await expectSameAsNode(page, await searchInNode(config));
    expect(complaints).toEqual([]);
  });

  it('goes step by step, pauses and stops', async () => {
    const { page, complaints } = await open('search');
    const algorithms = () => readAlgorithms(page);
    for (const count of [1, 2, 3]) {
      await page.getByRole('button', { name: 'One algorithm' }).click();
      await expect.poll(algorithms).toBe(count);
      await expect.poll(() => page.getByTestId('last').textContent()).toContain(`Algorithm ${count} `);
    }
    await page.getByRole('button', { name: 'Until better' }).click();
    await page.getByText('is better than all before.').waitFor();
    expect(await algorithms()).toBeGreaterThan(3);
    await page.getByText('3 per second').click();
    const before = await algorithms();
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(algorithms).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    const still = await algorithms();
    await page.waitForTimeout(1000);
    expect(await algorithms()).toBe(still);
    await keepScreenshot(page, 'playground-paused');
    await page.getByRole('button', { name: 'Stop and evaluate' }).click();
    await page.getByText('Not discovered this time').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(algorithms).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('is not started with settings that cannot be', async () => {
    const { page } = await open('search');
    await page.getByText('All settings', { exact: true }).click();
    const text = page.getByLabel('All settings, as YAML');
    const right = await text.inputValue();
    await text.fill(right.replace('population: 1000', 'population: 0'));
    await page.getByText(/^settings:\d+:\d+: search\.population: expected a whole number/).waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await text.fill(right.replace('set: linear-search', 'set: cifar10-binary-search'));
    await page.getByText(/is read from files, and a page has none/).waitFor();
    await text.fill(right.replace('population: 1000', 'population: 60'));
    await expect.poll(() => page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(false);
    await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('digits');
    expect(await text.inputValue()).toContain('digits-binary-search');
  });

  it('is shared with its seed and its settings', async () => {
    const { page, complaints } = await open('search');
    await page.getByRole('combobox', { name: 'Search', exact: true }).selectOption('affine');
    await page.getByLabel('Seed').fill('77');
    await page.getByRole('button', { name: 'Share' }).click();
    const { page: other } = await openPage(browser(), await page.getByLabel('Link to this').inputValue());
    await expect.poll(() => other.getByLabel('Seed').inputValue()).toBe('77');
    for (const each of [page, other]) await each.getByText('All settings', { exact: true }).click();
    const settings = page.getByLabel('All settings, as YAML');
    expect(await other.getByLabel('All settings, as YAML').inputValue()).toBe(await settings.inputValue());
    expect(complaints).toEqual([]);
  });
});

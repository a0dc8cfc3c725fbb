// Somebody's own table in the playground, in a real Chromium: dropped, read, fitted, and never more than text on the page.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/util/random.js';
import { keepScreenshot } from '../support/browser.js';
import { usePlayground } from '../support/playground.js';

const { open } = usePlayground();

const HOSTILE = '<img src=x onerror="document.title=1">';

/** A number to be predicted from two, and a column whose name is HTML. */
function makeTable(): string {
  const random = new RandomStream(3);
  const rows = Array.from({ length: 120 }, () => {
    const [a, b] = [random.gaussian(), random.gaussian()];
    return `${a},${b},<b>x</b>,${2 * a - b + 0.5 + 0.1 * random.gaussian()}`;
  });
  return [`first,second,"${HOSTILE.replaceAll('"', '""')}",answer`, ...rows].join('\n');
}

/** As somebody drops a file from the desktop. `content` is JavaScript: large files are made in the page. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const file = `new File([${content}], ${JSON.stringify(name)})`;
  const transfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(${file}); return data; })()`,
  );
  await page.getByTestId('drop').dispatchEvent('dragover', { dataTransfer: transfer });
  await page.getByTestId('drop').dispatchEvent('drop', { dataTransfer: transfer });
}

describe('a table', () => {
  it('is dropped, searched on, and compared with what people know', async () => {
    const { page, complaints } = await open('data');
    await drop(page, `${HOSTILE}.csv`, JSON.stringify(makeTable()));
    await page.getByText('To predict: a number').waitFor();
    const names = await page.getByRole('columnheader').allTextContents();
    expect(names).toEqual(['answer', 'first', 'second', HOSTILE]);
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toMatch(/^<img src=x/);
    await page.getByText('5 s', { exact: true }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'Text of the best program so far' }).waitFor();
    await page.getByRole('button', { name: 'Stop searching' }).click();
    const scores = page.getByTestId('scores');
    await scores.waitFor();
    expect(await scores.getByRole('rowheader').allTextContents()).toEqual([
      'evolved',
      'linear regression',
      'two-layer network',
    ]);
    // It began with a linear model, and this is one.
    expect(await scores.getByRole('row').first().textContent()).toMatch(/R² 0\.9/);
    await keepScreenshot(page, 'playground-data');
    await page.getByRole('button', { name: 'Open as program' }).click();
    await page.getByRole('heading', { name: 'Take a program apart' }).waitFor();
    expect(await page.getByLabel('Name of the program').inputValue()).toBe('evolved for answer');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toContain('evozero');
    expect(complaints).toEqual([]);
  });

  it('that cannot be read is refused with a reason, and another can be tried', async () => {
    const { page, complaints } = await open('data');
    const choose = page.getByLabel('choose one');
    const alert = page.getByRole('alert');
    await choose.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from([0x50, 0x4b, 0, 0]) });
    await expect.poll(() => alert.textContent()).toMatch(/a\.csv: .*not a text file/);
    await choose.setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n3\n') });
    await expect.poll(() => alert.textContent()).toBe('b.csv:3: 1 cell, the header has 2');
    await drop(page, 'c.csv', 'new Uint8Array(21 * 2 ** 20)');
    await expect.poll(() => alert.textContent()).toContain('more than 20 MB');
    await page.getByRole('button', { name: 'wine.csv' }).click();
    await page.getByText('To predict: one of several classes').waitFor();
    expect(await alert.count()).toBe(0);
    await page.getByLabel('Predict').selectOption('alcohol');
    await page.getByText('To predict: a number').waitFor();
    expect(complaints).toEqual([]);
  });

  it('of the page that cannot be loaded has a reason, and can be tried again', async () => {
    // A service worker would have it.
    const { page, complaints } = await open('data', { serviceWorkers: 'block' });
    const wine = page.getByRole('button', { name: 'wine.csv' });
    const alert = page.getByRole('alert');
    await page.route('**/*.csv', (route) => route.abort());
    await wine.click();
    await expect.poll(() => alert.textContent()).toBe('wine.csv: could not be loaded; is there a connection?');
    await page.unroute('**/*.csv');
    await page.route('**/*.csv', (route) => route.fulfill({ status: 404 }));
    await wine.click();
    await expect.poll(() => alert.textContent()).toBe('wine.csv: could not be loaded; the server answered 404');
    await page.unroute('**/*.csv');
    await wine.click();
    await page.getByText('To predict: one of several classes').waitFor();
    expect(await alert.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

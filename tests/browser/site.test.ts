// The site in a real Chromium, from a disk and from a server below a path: in the light and in the dark, on a wide screen and on a phone.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { buildSite } from '../../scripts/site/build.js';
import { findBarriers, keepScreenshot, openPage, sidewaysScroll, startBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/folders.js';
import { serveFolder } from '../support/static-server.js';

const browser = await startBrowser();
const host = temporaryFolder();
buildSite(join(host, 'some/path'));
const onDisk = (page: string) => pathToFileURL(join(host, 'some/path', page)).href;

const PHONE = { width: 390, height: 844 };

describe('the site', () => {
  it.each(['index', 'architecture', 'tutorials/new-op', 'reference/config'])(
    '%s can be read by everybody, from a disk',
    async (name) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, complaints } = await openPage(browser, onDisk(`${name}.html`), { colorScheme });
        // Before axe, which asks for the style sheet once more in a way that is not allowed from a disk.
        expect(complaints).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        expect(await findBarriers(page)).toEqual([]);
        await keepScreenshot(page, `site-${name.replace('/', '-')}-${colorScheme}`);
      }
      const phone = await openPage(browser, onDisk(`${name}.html`), { viewport: PHONE });
      expect(await sidewaysScroll(phone.page)).toBe(0);
      await keepScreenshot(phone.page, `site-${name.replace('/', '-')}-phone`);
    },
  );

  it('can be walked through below a path of a strict server', async () => {
    const server = await serveFolder(host);
    onTestFinished(() => server.close());
    const { page, complaints } = await openPage(browser, `${server.address}/some/path/index.html`, { viewport: PHONE });
    await page.getByRole('link', { name: 'Contents' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'A new op' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('A new op');
    await page.getByRole('link', { name: 'next' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('A new family of tasks');
    await page.getByRole('link', { name: 'evozero', exact: true }).first().click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('evozero');
    const decode = "(async (image) => (await image.decode(), image.naturalWidth))(document.querySelector('main img'))";
    expect(await page.evaluate<number>(decode)).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});

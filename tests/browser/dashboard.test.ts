// The dashboard's page in a real Chromium, on runs that the real command has made: every view, recorded and live, in both themes and
// at several widths, with what is damaged or named with malice among the runs.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, keepScreenshot, openPage, sidewaysScroll, startBrowser } from '../support/browser.js';
import { compiled, evozero } from '../support/cli.js';
import { type DashboardProcess, launchDashboard, startDashboard } from '../support/dashboard.js';
import { emptyFolder, temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const EVIL = '<img src=x onerror=alert(1)>';
const WIDTHS = [390, 768, 1360, 1920];
const TABS = ['Program', 'Lineage', 'Islands', 'Evaluation', 'Settings and files'];

let browser: Browser;
let dashboard: DashboardProcess;

function makeRun(name: string, ...args: string[]): void {
  const { status, stderr } = evozero(['run', ...args, '--out', join(folder, name), '--json']);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}

beforeAll(async () => {
  compiled('cli/main.js');
  makeRun('linear-4', 'linear', '--seed', '4', '--workers', '1');
  const ablation = evozero(['ablate', join(folder, 'linear-4'), '--tasks', 'linear', '--count', '3', '--json']);
  writeFileSync(join(folder, 'linear-4', 'ablation.json'), ablation.stdout);
  makeRun('two-islands', 'digits', '--seed', '2', '--workers', '2', '--max-algorithms', '150000');
  cpSync(join(folder, 'linear-4'), join(folder, EVIL), { recursive: true });
  const config = join(folder, EVIL, 'config.json');
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), about: EVIL }));
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'config.json'), '{"format": 2, "seed": ');
  browser = await startBrowser();
  dashboard = await launchDashboard(folder);
});
afterAll(() => dashboard?.end());

async function openRun(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.locator('.chart canvas').waitFor();
}

const open = (path = '', options = {}) => openPage(browser, `${dashboard.url}${path}`, options);

describe('the list', () => {
  it('shows runs, sorts and filters them', async () => {
    const { page, complaints } = await open();
    const rows = page.locator('.runs tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole('button', { name: 'Name' }).click();
    expect(await rows.locator('th a').allTextContents()).toEqual([EVIL, 'broken', 'linear-4', 'two-islands']);
    await page.getByRole('button', { name: 'Name' }).click();
    expect((await rows.locator('th a').allTextContents())[0]).toBe('two-islands');
    await page.getByRole('searchbox').fill('islands finished');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByText('Other', { exact: true }).click();
    await expect.poll(() => rows.locator('th a').allTextContents()).toEqual(['broken']);
    expect(complaints).toEqual([]);
  });

  it('compares the runs that are ticked', async () => {
    const { page } = await open();
    await page.getByLabel('Compare two-islands').check();
    await page.getByLabel('Compare linear-4').check();
    await page.getByText('Compared runs').waitFor();
    await expect.poll(() => page.locator('.legend li').allTextContents()).toHaveLength(3);
    const legend = (await page.locator('.legend').textContent()) ?? '';
    expect(legend).toMatch(/linear-4 [01]\.\d+/);
    expect(legend).toMatch(/two-islands [01]\.\d+/);
    // The address keeps them.
    await page.reload();
    await page.getByText('Compared runs').waitFor();
    await keepScreenshot(page, 'dashboard-compare');
  });

  it('shows a damaged run as such, among the others', async () => {
    const { page } = await open();
    const row = page.locator('.runs tr', { hasText: 'broken' });
    await row.getByText('corrupt').waitFor();
    expect(await row.locator('.problem').textContent()).toContain('config.json');
    await row.getByRole('link').click();
    await page.getByText('This run cannot be read').waitFor();
    await keepScreenshot(page, 'dashboard-corrupt');
  });

  it('shows a run as soon as it is mended', async () => {
    const runs = emptyFolder();
    const run = join(runs, 'mended');
    cpSync(join(folder, 'linear-4'), run, { recursive: true });
    const config = readFileSync(join(run, 'config.json'), 'utf8');
    writeFileSync(join(run, 'config.json'), config.slice(0, 99));
    const { url } = await startDashboard(runs);
    const { page } = await openPage(browser, url);
    await page.getByRole('link', { name: 'mended' }).click();
    await page.getByText('This run cannot be read').waitFor();
    writeFileSync(join(run, 'config.json'), config);
    await page.locator('.chart canvas').waitFor();
    await page.getByText('This run cannot be read').waitFor({ state: 'detached' });
  });

  it('says so if there is no run', async () => {
    const { url } = await startDashboard(emptyFolder());
    const { page } = await openPage(browser, url);
    await page.getByText('There are no runs').waitFor();
  });
});

describe('a run', () => {
  it('has a chart with what techniques appeared', async () => {
    const { page, complaints } = await open();
    await openRun(page, 'linear-4');
    await page.locator('.callouts li').first().waitFor();
    expect(await page.locator('.callouts').textContent()).toContain('linear model');
    expect(await page.locator('.marks b:visible').count()).toBeGreaterThan(0);
    const legend = page.locator('.legend');
    expect(await legend.textContent()).toContain('mean of population');
    const atEnd = await legend.locator('.at').textContent();
    await page.getByRole('application').focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => legend.locator('.at').textContent()).not.toBe(atEnd);
    await page.locator('.u-over').hover({ position: { x: 30, y: 50 } });
    const hovered = await legend.locator('.at').textContent();
    expect(hovered).not.toBe(atEnd);
    expect(complaints).toEqual([]);
  });

  it('has the best program, raw and simplified, explained and drawn', async () => {
    const { page, complaints } = await open();
    await openRun(page, 'linear-4');
    const program = page.getByRole('region', { name: 'Best program', exact: true }).locator('.program');
    await program.waitFor();
    const simplified = readFileSync(join(folder, 'linear-4/best.simplified.alg'), 'utf8');
    const raw = readFileSync(join(folder, 'linear-4/best.alg'), 'utf8');
    const codeOf = async () =>
      (await program.locator('code').allTextContents()).map((line) => line.trimEnd()).join('\n');
    expect(await codeOf()).toBe(simplified.trimEnd());
    expect(await program.locator('i').allTextContents()).not.toEqual([]);
    await page.getByText('Raw', { exact: true }).click();
    await expect.poll(codeOf).toBe(raw.trimEnd());
    await page.getByLabel('Changes since its parent').check();
    await expect.poll(() => program.locator('ins, del').count()).toBeGreaterThan(0);
    expect(await page.locator('.flow svg text').allTextContents()).toContain('prediction');
    await page.getByRole('button', { name: 'linear model' }).click();
    await expect.poll(() => program.locator('.marked').count()).toBeGreaterThan(0);
    await keepScreenshot(page, 'dashboard-program-raw');
    expect(complaints).toEqual([]);
  });

  it('plays its lineage back', async () => {
    const { page, complaints } = await open();
    await openRun(page, 'linear-4');
    await page.getByRole('tab', { name: 'Lineage' }).click();
    const slider = page.getByRole('slider');
    const last = Number(await slider.getAttribute('max'));
    expect(last).toBeGreaterThan(2);
    expect(await slider.inputValue()).toBe(String(last));
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText('an initial program').waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await slider.fill(String(last));
    await expect.poll(() => page.locator('.play-back .program ins, .play-back p').count()).toBeGreaterThan(0);
    expect(await page.locator('.marks .played').isVisible()).toBe(true);
    await keepScreenshot(page, 'dashboard-lineage');
    expect(complaints).toEqual([]);
  });

  it('has islands, evaluation, settings and files', async () => {
    const { page, complaints } = await open();
    await openRun(page, 'two-islands');
    await page.getByRole('tab', { name: 'Islands' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Islands', exact: true }).locator('tbody tr').count())
      .toBe(2);
    await keepScreenshot(page, 'dashboard-islands');
    await page.getByRole('tab', { name: 'Evaluation' }).click();
    await page.getByText('Evaluated in full').waitFor();
    await page.getByText('Cut by a hurdle').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Hurdles' }).locator('tbody tr').count()).toBe(2);
    expect(await page.locator('.legend').textContent()).toContain('hurdle');
    await keepScreenshot(page, 'dashboard-evaluation');
    await page.getByRole('tab', { name: 'Settings and files' }).click();
    expect(await page.locator('pre').textContent()).toContain('evozero run digits --seed 2');
    await page.getByRole('searchbox').fill('search.population');
    await expect.poll(() => page.locator('.setting').count()).toBeGreaterThan(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^best\.alg/ }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(
      readFileSync(join(folder, 'two-islands/best.alg'), 'utf8'),
    );
    await keepScreenshot(page, 'dashboard-settings');
    expect(complaints).toEqual([]);
  });

  it('has its ablation, if somebody has made one', async () => {
    const { page } = await open();
    await openRun(page, 'linear-4');
    await page.getByRole('tab', { name: 'Evaluation' }).click();
    const rows = page.getByRole('region', { name: 'Ablation', exact: true }).locator('tbody tr');
    const { sections } = JSON.parse(readFileSync(join(folder, 'linear-4', 'ablation.json'), 'utf8'));
    await page.getByRole('button', { name: `Show all ${sections.length} parts` }).click();
    await expect.poll(() => rows.count()).toBe(sections.length);
    expect(await rows.first().textContent()).toContain(sections[0].label);
    await keepScreenshot(page, 'dashboard-ablation');
  });

  it('shows a name with HTML in it as text', async () => {
    const { page, complaints } = await open();
    let isFooled = false;
    page.on('dialog', () => {
      isFooled = true;
    });
    await openRun(page, EVIL);
    for (const name of TABS) {
      const tab = page.getByRole('tab', { name });
      if ((await tab.count()) > 0) await tab.click();
    }
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.getByText(EVIL).count()).toBeGreaterThan(0);
    expect(isFooled).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('says so if there is no such run', async () => {
    const { page } = await open('#/runs/nothing');
    await page.getByText('This run cannot be shown').waitFor();
  });
});

describe('for everybody', () => {
  it.each(['light', 'dark'] as const)('has no barriers in any view, in %s colours', async (colorScheme) => {
    const { page, complaints } = await open('', { colorScheme, reducedMotion: 'reduce' });
    await page.locator('.chart canvas').waitFor();
    await keepScreenshot(page, `dashboard-list-${colorScheme}`);
    const barriers = await findBarriers(page);
    await openRun(page, 'two-islands');
    for (const name of TABS) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel').waitFor();
      barriers.push(...(await findBarriers(page)));
      await keepScreenshot(page, `dashboard-${name.split(' ')[0]!.toLowerCase()}-${colorScheme}`);
    }
    expect(barriers).toEqual([]);
    expect(complaints).toEqual([]);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(18, 21, 24)' : 'rgb(246, 247, 248)');
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open();
    await page.locator('.runs tbody tr').first().waitFor();
    const focused = () =>
      page.evaluate<string>('document.activeElement.textContent || document.activeElement.ariaLabel');
    const tabTo = async (text: string) => {
      for (let k = 0; k < 60 && (await focused())?.trim() !== text; k++) await page.keyboard.press('Tab');
      expect((await focused())?.trim()).toBe(text);
    };
    // Past the bar at the top, to the content.
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await tabTo('Name');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).not.toBe('none');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.runs tbody th a').first().textContent()).toBe(EVIL);
    await tabTo('linear-4');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'linear-4' }).waitFor();
    await tabTo('Program');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Lineage' }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('tabpanel', { name: 'Settings and files' }).waitFor();
    await tabTo('Copy command');
  });

  it('has a switch for its colours, and remembers it', async () => {
    const { page } = await open('', { colorScheme: 'light' });
    await page.getByText('Dark', { exact: true }).click();
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await expect.poll(background).toBe('rgb(18, 21, 24)');
    await page.reload();
    await expect.poll(background).toBe('rgb(18, 21, 24)');
  });

  it.each(WIDTHS)('fits a window of %i pixels', async (width) => {
    const { page } = await open('', { viewport: { width, height: 844 } });
    await page.locator('.chart canvas').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    await keepScreenshot(page, `dashboard-list-${width}`);
    await openRun(page, 'two-islands');
    for (const name of TABS) {
      await page.getByRole('tab', { name }).click();
      expect({ name, scroll: await sidewaysScroll(page) }).toEqual({ name, scroll: 0 });
      if (name === 'Program' || name === 'Lineage')
        await keepScreenshot(page, `dashboard-${name.toLowerCase()}-${width}`);
    }
    // The ablation, which the other has none of.
    await page.getByRole('link', { name: 'All runs' }).click();
    await openRun(page, 'linear-4');
    await page.getByRole('tab', { name: 'Evaluation' }).click();
    await page.getByRole('region', { name: 'Ablation', exact: true }).locator('tbody tr').first().waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
  });
});

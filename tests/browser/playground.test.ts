// The playground in a real Chromium, served as static files under a strict policy: searches that find what Node finds, steps and pauses,
// and programs that are edited, mutated and trained.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interpreter } from '../../src/engine/interpreter.js';
import { type Config, parseConfig } from '../../src/experiment/config.js';
import type { RunResult } from '../../src/experiment/events.js';
import { presets } from '../../src/experiment/presets.js';
import { search } from '../../src/experiment/search.js';
import { builtin } from '../../src/program/builtin.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { TASK_CHOICES } from '../../web/playground/program/task-choices.js';
import { writeLink } from '../../web/playground/share/share-link.js';
import { type BuiltServer, serveBuilt } from '../../web/playground/testing/serve-built.js';
import { keepScreenshot, openPage, startBrowser } from '../support/browser.js';
import { compiled } from '../support/cli.js';

/** What another program does on this machine must not make a test fail. */
const PATIENCE = 240_000;

let browser: Browser;
let server: BuiltServer;

beforeAll(async () => {
  browser = await startBrowser();
  server = await serveBuilt(compiled('web'));
}, PATIENCE);
afterAll(() => server?.close());

async function open(path: string) {
  const opened = await openPage(browser, `${server.address}/playground/#/${path}`);
  opened.page.setDefaultTimeout(PATIENCE);
  return opened;
}

/** The lines of a program on the page, without comments. */
async function readProgram(page: Page, label: string): Promise<string> {
  const lines = await page.getByRole('region', { name: label, exact: true }).locator('.line code').allTextContents();
  return lines.map((line) => line.trimEnd()).join('\n');
}

async function readFigure(page: Page, label: string): Promise<string> {
  const figure = page.locator('.figures > div').filter({ has: page.getByText(label, { exact: true }) });
  return (await figure.locator('dd').textContent()) ?? '';
}

async function readAlgorithms(page: Page): Promise<number> {
  return Number((await readFigure(page, 'Algorithms tried')).replaceAll(',', ''));
}

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
    const config = parseConfig({ ...presets.linear, seed: 4, islands: { ...presets.linear.islands, count: 1 } });
    const expected = searchInNode(config);
    const { page, complaints } = await open('search');
    await keepScreenshot(page, 'playground-start');
    await page.getByLabel('Seed').fill('4');
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
    const { page, complaints } = await open(`share/${await writeLink({ kind: 'search', config })}`);
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
      await expect.poll(algorithms, { timeout: PATIENCE }).toBe(count);
      await expect.poll(() => page.getByTestId('last').textContent()).toContain(`Algorithm ${count} `);
    }
    await page.getByRole('button', { name: 'Until better' }).click();
    await page.getByText('is better than all before.').waitFor();
    const paused = await algorithms();
    const fitness = await readFigure(page, 'Best fitness');
    await page.getByRole('button', { name: 'Until better' }).click();
    await expect.poll(() => readFigure(page, 'Best fitness'), { timeout: PATIENCE }).not.toBe(fitness);
    expect(await algorithms()).toBeGreaterThan(paused);
    await page.getByText('3 per second').click();
    const before = await algorithms();
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(algorithms, { timeout: PATIENCE }).toBeGreaterThan(before);
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
    await page.getByLabel('Search', { exact: true }).selectOption('digits');
    expect(await text.inputValue()).toContain('digits-binary-search');
  });
});

describe('a program', () => {
  it('is measured as it is edited, and says where it is wrong', async () => {
    const { page, complaints } = await open('program');
    const editor = page.getByLabel('Text of the program');
    const score = () => page.getByTestId('score').locator('b').textContent();
    await page.getByTestId('score').waitFor();
    const right = await editor.inputValue();
    await editor.fill(right.replace('s1 = dot(v0, v1)', 's1 = dott(v0, v1)'));
    await expect
      .poll(() => page.getByTestId('mistake').textContent())
      .toMatch(/^Line \d+, column \d+: unknown op 'dott'.*dot/);
    expect(await page.locator('.gutter .wrong').textContent()).toBe('5');
    const before = await score();
    await editor.fill(right.replace('s2 = 0.05', 's2 = 0'));
    await expect.poll(score, { timeout: PATIENCE }).not.toBe(before);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => editor.inputValue()).toBe(right);
    await page.getByLabel('Tasks', { exact: true }).selectOption('ten digits');
    await page.getByText('a vector with one component for each class').waitFor();
    await page.getByLabel('Open a known program').selectOption('paper/evolved');
    await page.getByText('normalized gradient', { exact: true }).waitFor();
    await page.getByText('Diagram', { exact: true }).click();
    await page.locator('.flow svg').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is mutated, and what changed is shown and can be undone', async () => {
    const { page, complaints } = await open('program');
    const editor = page.getByLabel('Text of the program');
    const right = await editor.inputValue();
    await page.getByLabel('Kind of mutation').selectOption('insert');
    await page.getByRole('button', { name: 'Mutate' }).click();
    await expect.poll(() => page.getByTestId('mutation').textContent(), { timeout: PATIENCE }).toMatch(/Fitness .* → /);
    const changed = page.getByRole('region', { name: 'What the mutation changed' });
    expect(await changed.locator('ins').count()).toBe(1);
    expect((await editor.inputValue()).split('\n').length).toBe(right.split('\n').length + 1);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    expect(await editor.inputValue()).toBe(right);
    expect(complaints).toEqual([]);
  });

  it('is trained step by step, with the errors of the reference interpreter', async () => {
    const { page, complaints } = await open('program');
    const task = await (await openBuiltinTasks(TASK_CHOICES[0]!.request)).at(0);
    const { program } = builtin('paper/linear')!;
    const { trainErrors } = interpreter.prepare([task], { trace: true }).evaluate(program)[0]!.trace!;
    const shown = (error: number) => error.toPrecision(4);
    const error = () => readFigure(page, 'Error');
    await page.getByRole('button', { name: 'Next instruction' }).click();
    await expect.poll(() => page.locator('.cell.written').getAttribute('data-address')).toBe('s2');
    await page.getByRole('button', { name: '1 example', exact: true }).click();
    await expect.poll(error).toBe(shown(trainErrors[0]!));
    await page.getByRole('button', { name: '10 examples' }).click();
    await expect.poll(error).toBe(shown(trainErrors[10]!));
    await page.getByRole('button', { name: '100 examples' }).click();
    await expect.poll(error).toBe(shown(trainErrors[110]!));
    expect(await readFigure(page, 'Examples learned')).toBe('111');
    expect(await readProgram(page, 'The instruction that comes next')).toContain('def Predict(v0):');
    expect(await page.locator('.cell.v .bars rect').count()).toBe(12);
    await keepScreenshot(page, 'playground-program');
    expect(complaints).toEqual([]);
  });
});

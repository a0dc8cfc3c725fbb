// Single programs in the playground, in a real Chromium: they are edited, measured, mutated, trained and shared, and links from strangers
// do no harm.
import { describe, expect, it } from 'vitest';
import { interpreter } from '../../src/engine/interpreter.js';
import { presets } from '../../src/experiment/presets.js';
import { builtin } from '../../src/program/builtin.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { TASK_CHOICES } from '../../web/playground/program/task-choices.js';
import { writeLink } from '../../web/playground/share/share-link.js';
import { keepScreenshot, openPage } from '../support/browser.js';
import { readFigure, readProgram, usePlayground } from '../support/playground.js';

const { open, openShared, addressOf, browser } = usePlayground();

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
    await expect.poll(score).not.toBe(before);
    const undo = page.getByRole('button', { name: 'Undo' }).first();
    // What is typed at once is undone at once; how fast this types depends on the machine.
    while (await undo.isEnabled()) await undo.click();
    expect(await editor.inputValue()).toBe(right);
    await page.getByRole('combobox', { name: 'Tasks' }).selectOption('ten digits');
    await page.getByText('a vector with one component for each class').first().waitFor();
    await page.getByRole('button', { name: 'Mutate' }).click();
    await page.locator('.mutation-card .notice').getByText('a vector with one component for each class').waitFor();
    await page.getByRole('combobox', { name: 'Open a known program' }).selectOption('paper/evolved');
    await page.getByText('normalized gradient', { exact: true }).waitFor();
    await page.getByText('Diagram', { exact: true }).click();
    await page.locator('.flow svg').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is mutated, and what changed is shown and can be undone', async () => {
    const { page, complaints } = await open('program');
    const editor = page.getByLabel('Text of the program');
    const right = await editor.inputValue();
    await page.getByRole('combobox', { name: 'Kind of mutation' }).selectOption('insert');
    await page.getByRole('button', { name: 'Mutate' }).click();
    await expect.poll(() => page.getByTestId('mutation').textContent()).toMatch(/Fitness .* → /);
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

describe('a link', () => {
  const NAME = '<img src=x onerror="document.title=1"> ü';

  it('brings a program, its name and its tasks to somebody else', async () => {
    const { page, complaints } = await open('program');
    const text = (await page.getByLabel('Text of the program').inputValue()).replace('0.05', '0.0123');
    await page.getByLabel('Text of the program').fill(text);
    await page.getByLabel('Name of the program').fill(NAME);
    await page.getByRole('combobox', { name: 'Tasks' }).selectOption('affine');
    await page.getByRole('button', { name: 'Share' }).click();
    const link = await page.getByLabel('Link to this').inputValue();
    // A link to what was there before is no link to this.
    await page.getByLabel('Name of the program').fill('another');
    expect(await page.getByLabel('Link to this').count()).toBe(0);

    const { page: other, complaints: others } = await openPage(browser(), link);
    await expect.poll(() => other.getByLabel('Text of the program').inputValue()).toBe(text);
    expect(await other.getByLabel('Name of the program').inputValue()).toBe(NAME);
    expect(await other.getByRole('combobox', { name: 'Tasks' }).inputValue()).toBe('affine');
    expect(await other.locator('main img').count()).toBe(0);
    expect(await other.title()).toContain('evozero');
    expect([...complaints, ...others]).toEqual([]);
  });

  const program = { kind: 'program', name: 'mine', text: builtin('paper/linear')!.text, tasks: 'linear' };

  /** Texts behind `share/`, and what is said about them. */
  async function hostileLinks(): Promise<[string, RegExp][]> {
    const held = async (shared: unknown) => writeLink(shared as Parameters<typeof writeLink>[0]);
    const search = (changes: object) => held({ kind: 'search', config: { ...presets.linear, ...changes } });
    const files = { ...presets.linear.tasks, search: { set: 'cifar10-binary-search', count: 1 } };
    const good = await held(program);
    return [
      [good.slice(0, -30), /link is damaged/],
      ['%00!<script>alert(1)</script>', /link is damaged/],
      ['A'.repeat(1_000_000), /too long/],
      [await held({ ...program, text: '#'.repeat(5_000_000) }), /more than a program/],
      [await held({ ...program, v: 9 }), /version 9/],
      [await held({ ...program, text: 'def Setup():\n  s1 = <script>alert(1)</script>' }), /expected/],
      [await search({ seed: 'x' }), /seed/],
      [await search({ islands: { count: 1000 } }), /islands\.count/],
      [await search({ islands: { count: 9 } }), /at most 8/],
      [await search({ tasks: files }), /read from files/],
    ];
  }

  it('from a stranger that cannot be opened says why, and does nothing', async () => {
    const { page, complaints } = await open('search');
    for (const [link, reason] of await hostileLinks()) {
      await page.goto(addressOf(`share/${link}`));
      const alert = page.getByRole('alert').filter({ hasText: reason });
      await alert.waitFor();
      expect(await alert.textContent()).toMatch(/^This link cannot be opened: /);
      await page.getByText('Go to the search').click();
      await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('to a very long program does not hold up the page', async () => {
    const lines = Array.from({ length: 400 }, (_, k) => `  v${(k % 8) + 1} = v${(k * 5) % 7} + v${k % 3}`).join('\n');
    const text = `def Setup():\n\ndef Predict(v0):\n${lines}\n\ndef Learn(v0, s0):\n${lines}\n`;
    const { page, complaints } = await openShared({ ...program, text });
    await page.getByText('800 instructions: only up to 200 are explained').first().waitFor();
    await page.getByTestId('score').waitFor();
    expect(complaints).toEqual([]);
  });
});

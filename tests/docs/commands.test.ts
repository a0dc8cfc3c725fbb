// Every command in a Markdown file exists, with all of its flags, by the definitions that the command line itself uses.
import { expect, it } from 'vitest';
import { createCli } from '../../src/cli/main.js';
import { commandLines, evozeroProblem, lineProblem } from '../support/command-lines.js';
import { allPages, type MarkdownPage } from '../support/pages.js';

const cli = await createCli([]);
const pages = allPages();

const COMMAND = /^(evozero|npm|node) /;

function commandsOf({ blocks, spans }: MarkdownPage): { line: string; isWhole: boolean }[] {
  const samples = blocks.filter(({ language }) => ['sh', ''].includes(language));
  return [
    ...samples.flatMap(({ text }) => commandLines(text)).map((line) => ({ line, isWhole: true })),
    ...spans.map((line) => ({ line, isWhole: false })),
  ].filter(({ line }) => COMMAND.test(line));
}

it('has many to look at', () => {
  expect(pages.flatMap(commandsOf).length).toBeGreaterThan(100);
});

it.each(pages.map(({ path }) => path))('%s', (path) => {
  const lines = commandsOf(pages.find((page) => page.path === path)!);
  const problems = lines.map(({ line, isWhole }) => ({ line, problem: lineProblem(cli, line, isWhole) }));
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

it('finds what is wrong', () => {
  expect(evozeroProblem(cli, ['rum'])).toBe('there is no command rum');
  expect(evozeroProblem(cli, ['run', '--sed', '3'])).toBe('run has no flag --sed');
  expect(evozeroProblem(cli, ['run', '--seed'])).toBe('--seed of run has no value');
  expect(evozeroProblem(cli, ['run', 'linear', 'affine'])).toBe('run takes at most 1 arguments, not 2');
  expect(evozeroProblem(cli, ['eval', '--tasks', 'linear'])).toBe('eval needs PROGRAM');
  expect(evozeroProblem(cli, ['eval', 'paper/linear'])).toBe('eval needs --tasks');
  expect(lineProblem(cli, 'evozero eval', false)).toBeUndefined();
  expect(evozeroProblem(cli, ['presets', 'show', 'linear', '--json'])).toBeUndefined();
  expect(lineProblem(cli, 'npm run nothing')).toBe('package.json has no script nothing');
  expect(lineProblem(cli, 'node scripts/nothing.js')).toBe('there is no scripts/nothing.js');
  expect(lineProblem(cli, 'NAME=x npm start -- --wrong')).toBe('run has no flag --wrong');
});

// Samples in Markdown files are real: configurations are read as `evozero run` reads them, programs as every command does. `no-check`
// behind the language is for what a tutorial has first to make possible; its own test tries it.
import { expect, it } from 'vitest';
import { readConfig } from '../../src/experiment/config-text.js';
import { parseSource } from '../../src/program/parse.js';
import { allPages } from '../support/pages.js';

const blocks = allPages().flatMap(({ path, blocks }) => blocks.map((block) => ({ path, ...block })));

function readFile(path: string): string {
  throw new Error(`a sample names the file ${path}`);
}

const configs = blocks.filter(({ language, words }) => language === 'yaml' && !words.includes('no-check'));

it.each(configs.map(({ path, text }) => [path, text]))('a configuration in %s', (path, text) => {
  expect(readConfig(text, path, { readFile }).tasks.search.count).toBeGreaterThan(0);
});

/** What a sample leaves out; a block with such a line is no whole program. */
const LEFT_OUT = /^\s*\.\.\.$/m;

const programs = blocks.filter(
  ({ language, words, text }) =>
    language === 'alg' && /^(#|def )/.test(text) && !LEFT_OUT.test(text) && !words.includes('no-check'),
);

it.each(programs.map(({ path, text }) => [path, text]))('a program in %s', (_, text) => {
  const { program } = parseSource(text);
  expect(program.setup.length + program.predict.length + program.learn.length).toBeGreaterThan(0);
});

it('has samples to look at', () => {
  expect(configs.length).toBeGreaterThan(0);
  expect(programs.length).toBeGreaterThan(0);
});

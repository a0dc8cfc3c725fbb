// The README's samples are true.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtin } from '../../src/program/builtin.js';
import { parseSource } from '../../src/program/parse.js';
import { evozero, ROOT, temporaryFolder } from '../support/cli.js';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```(\w*)\n(.*?)```/gs)].map(([, language, text]) => ({ language, text: text! }));

it('the program in it is paper/linear', () => {
  const block = blocks.find(({ text }) => text.startsWith('def Setup'))!;
  expect(parseSource(block.text).program).toEqual(builtin('paper/linear')!.program);
});

it('the output in it is what the command prints', () => {
  const shown = blocks.find(({ text }) => text.startsWith('$ npm'))!.text.split('\n\n$ ')[0]!;
  const lines = shown.split('\n').slice(1);
  const { stdout } = evozero(['show', 'paper/evolved-raw']);
  expect(stdout.startsWith(lines.slice(0, lines.indexOf('  ...')).join('\n'))).toBe(true);
});

it('the library example runs', () => {
  const example = blocks.find(({ language }) => language === 'ts')!.text;
  const file = join(temporaryFolder(), 'example.mjs');
  const library = new URL('../../dist/index.js', import.meta.url).href;
  writeFileSync(file, example.replace("'evozero'", `'${library}'`).replaceAll('!', ''));
  const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
  expect(printed).toMatch(/^(0\.9999\d*|1) [0-9a-f]{16}\n$/);
});

// The README's samples are true.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtin } from '../../src/program/builtin.js';
import { parseSource } from '../../src/program/parse.js';
import { evozero, ROOT } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```(\w*)\n(.*?)```/gs)].map(([, language, text]) => ({ language, text: text! }));

it('the program in it is paper/linear', () => {
  const block = blocks.find(({ text }) => text.startsWith('def Setup'))!;
  expect(parseSource(block.text).program).toEqual(builtin('paper/linear')!.program);
});

it('the output in it is what the commands print', () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'mine.alg'),
    '# my model\ndef Setup():\n  s2 = 0.1\ndef Predict(v0):\n  s1 = dott(v0, v1)\n',
  );
  const samples = blocks
    .find(({ text }) => text.startsWith('$ npm'))!
    .text.trimEnd()
    .split(/^\$ /m)
    .slice(1);
  expect(samples).toHaveLength(4);
  for (const sample of samples) {
    const [command, ...lines] = sample.trimEnd().split('\n');
    const args = command!.replace('npm run evozero -- ', '').split(' ');
    const { stdout, stderr } = evozero(args, { cwd: folder });
    const cut = lines.indexOf('  ...');
    if (cut >= 0) expect(stdout.split('\n').slice(0, cut)).toEqual(lines.slice(0, cut));
    else expect([stdout.trimEnd().split('\n'), stderr.trimEnd().split('\n')]).toContainEqual(lines);
  }
});

it('the library examples run', () => {
  const run = (example: string) => {
    const file = join(temporaryFolder(), 'example.mjs');
    const library = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;
    const text = example
      .replace("'evozero'", `'${library('index.js')}'`)
      .replace("'evozero/data'", `'${library('data/index.js')}'`);
    writeFileSync(file, text.replaceAll('!', ''));
    return execFileSync(process.execPath, [file], { encoding: 'utf8' });
  };
  const examples = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
  expect(examples).toHaveLength(5);
  const [searching, asking, evaluating, explaining, opening] = examples as [string, string, string, string, string];
  expect(run(searching)).toMatch(/^1 0\.\d{4} initial\n[\s\S]*def Learn\(v0, s0\):[\s\S]* 0\.9999\d+\n$/);
  expect(run(asking)).toMatch(/^def Setup\(\):\n[\s\S]*def Learn\(v0, s0\):\n {2}s/);
  expect(run(evaluating)).toMatch(/^(0\.9999\d*|1) [0-9a-f]{16}\n$/);
  expect(run(explaining)).toMatch(/^sgd: .*\n[\s\S]*backprop: .*\n0\.\d+ 0\.9\d+\n# Network[\s\S]*class Network:/);
  expect(run(`${opening}\nconsole.log(task.train.count, task.loss);`)).toBe('224 accuracy\n');
});

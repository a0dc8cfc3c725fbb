// Runs a tutorial as a reader would: makes its changes, writes its files, runs its commands in their order, and compares what they print
// with what the page says. The words behind the language of a block say what it is:
//
//   sh                commands, run one block after the other; `no-run` is left to the reader, `background` goes on until the end
//   text output       lines that the commands before it print, in this order; ... stands for anything
//   ... file=NAME     the content of a file
//   diff file=NAME    a change of a file: what is there, with + and - in front of what comes and goes
//
// Must not know what a tutorial is about.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from './cli.js';
import { emptyFolder } from './folders.js';
import { type Block, readPage } from './pages.js';

/** Where the commands of a tutorial run: `evozero` is on the path, and `import 'evozero'` finds the library of this clone. */
export function makePlace(): string {
  const place = emptyFolder();
  symlinkSync(join(ROOT, 'examples'), join(place, 'examples'));
  mkdirSync(join(place, 'node_modules'));
  symlinkSync(ROOT, join(place, 'node_modules/evozero'));
  return place;
}

/** A folder with the command `evozero` of a tree. */
function commandFolder(tree: string): string {
  const folder = emptyFolder();
  const shim = join(folder, 'evozero');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${join(tree, 'bin/evozero.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
  return folder;
}

const named = ({ words }: Block) => words.find((word) => word.startsWith('file='))?.slice('file='.length);

/** Replaces the lines that a diff has without + by those that it has without -. They must be there, once. */
export function applyDiff(text: string, diff: string): string {
  const lines = diff.split('\n');
  const side = (mark: string) => lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
  const [before, after] = [side('+').join(''), side('-').join('')];
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`${parts.length - 1} places look like\n${before}`);
  return parts.join(after);
}

/** Fails if the lines are not among those that were printed, in their order. */
function expectOutput(printed: string, wanted: string): void {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  let at = 0;
  for (const line of wanted.split('\n').map((each) => each.trimEnd())) {
    if (line.trim() === '...') continue;
    const pattern = line.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const matches = new RegExp(`^${pattern.join('.*')}$`);
    const found = lines.findIndex((each, k) => k >= at && matches.test(each));
    if (found < 0) expect.fail(`the page says\n${wanted}\nand the line\n${line}\nis not in\n${printed}`);
    at = found + 1;
  }
}

/** Makes the changes of a tutorial, all at once. */
export function applyChanges(name: string, place: string): void {
  for (const block of readPage(`docs/tutorials/${name}.md`).blocks) {
    const file = named(block);
    if (block.language !== 'diff' || file === undefined) continue;
    writeFileSync(join(place, file), applyDiff(readFileSync(join(place, file), 'utf8'), block.text));
  }
}

export interface TutorialOptions {
  /** Where commands run. */
  readonly place: string;
  /** The tree whose command `evozero` is. */
  readonly tree?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the commands and writes the files of a page of docs/tutorials, whose changes have been made. Gives what each block printed. */
export function runTutorial(name: string, { place, tree = ROOT, env = {} }: TutorialOptions): string[] {
  const path = [commandFolder(tree), process.env.PATH].join(delimiter);
  const options = { cwd: place, env: { ...process.env, PATH: path, FORCE_COLOR: '0', ...env } };
  const printed: string[] = [];
  for (const block of readPage(`docs/tutorials/${name}.md`).blocks) {
    const file = named(block);
    if (block.language === 'diff') continue;
    if (file !== undefined) {
      expect(existsSync(join(place, file)), `${file} is there already`).toBe(false);
      mkdirSync(dirname(join(place, file)), { recursive: true });
      writeFileSync(join(place, file), `${block.text}\n`);
    } else if (block.words.includes('output')) expectOutput(printed.at(-1)!, block.text);
    else if (block.language === 'sh' && !block.words.includes('no-run')) {
      if (block.words.includes('background')) keepRunning(block.text, options);
      else printed.push(runCommands(block.text, options));
    }
  }
  return printed;
}

type RunOptions = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

function runCommands(text: string, options: RunOptions): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', `exec 2>&1\n${text}`], {
    ...options,
    encoding: 'utf8',
  });
  if (status !== 0) expect.fail(`exit code ${status} of\n${text}\n${stdout}${stderr}`);
  return stdout;
}

function keepRunning(text: string, options: RunOptions): void {
  const child: ChildProcess = spawn('bash', ['-c', `exec ${text}`], { ...options, stdio: 'ignore' });
  // Whatever it needs is there until it has ended.
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await exited;
  });
}

// What a run trains its programs for decides how they are explained, whatever command is asked.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../tests/support/folders.js';
import { findPreset } from '../experiment/presets.js';
import { builtin, readGallery } from '../program/builtin.js';
import { RUN_FORMAT } from '../runs/run-files.js';
import { addExplain } from './explain.js';
import { addExport } from './export.js';
import { addGallery } from './gallery.js';
import { addLineage } from './lineage.js';
import { addMotifs } from './motifs.js';

const folder = temporaryFolder();
const { text } = builtin('paper/logistic')!;

/** A run whose best program, and the only step towards it, is logistic regression. */
function makeRun(name: string, preset: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  const write = (file: string, content: object) => writeFileSync(join(path, file), JSON.stringify(content));
  write('config.json', { evozero: '0.1.0', format: RUN_FORMAT, ...findPreset(preset) });
  write('result.json', { lineage: [{ id: 0, fitness: 0.9, origin: 'initial', parent: null, program: text }] });
  writeFileSync(join(path, 'best.alg'), text);
  return path;
}

const [binary, again, regression, other] = [
  makeRun('binary', 'digits'),
  makeRun('again', 'digits'),
  makeRun('regression', 'linear'),
  makeRun('other', 'linear'),
] as const;
const damaged = makeRun('damaged', 'digits');
writeFileSync(join(damaged, 'config.json'), '{');

/** What a command prints. */
async function run(...args: readonly string[]): Promise<string> {
  const cli = new Command('evozero');
  for (const add of [addExplain, addExport, addGallery, addLineage, addMotifs]) add(cli);
  let printed = '';
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      if (name === 'stdout') printed += String(chunk);
      return true;
    }),
  );
  try {
    await cli.parseAsync(args, { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return printed;
}

test('explain', async () => {
  const explained = async (...args: string[]) => JSON.parse(await run('explain', ...args, '--json', '--latex'));
  const names = ({ techniques }: { techniques: { name: string }[] }) => techniques.map(({ name }) => name);
  const first = await explained(binary);
  expect(first.loss).toBe('accuracy');
  expect(names(first)).toContain('logistic-gradient');
  expect(first.latex).toContain('\\sigma');
  const second = await explained(regression);
  expect(second.loss).toBe('rms');
  expect(names(second)).not.toContain('logistic-gradient');
  expect(names(await explained(binary, '--loss', 'rms'))).not.toContain('logistic-gradient');
  expect((await explained(damaged)).loss).toBeNull();
  expect(await run('explain', binary)).not.toContain('--loss accuracy');
});

test('lineage', async () => {
  const appeared = async (path: string) => {
    const [step] = JSON.parse(await run('lineage', path, '--json')).steps;
    return step.appeared.map(({ name }: { name: string }) => name);
  };
  expect(await appeared(binary)).toContain('logistic-gradient');
  expect(await appeared(regression)).not.toContain('logistic-gradient');
});

test('motifs', async () => {
  const named = async (...paths: string[]) => {
    const { motifs } = JSON.parse(await run('motifs', ...paths, '--json'));
    return motifs.flatMap(({ techniques }: { techniques: string[] }) => techniques);
  };
  expect(await named(binary, again)).toContain('logistic-gradient');
  expect(await named(regression, other)).not.toContain('logistic-gradient');
});

test('export', async () => {
  expect(JSON.parse(await run('export', binary, '--to', 'js', '--json')).loss).toBe('accuracy');
  expect(JSON.parse(await run('export', regression, '--to', 'js', '--json')).loss).toBe('rms');
});

test('gallery explains each program for the tasks that it is measured on', async () => {
  const { programs } = JSON.parse(await run('gallery', '--json'));
  expect(programs).toHaveLength(readGallery().length);
  const techniques = (name: string) =>
    programs.find((program: { name: string }) => program.name === `gallery/${name}`).techniques;
  expect(techniques('linear')).toContain('stochastic gradient descent');
  expect(techniques('backprop')).toContain('backpropagation through two layers');
});

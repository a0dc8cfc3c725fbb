import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { findPreset } from '../experiment/presets.js';
import { Control } from './control.js';
import { Refusal } from './refusal.js';

/** A command that begins its search late, as one does that is compiled first; or that fails then. */
const LATE = (then: string) => `
import { readFileSync, writeFileSync } from 'node:fs';
const [file, , directory] = process.argv.slice(3);
setTimeout(() => { ${then} }, 300);
`;

/** A server that does not wait for its searches, and the folder in which it leaves what they are to read. */
function start(script: string) {
  const [root, temporary] = [emptyFolder(), emptyFolder()];
  const command = join(emptyFolder(), 'search.mjs');
  writeFileSync(command, script);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const control = new Control(root, { command, patience: 1 });
  const started = control.start({ config: findPreset('linear'), name: 'late' });
  return { started, temporary, directory: join(root, 'late') };
}

it('keeps the configuration of a search until it has begun', async () => {
  const { started, temporary, directory } = start(
    LATE("writeFileSync(directory + '/config.json', readFileSync(file))"),
  );
  expect(await started).toMatchObject({ name: 'late' });
  expect(readdirSync(temporary)).toHaveLength(1);
  await expect.poll(() => readdirSync(temporary), { timeout: 60_000 }).toEqual([]);
  expect(JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'))).toEqual(findPreset('linear'));
});

it('leaves nothing of a search that never began', async () => {
  const { started, temporary, directory } = start(LATE('process.exit(1)'));
  expect(await started).toMatchObject({ name: 'late' });
  expect(existsSync(directory)).toBe(true);
  await expect.poll(() => existsSync(directory), { timeout: 60_000 }).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});

it('gives back the directory that it has claimed if the configuration cannot be written', async () => {
  const root = emptyFolder();
  vi.stubEnv('TMPDIR', join(root, 'missing'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const started = new Control(root).start({ config: findPreset('linear') });
  await expect(started).rejects.toThrow(/cannot write to .*missing: no such file or directory/);
  await expect(started).rejects.toThrow(Refusal);
  expect(readdirSync(root)).toEqual([]);
});

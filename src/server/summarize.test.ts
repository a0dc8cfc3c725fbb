import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { findPreset } from '../experiment/presets.js';
import { createRun } from '../runs/run-directory.js';
import { hasGrown } from './event-log.js';
import { NOTHING_SCANNED, type Scan } from './scan-events.js';
import { signatureOf, summarize } from './summarize.js';

/** A run that was stopped at once. */
function stoppedRun(): string {
  const directory = join(emptyFolder(), 'run');
  createRun(directory, findPreset('linear'), '1.2.3').close();
  return directory;
}

function summaryOf(directory: string, scan: () => Promise<Scan> = async () => NOTHING_SCANNED) {
  const run = { id: 'x', name: 'run', directory };
  expect(signatureOf(run)).toBe(signatureOf(run));
  return summarize(run, scan);
}

it('a run says what it is', async () => {
  expect(await summaryOf(stoppedRun())).toMatchObject({ status: 'stopped', preset: 'linear', seed: 0 });
});

describe('a run is corrupt, and no error for those beside it,', () => {
  it('if the system does not let anybody look at its directory', async () => {
    const directory = join(emptyFolder(), 'x'.repeat(5000));
    const { status, problem } = await summaryOf(directory);
    expect(status).toBe('corrupt');
    expect(problem).toMatch(/cannot read .*config\.json: the name is too long/);
    expect(hasGrown(join(directory, 'events.jsonl'), { offset: 0, check: '' })).toBe(false);
  });

  it('if its log cannot be read', async () => {
    const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
    const summary = await summaryOf(stoppedRun(), () => Promise.reject(error));
    expect(summary).toMatchObject({ status: 'corrupt', problem: 'it cannot be read: EIO: i/o error, read' });
    // What is our own mistake does not pass for theirs.
    await expect(summaryOf(stoppedRun(), () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  });

  it.each(['config.json', 'result.json', 'lock'])('if its %s is larger than any', async (file) => {
    const directory = stoppedRun();
    writeFileSync(join(directory, file), '');
    truncateSync(join(directory, file), (64 << 20) + 1);
    const { status, problem } = await summaryOf(directory);
    expect(status).toBe('corrupt');
    expect(problem).toMatch(new RegExp(`${file}: damaged, it has more than 64 MiB$`));
  });
});

describe('what is no plain file', () => {
  const link = (path: string) => symlinkSync(join(stoppedRun(), 'config.json'), path);
  const pipe = (path: string) => execFileSync('mkfifo', [path]);

  it.each([
    ['a link', link],
    ['a pipe', pipe],
  ])('is not opened, although it took the place of one that was: %s', async (_, make) => {
    const directory = stoppedRun();
    for (const [file, status] of [['lock', 'failed'] as const, ['result.json', 'failed'] as const]) {
      make(join(directory, file));
      expect(await summaryOf(directory)).toMatchObject({ status });
    }
    rmSync(join(directory, 'config.json'));
    make(join(directory, 'config.json'));
    expect(await summaryOf(directory)).toMatchObject({ status: 'corrupt' });
  });
});

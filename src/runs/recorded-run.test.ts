import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../tests/support/folders.js';
import { parseConfig } from '../experiment/config.js';
import { findPreset } from '../experiment/presets.js';
import type { Snapshot } from '../experiment/snapshot.js';
import { openBuiltinTasks } from '../tasks/open-tasks.js';
import { RecordedRun } from './recorded-run.js';
import { createRun, openRun, type RunDirectory } from './run-directory.js';
import { describeRun } from './run-files.js';

const CONFIG = parseConfig({ ...findPreset('linear'), stop: { algorithms: 3000 } });

/** Goes on to the end, as one process does. */
async function finish(directory: RunDirectory, checkpoint?: Snapshot): Promise<void> {
  const recorded = await RecordedRun.start({
    config: CONFIG,
    openDirectory: () => directory,
    openTasks: openBuiltinTasks,
    checkpoint,
    version: '1.2.3',
    startedAt: performance.now(),
    cpuSeconds: () => 0,
  });
  try {
    while (!recorded.run.isDone) await recorded.advance();
  } finally {
    recorded.dispose();
    directory.close();
  }
}

test('a run is finished when everything is there, and one that ended before that is finished by the next process', async () => {
  const path = join(emptyFolder(), 'run');
  const [report, result] = ['report.html', 'result.json'].map((file) => join(path, file)) as [string, string];
  const directory = createRun(path, CONFIG, '1.2.3');
  // In its way.
  mkdirSync(join(report, 'x'), { recursive: true });
  await expect(finish(directory)).rejects.toThrow('cannot write');
  expect(existsSync(result)).toBe(false);
  expect(describeRun(path).status).toBe('stopped');
  rmSync(report, { recursive: true });
  const { run, snapshot } = openRun(path);
  await finish(run, snapshot);
  expect(describeRun(path).status).toBe('finished');
  expect(readFileSync(report, 'utf8')).toContain('linear, seed 0');
  expect(JSON.parse(readFileSync(result, 'utf8')).algorithms).toBe(3000);
});

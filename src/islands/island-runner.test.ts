import { expect, it } from 'vitest';
import { findPreset } from '../experiment/presets.js';
import { IslandRunner } from './island-runner.js';
import type { Claim } from './redis-api.js';

/** What a runner says of the island that it has taken. */
function warningsOf(claimed: Partial<Claim>): string[] {
  const refuse = () => Promise.reject(new Error('nothing is to be done yet'));
  const warnings: string[] = [];
  const claim: Claim = {
    island: 2,
    token: 1,
    isCheckpointLost: false,
    isDone: false,
    stop: null,
    save: refuse,
    exchange: refuse,
    ...claimed,
  };
  const config = findPreset('linear');
  new IslandRunner({
    config: { ...config, islands: { ...config.islands, count: 3 } },
    island: 2,
    claim,
    host: { call: refuse, dispose: () => {} },
    openTasks: refuse,
    doOthersWait: refuse,
    signal: new AbortController().signal,
    now: () => 0,
    warn: (text) => void warnings.push(text),
  });
  return warnings;
}

it('an island that begins again says why', () => {
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ isCheckpointLost: true })).toEqual(['island 3: its checkpoint is gone, so that it begins again']);
  expect(warningsOf({ checkpoint: Buffer.from('x') })).toEqual([
    'island 3: its checkpoint is unreadable, so that it begins again',
  ]);
  expect(warningsOf({ isCheckpointLost: true, isDone: true })).toEqual([]);
});

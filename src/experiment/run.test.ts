import { describe, expect, it } from 'vitest';
import { type OpenTasks, openBuiltinTasks } from '../tasks/open-tasks.js';
import { parseConfig } from './config.js';
import { findPreset } from './presets.js';
import { Run } from './run.js';

function digitsWith(final: object) {
  const digits = findPreset('digits');
  return parseConfig({ ...digits, tasks: { ...digits.tasks, final: { ...digits.tasks.final, ...final } } });
}

describe('a run', () => {
  it.each([
    [{ valid: 500 }, 'digits: 500 validation examples were asked for, and its images suffice for 68'],
    [{ set: 'linear-final', features: 300, train: 1_000_000 }, '300 features of 1,000,100 examples do not fit into'],
    [{ set: 'mnist-binary-final' }, 'mnist-binary-final: is read from files'],
  ])('does not begin if its final tasks cannot be made: %j', async (final, message) => {
    await expect(Run.start(digitsWith(final))).rejects.toThrow(message);
  });

  it('makes no task before it begins', async () => {
    const opened: string[] = [];
    const openTasks: OpenTasks = async (request) => {
      opened.push(request.name);
      const tasks = await openBuiltinTasks(request);
      return { ...tasks, at: () => Promise.reject(new Error('too early')) };
    };
    const config = digitsWith({});
    const run = await Run.start(config, openTasks);
    expect(opened).toEqual([config.tasks.select.set, config.tasks.final.set]);
    run.dispose();
  });
});

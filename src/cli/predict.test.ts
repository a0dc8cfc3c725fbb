import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addPredict } from './predict.js';

test.each(['"', '\n', '', '::'])('cells cannot be separated by %j', (delimiter) => {
  const cli = new Command('evozero').exitOverride().configureOutput({ writeErr: () => {} });
  addPredict(cli);
  for (const command of cli.commands) command.copyInheritedSettings(cli);
  const args = ['predict', 'some.model.json', 'some.csv', '--delimiter', delimiter];
  expect(() => cli.parse(args, { from: 'user' })).toThrow(/Expected one character, such as ; or \\t\./);
});

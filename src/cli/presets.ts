// `evozero presets`: the searches that come with evozero; `presets show NAME` prints a configuration to start from.
import type { Command } from 'commander';
import { printConfig } from '../experiment/config-text.js';
import { findPreset, PRESETS } from '../experiment/presets.js';
import { colors, print, printJson } from './output.js';
import { explainRunErrors } from './run-work.js';

function list({ json }: { json?: true }): void {
  if (json) {
    printJson({ presets: PRESETS.map(({ name, about }) => ({ name, about })) });
    return;
  }
  const width = Math.max(...PRESETS.map(({ name }) => name.length));
  print('Searches (evozero run NAME starts one, evozero presets show NAME prints its settings):\n');
  for (const { name, about } of PRESETS) print(`  ${colors.bold(name.padEnd(width))}  ${about}`);
}

export function addPresets(cli: Command): void {
  const presets = cli
    .command('presets')
    .description('list the searches that come with evozero')
    .option('--json', 'print one JSON object')
    .action(list);
  presets
    .command('show')
    .description('print the settings of a preset, to save in a file and change')
    .argument('<NAME>', 'of a preset')
    .option('--json', 'print one JSON object')
    .action((name: string, { json }: { json?: true }) =>
      explainRunErrors(async () => {
        const config = findPreset(name);
        if (json) printJson(config);
        else process.stdout.write(printConfig(config));
      }),
    );
}

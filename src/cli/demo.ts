// `evozero demo`, which `npm start` runs: the paper's linear regressor learns tasks that it has never seen.
import type { Command } from 'commander';
import { summarize } from '../evaluate/summary.js';
import { printProgram } from '../program/print.js';
import { describeTasks, type EvalOptions, fitnesses, printScores } from './eval.js';
import { integer } from './options.js';
import { colors, print, printJson } from './output.js';
import { loadProgram } from './program-argument.js';

const PROGRAM = 'paper/linear';

export function addDemo(cli: Command): void {
  cli
    .command('demo')
    .description('train a program of the paper on unseen tasks and show it')
    .option('--seed <N>', 'draws the tasks', integer(0), 0)
    .option('--json', 'print one JSON object')
    .action(({ seed, json }: { seed: number; json?: true }) => {
      const source = loadProgram(PROGRAM);
      const options: EvalOptions = {
        tasks: 'linear',
        features: 8,
        count: 200,
        train: 1000,
        valid: 100,
        epochs: 1,
        precision: 'f64',
        seed,
      };
      const program = printProgram(source.program, source.labels);
      if (!json) print(`${colors.bold(PROGRAM)}: ${source.about}\n\n${program}`);
      const results = fitnesses(source, options);
      if (json) {
        printJson({ program, tasks: options.tasks, seed, ...summarize(results) });
        return;
      }
      print(`Fitness on ${describeTasks(options)}; 1 is perfect:`);
      printScores(results);
      print(`\nTry it yourself:\n  npm run evozero -- show paper/evolved-raw`);
      print('  npm run evozero -- eval paper/neural-net --tasks network');
    });
}

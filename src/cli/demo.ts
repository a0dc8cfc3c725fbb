// `evozero demo`, which `npm start` runs: the paper's linear regressor learns tasks that it has never seen.
import type { Command } from 'commander';
import { summarize } from '../evaluate/summary.js';
import { printProgram } from '../program/print.js';
import { type EvalOptions, score } from './eval.js';
import { integer } from './options.js';
import { colors, print, printJson } from './output.js';
import { loadProgram } from './program-argument.js';
import { printScores } from './scores.js';
import { DEFAULT_TASK_OPTIONS, describeTasks, openTaskOptions } from './task-options.js';

const PROGRAM = 'paper/linear';

export function addDemo(cli: Command): void {
  cli
    .command('demo')
    .description('train a program of the paper on unseen tasks and show it')
    .option('--seed <N>', 'draws the tasks', integer(0), 0)
    .option('--json', 'print one JSON object')
    .action(async ({ seed, json }: { seed: number; json?: true }) => {
      const source = loadProgram(PROGRAM);
      const options: EvalOptions = {
        ...DEFAULT_TASK_OPTIONS,
        tasks: 'linear',
        count: 200,
        epochs: 1,
        precision: 'f64',
        seed,
      };
      const tasks = await openTaskOptions(options);
      const program = printProgram(source.program, source.labels);
      if (!json) print(`${colors.bold(PROGRAM)}: ${source.about}\n\n${program}`);
      const scores = await score(source, tasks, options);
      if (json) {
        printJson({ program, tasks: options.tasks, seed, ...summarize(scores.fitnesses) });
        return;
      }
      print(`Fitness on ${describeTasks(options, tasks, options.epochs)}; 1 is perfect:`);
      printScores(scores);
      print(`\nTry it yourself:\n  npm run evozero -- show paper/evolved-raw`);
      print('  npm run evozero -- eval paper/neural-net --tasks network');
      print('  npm run evozero -- eval paper/logistic --tasks digits --count 45');
    });
}

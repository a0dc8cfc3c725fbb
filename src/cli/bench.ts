// `evozero bench`: how fast searches and the engine are on this machine, beside the C++ original where that was measured.
import type { Command } from 'commander';
import { bestYardstick } from '../bench/clock.js';
import { WORKLOADS } from '../bench/list.js';
import { CannotMeasure, type Measurement, type Workload } from '../bench/workloads.js';
import { nearest } from '../util/nearest.js';
import { quote } from '../util/quote.js';
import { UserError } from './errors.js';
import { bar, colors, count, note, Progress, print, printJson } from './output.js';

/** The workloads of these names; a name also stands for all that begin with it, as `network-step` does. */
function choose(names: string | undefined): readonly Workload[] {
  if (names === undefined) return WORKLOADS.filter(({ isLong }) => !isLong);
  const chosen = names.split(',').flatMap((text) => {
    // What is printed behind a slash is one of several figures of a workload.
    const name = text.trim().replace(/\/.*/, '');
    const exact = WORKLOADS.filter((workload) => workload.name === name);
    const found = exact.length > 0 ? exact : WORKLOADS.filter((workload) => workload.name.startsWith(`${name}-`));
    if (found.length > 0) return found;
    const similar = nearest(
      name,
      WORKLOADS.map((workload) => workload.name),
    );
    const hint = similar === undefined ? 'evozero bench --list shows all' : `did you mean ${similar}?`;
    throw new UserError(`--only: there is no benchmark ${quote(name)}; ${hint}`);
  });
  return [...new Set(chosen)];
}

function shown({ name, metric, value, vsOriginal, note = '' }: Measurement): string {
  const digits = value >= 1000 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const ratio = vsOriginal === null ? note : colors.bold(`${vsOriginal.toFixed(2)} times as fast as the original`);
  return `${name.padEnd(34)} ${number.padStart(12)} ${metric.padEnd(18)} ${ratio}`.trimEnd();
}

/** What cannot be measured on this machine is passed over, unless somebody has asked for it by name. */
async function measure(workload: Workload, isNamed: boolean): Promise<readonly Measurement[]> {
  try {
    return await workload.run();
  } catch (error) {
    if (!(error instanceof CannotMeasure)) throw error;
    const message = `${workload.name}: ${error.message}`;
    if (isNamed) throw new UserError(message);
    note(message);
    return [];
  }
}

async function bench({ only, json, list }: { only?: string; json?: true; list?: true }): Promise<void> {
  const workloads = list && only === undefined ? WORKLOADS : choose(only);
  if (list) {
    if (json) printJson({ workloads: workloads.map(({ name, about }) => ({ name, about })) });
    else for (const { name, about } of workloads) print(`${colors.bold(name.padEnd(24))} ${about}`);
    return;
  }
  const progress = new Progress();
  const results: Measurement[] = [];
  for (const [k, workload] of workloads.entries()) {
    progress.show(() => `${bar(k / workloads.length)} ${workload.name}: ${workload.about}`);
    const measured = await measure(workload, only !== undefined);
    results.push(...measured);
    if (!json) {
      progress.clear();
      for (const measurement of measured) print(shown(measurement));
    }
  }
  progress.finish(() => `measured ${count(workloads.length, 'workload')}`);
  const yardstick = bestYardstick();
  if (json) {
    printJson({ yardstick, workloads: results });
    return;
  }
  if (results.every(({ vsOriginal }) => vsOriginal === null)) return;
  print(
    `\nThe original is the C++ program in f64. Its figures were taken on another machine; a yardstick, a fixed piece of work that`,
  );
  print(`takes turns with each measurement, makes them comparable. It took ${yardstick.toFixed(0)} ns here at best.`);
}

export function addBench(cli: Command): void {
  cli
    .command('bench')
    .description('measure the speed on this machine, beside the C++ original (all: about ten minutes)')
    .option('--only <NAME,NAME>', 'only these; network-step stands for all whose names begin so')
    .option('--list', 'name the benchmarks and run none')
    .option('--json', 'print one JSON object')
    .action(bench);
}

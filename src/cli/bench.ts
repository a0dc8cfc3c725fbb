// `evozero bench`: how fast the engine is on this machine, beside the C++ original where that was measured.
import type { Command } from 'commander';
import { time } from '../bench/clock.js';
import { WORKLOADS } from '../bench/list.js';
import type { Measurement, Workload } from '../bench/workloads.js';
import { nearest } from '../util/nearest.js';
import { UserError } from './errors.js';
import { bar, colors, Progress, print, printJson } from './output.js';

/** The workloads of these names; a name also stands for all that begin with it, as `network-step` does. */
function choose(names: string | undefined): readonly Workload[] {
  if (names === undefined) return WORKLOADS;
  return names.split(',').flatMap((name) => {
    const chosen = WORKLOADS.filter((workload) => workload.name === name || workload.name.startsWith(`${name}-`));
    if (chosen.length > 0) return chosen;
    const similar = nearest(
      name,
      WORKLOADS.map((workload) => workload.name),
    );
    const hint = similar === undefined ? 'evozero bench --list shows all' : `did you mean ${similar}?`;
    throw new UserError(`--only: there is no benchmark ${name}; ${hint}`);
  });
}

function shown({ name, metric, value, vsOriginal }: Measurement): string {
  const digits = value >= 1000 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const ratio = vsOriginal === null ? '' : colors.bold(`${vsOriginal.toFixed(2)} x the original`);
  return `${name.padEnd(34)} ${number.padStart(12)} ${metric.padEnd(20)} ${ratio}`.trimEnd();
}

function bench({ only, json, list }: { only?: string; json?: true; list?: true }): void {
  const workloads = choose(only);
  if (list) {
    for (const { name, about } of workloads) print(`${colors.bold(name.padEnd(24))} ${about}`);
    return;
  }
  const progress = new Progress();
  const { yardstick } = time(() => {}, { rounds: 40 });
  if (!json)
    print(`yardstick ${yardstick.toFixed(0)} ns: the best of several runs, in units that make machines comparable`);
  const results: Measurement[] = [];
  for (const [k, workload] of workloads.entries()) {
    progress.show(() => `${bar(k / workloads.length)} ${workload.name}: ${workload.about}`);
    const measured = workload.run();
    results.push(...measured);
    if (!json) {
      progress.clear();
      for (const measurement of measured) print(shown(measurement));
    }
  }
  progress.finish(() => `measured ${workloads.length} workloads`);
  if (json) printJson({ yardstick, workloads: results });
}

export function addBench(cli: Command): void {
  cli
    .command('bench')
    .description('measure the speed of the engine on this machine, beside the C++ original')
    .option('--only <NAME,NAME>', 'some benchmarks, or all whose names begin alike, such as network-step')
    .option('--list', 'show the benchmarks and run none')
    .option('--json', 'print one JSON object')
    .action(bench);
}

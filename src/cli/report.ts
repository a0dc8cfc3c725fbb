// `evozero report`: one page about one or several runs, whatever state they are in. Must not change the runs.
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { ablate, planAblation } from '../analysis/ablate/ablate.js';
import { type Config, parseConfig } from '../experiment/config.js';
import { ConfigError } from '../experiment/config-error.js';
import type { ReportedAblation } from '../reports/ablation-section.js';
import { explainText } from '../reports/explained-program.js';
import { type RecordedResult, ResultError, readRecordedResult } from '../reports/recorded-result.js';
import { renderReportPage } from '../reports/report-page.js';
import { collectRun, type ReportedRun, type RunSource } from '../reports/reported-run.js';
import { readEvents } from '../runs/read-events.js';
import { describeRun, FILES, type RunDescription, readIfThere, shownPath } from '../runs/run-files.js';
import { readSeconds } from '../runs/run-summary.js';
import { printable } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { type JudgeFlags, withJudge } from './judge-options.js';
import { showProgress } from './measured.js';
import { integer } from './options.js';
import { bytes, colors, count, note, Progress, print, printJson } from './output.js';
import { explainRunErrors } from './run-work.js';
import { DEFAULT_TASK_OPTIONS, describeTasks } from './task-options.js';
import { version } from './version.js';
import { writeText } from './write-text.js';

interface ReportOptions {
  readonly out?: string;
  readonly ablate?: number;
  readonly json?: true;
}

function fileName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a file.');
  return text;
}

// --- Reading -----------------------------------------------------------------------------------------------------------

function readConfiguration(directory: string, { config }: RunDescription): Config {
  try {
    return parseConfig(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UserError(`${shownPath(directory, FILES.config)}: ${error.message}`);
  }
}

function readRecorded(directory: string, { result }: RunDescription): RecordedResult | undefined {
  try {
    return result && readRecordedResult(result);
  } catch (error) {
    if (!(error instanceof ResultError)) throw error;
    throw new Failure(`${shownPath(directory, FILES.result)}: damaged, ${error.message}`);
  }
}

function readSource(directory: string, name: string | undefined): RunSource {
  const run = describeRun(directory);
  return {
    name: name ?? run.name,
    directory,
    status: run.status,
    version: run.version,
    config: readConfiguration(directory, run),
    result: readRecorded(directory, run),
    events: () => readEvents(directory),
    seconds: run.result === undefined ? readSeconds(directory) : null,
    program: readIfThere(directory, FILES.best)?.toString('utf8'),
  };
}

/** All runs, in the order that they were given in. Those whose directories have the same name are called by their paths. */
function readRuns(directories: readonly string[]): ReportedRun[] {
  const places = directories.map((directory) => resolve(directory));
  const twice = directories.find((_, k) => places.indexOf(places[k]!) !== k);
  if (twice !== undefined) throw new UserError(`${printable(twice)}: given twice`);
  const names = directories.map((directory) => describeRun(directory).name);
  const isShared = (k: number) => names.filter((name) => name === names[k]).length > 1;
  const progress = new Progress();
  const line = (k: number) => () => `reading run ${k + 1} of ${directories.length}`;
  const runs = directories.map((directory, k) => {
    progress.hint(line(k));
    return collectRun(readSource(directory, isShared(k) ? directory : undefined));
  });
  progress.clear();
  return runs;
}

// --- Ablation ----------------------------------------------------------------------------------------------------------

/** Programs to try beside the one that was found, and tasks to try each on, at most. */
const MAX_VARIANTS = 100;
const MAX_TASKS = 10;

/** Tasks like those that the run selects on, drawn anew: what it was chosen by would flatter it. */
function judgeFlags({ tasks, precision }: Config): JudgeFlags {
  const { set, count: selectCount, ...settings } = tasks.select;
  return { ...DEFAULT_TASK_OPTIONS, ...settings, tasks: set, count: Math.min(MAX_TASKS, selectCount), precision };
}

async function ablateRun({ name, data }: ReportedRun, trials: number): Promise<ReportedAblation> {
  // Without what has no effect, so that places are those of the program that the page shows.
  const { simplified: text } = data.result;
  const source = text === null ? { problem: 'There is no program.' } : explainText(text, data.config);
  if ('problem' in source) return { problem: `Nothing was taken out. ${source.problem}` };
  const flags = judgeFlags(data.config);
  return withJudge(flags, [{ ...source, name: printable(name) }], async (judge, tasks) => {
    const plan = planAblation(source.program, source.labels, judge.loss, MAX_VARIANTS);
    if (plan.sections.length === 0) return { problem: 'Nothing was taken out: no instruction reaches the prediction.' };
    const progress = showProgress(printable(name));
    const settings = { trials, seed: flags.seed };
    const ablation = await ablate(plan, judge, settings, ({ done, total }) => progress.step(done, total));
    progress.finish();
    if (!(ablation.intact.best.fitness > 0))
      return { problem: 'The program stops on every task, whatever its constants.' };
    return { ablation, trials, tasks: describeTasks(flags, tasks, flags.epochs) };
  });
}

async function ablateRuns(runs: readonly ReportedRun[], trials: number): Promise<ReportedRun[]> {
  const ablated: ReportedRun[] = [];
  for (const run of runs) ablated.push({ ...run, ablation: await ablateRun(run, trials) });
  return ablated;
}

// --- Writing -----------------------------------------------------------------------------------------------------------

function toJson({ name, status, data, seconds }: ReportedRun) {
  const { run, preset, seed, success, searchFitness, selectFitness, finalFitness, algorithms } = data.result;
  const scores = { success, searchFitness, selectFitness, finalFitness };
  return { run, name, status, preset, seed, ...scores, algorithms, seconds };
}

async function report(directories: readonly string[], { out, ablate: trials, json }: ReportOptions): Promise<void> {
  const read = readRuns(directories);
  const runs = trials === undefined ? read : await ablateRuns(read, trials);
  const environment = {
    version: version(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  };
  const page = renderReportPage(runs, environment);
  const file = out ?? (directories.length === 1 ? resolve(directories[0]!, FILES.report) : FILES.report);
  writeText(file, page, out === undefined ? '; --out names another file' : '');
  const size = Buffer.byteLength(page);
  if (json) {
    printJson({ file: resolve(file), bytes: size, runs: runs.map(toJson) });
    return;
  }
  const unfinished = runs.filter(({ status }) => status !== 'finished');
  for (const { name, status } of unfinished)
    note(`${printable(name)}: ${status}, so that the page shows it as it is now`);
  print(`${count(runs.length, 'run')} in ${colors.bold(printable(file))} (${bytes(size)})`);
}

export function addReport(cli: Command): void {
  cli
    .command('report')
    .description('write a page about one run or several: progress, program, techniques, scores, how to run it again')
    .argument('<RUN...>', 'run directories')
    .option('--out <FILE>', 'where to write it (default: report.html, in the run if there is one, else here)', fileName)
    .option(
      '--ablate <TRIALS>',
      'also measure what each part is worth, tuning each variant so often',
      integer(1, 1_000_000),
    )
    .option('--json', 'print one JSON object')
    .action((directories: readonly string[], options: ReportOptions) =>
      explainRunErrors(() => report(directories, options)),
    );
}

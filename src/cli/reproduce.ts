// `evozero reproduce`: repeats an experiment of the paper and prints our numbers beside its own; leaves a page, CSV and JSON.
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import { writeAtomic } from '../data/write-atomic.js';
import { parseRedisAddress } from '../islands/redis-address.js';
import { coreCount } from '../islands/thread-field.js';
import { findReproduction, REPRODUCTIONS } from '../reproduce/experiments.js';
import type { Findings } from '../reproduce/findings.js';
import { tableToCsv } from '../reproduce/findings-csv.js';
import { SCALES, type Scale } from '../reproduce/laboratory.js';
import {
  JobError,
  type JobProgress,
  localLaboratory,
  readSearchCpuSeconds,
  readWorkSeconds,
  writeJson,
} from '../reproduce/local-laboratory.js';
import { renderFindingsPage } from '../reproduce/page/findings-page.js';
import type { Conclusions, Reproduction } from '../reproduce/reproduction.js';
import { VERDICTS } from '../reproduce/verdicts.js';
import { nearest } from '../util/nearest.js';
import { printable, quote } from '../util/quote.js';
import { EXIT_FAILURE, EXIT_SIGNALS, Failure, UserError } from './errors.js';
import { directory, integer } from './options.js';
import { bar, colors, commandLine, duration, Progress, print, printJson } from './output.js';
import { explainRunErrors } from './run-work.js';
import { version } from './version.js';

interface ReproduceOptions {
  readonly scale: Scale;
  readonly seed: number;
  readonly out?: string;
  readonly workers?: number;
  readonly redis?: string;
  readonly data?: string;
  readonly json?: true;
}

function list(json: boolean): void {
  if (json) {
    const entries = REPRODUCTIONS.map(({ name, title, paper, laptopMinutes }) => ({
      name,
      title,
      paper,
      laptopMinutes,
    }));
    printJson({ reproductions: entries });
    return;
  }
  print('Experiments of the paper (evozero reproduce NAME; minutes on two cores):\n');
  const width = Math.max(...REPRODUCTIONS.map(({ name }) => name.length));
  for (const { name, title, paper, laptopMinutes } of REPRODUCTIONS) {
    print(`  ${colors.bold(name.padEnd(width))}  ${String(laptopMinutes).padStart(3)} min  ${title} (${paper})`);
  }
}

function find(name: string): Reproduction {
  const found = findReproduction(name);
  if (found !== undefined) return found;
  const names = REPRODUCTIONS.map((one) => one.name);
  const guess = nearest(name, names);
  const hint = guess === undefined ? `there are ${names.join(', ')}` : `did you mean ${guess}?`;
  throw new UserError(`there is no experiment ${quote(name)}; ${hint}`);
}

/** The directory of another experiment must not be filled with this one. */
function checkPlan(place: string, plan: object): void {
  const path = join(place, 'plan.json');
  try {
    if (!existsSync(path)) writeJson(path, plan);
    else if (JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) !== JSON.stringify(plan)) {
      throw new UserError(`${printable(place)}: belongs to another reproduction; choose another --out, or remove it`);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `${printable(place)}: ${error instanceof SyntaxError ? 'plan.json is damaged' : describeSystemError(error)}`,
    );
  }
}

function machine(): string {
  const [first] = cpus();
  return `${first?.model.trim() ?? process.arch}, ${coreCount()} cores, Node ${process.versions.node}`;
}

/** Ends at the first Ctrl-C with everything kept; at the second at once. */
function listen(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const onSignal = (signal: string) => {
    if (controller.signal.aborted) process.exit(EXIT_SIGNALS[signal]);
    controller.abort(signal);
  };
  const signals = Object.keys(EXIT_SIGNALS);
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

function showJobs(name: string): { readonly report: (progress: JobProgress) => void; readonly finish: () => void } {
  const progress = new Progress();
  let line = () => name;
  return {
    report: ({ done, total, running, seconds }) => {
      const now = running.length === 0 ? '' : `: ${running.slice(0, 3).join(', ')}${running.length > 3 ? ' ...' : ''}`;
      line = () =>
        `${bar(total === 0 ? 0 : done / total)} ${name}, ${done} of ${total} jobs, ${duration(seconds)}${now}`;
      progress.show(line);
    },
    finish: () => progress.finish(line),
  };
}

/** At the scale that only shows that everything works, no number means anything. */
function withoutVerdicts(conclusions: Conclusions): Conclusions {
  return { ...conclusions, claims: conclusions.claims.map((claim) => ({ ...claim, verdict: 'open' })) };
}

function writeFindings(place: string, findings: Findings): void {
  const write = (name: string, text: string) => writeAtomic(join(place, name), [Buffer.from(text)]);
  for (const table of findings.tables) write(`${table.name}.csv`, tableToCsv(table));
  for (const { name, about, text } of findings.programs) write(`programs/${name}.alg`, `# ${about}\n${text}`);
  write('report.html', renderFindingsPage(findings));
  writeJson(join(place, 'findings.json'), findings);
}

function printFindings(findings: Findings, place: string): void {
  print(`${colors.bold(findings.title)} (${findings.paper}), ${findings.scale} scale, ${duration(findings.seconds)}\n`);
  const tint = { reproduced: colors.green, partly: colors.yellow, 'not-reproduced': colors.red, open: colors.dim };
  for (const { claim, paper, ours, verdict, note } of findings.claims) {
    const { symbol, word } = VERDICTS[verdict];
    print(`${tint[verdict](`${symbol} ${word}`)}  ${claim}`);
    print(`    paper  ${paper}`);
    print(`    here   ${colors.bold(ours)}`);
    if (note !== undefined) print(`    ${colors.dim(note)}`);
  }
  print(
    `\nIn ${printable(place)}: report.html, findings.json, ${findings.tables.map(({ name }) => `${name}.csv`).join(', ')}`,
  );
}

/** What does not decide the result, and must be given again to go on. */
function flagsOf({ out, data, workers }: ReproduceOptions, redis: string | undefined): string[] {
  return [
    ...(out === undefined ? [] : ['--out', out]),
    ...(workers === undefined ? [] : ['--workers', String(workers)]),
    ...(redis === undefined ? [] : ['--redis', redis]),
    ...(data === undefined ? [] : ['--data', data]),
  ];
}

/** Beside JSON on standard output there is nothing else. */
function tellInterruption(place: string, goOn: string, json: boolean): void {
  const lines = [`Stopped; everything is kept in ${printable(place)}.`, `Go on with:  ${goOn}`];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
}

async function reproduce(name: string | undefined, options: ReproduceOptions): Promise<void> {
  if (name === undefined) {
    list(options.json === true);
    return;
  }
  const reproduction = find(name);
  const { scale, seed } = options;
  // Never with the password, on a screen.
  const shownRedis = options.redis === undefined ? undefined : parseRedisAddress(options.redis).shown;
  const place = resolve(options.out ?? join('reproductions', `${name}-${scale}`));
  checkPlan(place, { name, scale, seed });
  const listening = listen();
  const jobs = showJobs(name);
  const again = [
    'reproduce',
    name,
    ...(scale === 'laptop' ? [] : ['--scale', scale]),
    ...(seed === 0 ? [] : ['--seed', String(seed)]),
  ];
  try {
    const conclusions = await reproduction.run(
      localLaboratory({
        name,
        scale,
        seed,
        directory: place,
        command: [process.execPath, ...process.execArgv, process.argv[1]!],
        workers: options.workers ?? coreCount(),
        ...(options.redis !== undefined && { redis: options.redis }),
        common: options.data === undefined ? [] : ['--data', resolve(options.data)],
        signal: listening.signal,
        onProgress: jobs.report,
      }),
    );
    const { title, paper, question } = reproduction;
    const searchCpuSeconds = Math.round(readSearchCpuSeconds(place));
    const findings: Findings = {
      ...{ name, title, paper, question, scale, seed },
      command: `evozero ${again.join(' ')}`,
      version: version(),
      machine: machine(),
      date: new Date().toISOString().slice(0, 10),
      seconds: readWorkSeconds(place),
      ...(searchCpuSeconds > 0 && { searchCpuSeconds }),
      ...(scale === 'smoke' ? withoutVerdicts(conclusions) : conclusions),
    };
    writeFindings(place, findings);
    jobs.finish();
    if (options.json) printJson(findings);
    else printFindings(findings, place);
  } catch (error) {
    jobs.finish();
    if (listening.signal.aborted) {
      tellInterruption(place, commandLine(...again, ...flagsOf(options, shownRedis)), options.json === true);
      process.exitCode = EXIT_SIGNALS[String(listening.signal.reason)] ?? EXIT_FAILURE;
      return;
    }
    throw error instanceof JobError ? new Failure(error.message) : error;
  } finally {
    listening.stop();
  }
}

export function addReproduce(cli: Command): void {
  cli
    .command('reproduce')
    .description(
      "repeat an experiment of the paper and print our numbers beside the paper's; without a name, list them",
    )
    .argument('[NAME]', `${REPRODUCTIONS.map(({ name }) => name).join(', ')}`)
    .addOption(
      new Option('--scale <S>', 'laptop: two cores; paper: as large as in the paper; smoke: seconds')
        .choices(SCALES)
        .default('laptop'),
    )
    .option('--seed <N>', 'the first of the seeds of its repeats', integer(0), 0)
    .option(
      '--out <DIR>',
      'where everything is kept (default: reproductions/NAME-SCALE); goes on with what is there',
      directory,
    )
    .option('--workers <N>', 'searches at once, and threads (default: one for each core)', integer(1))
    .option('--redis <URL>', 'searches run on the workers of this Redis')
    .option('--data <DIR>', 'where the data sets lie (default: $EVOZERO_DATA, then the cache directory)', directory)
    .option('--json', 'print one JSON object at the end')
    .action((name: string | undefined, options: ReproduceOptions) => explainRunErrors(() => reproduce(name, options)));
}

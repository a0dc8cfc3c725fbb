// `evozero experiments`: lists the experiments on a Redis, cancels them and cleans up.
import type { Command } from 'commander';
import type { ExperimentStatus, RedisServer } from '../islands/redis-api.js';
import { fitnessText } from '../util/number-text.js';
import { UserError } from './errors.js';
import { colors, count, duration, print, printJson } from './output.js';
import { connect, redisUrl } from './redis-options.js';
import { explainRunErrors } from './run-work.js';

interface ExperimentsOptions {
  readonly redis?: string;
  readonly cancel?: string;
  readonly remove?: string;
  readonly json?: true;
}

function row({ name, islands, algorithms, best, stop, created }: ExperimentStatus): readonly string[] {
  const { waiting, active, done, failed } = islands;
  return [
    name,
    stop === null ? 'running' : 'stopped',
    String(active),
    String(waiting),
    String(done),
    String(failed),
    algorithms.toLocaleString('en-US'),
    best === null ? '' : fitnessText(best),
    duration((Date.now() - created) / 1000),
  ];
}

const COLUMNS = ['NAME', 'STATE', 'ACTIVE', 'WAITING', 'DONE', 'FAILED', 'ALGORITHMS', 'BEST', 'AGE'];

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = COLUMNS.map((title, k) => Math.max(title.length, ...rows.map((cells) => cells[k]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => (k < 2 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join('  ')
      .trimEnd();
  print(colors.bold(line(COLUMNS)));
  for (const cells of rows) print(line(cells));
}

async function list(server: RedisServer, json: boolean): Promise<void> {
  const { experiments, damaged } = await server.listExperiments();
  if (json) {
    printJson({ experiments, damaged });
    return;
  }
  if (experiments.length === 0 && damaged.length === 0) print(`there are no experiments on ${server.url}`);
  if (experiments.length > 0) printTable(experiments.map(row));
  for (const { name, failures } of experiments) {
    for (const { island, reason } of failures) print(`${name}: island ${island + 1} failed: ${reason}`);
  }
  if (damaged.length > 0)
    print(`${count(damaged.length, 'experiment')} unreadable: ${damaged.join(', ')}; --remove removes them`);
}

async function manage({ redis, cancel, remove, json }: ExperimentsOptions): Promise<void> {
  const server = await connect(redisUrl(redis));
  try {
    if (cancel !== undefined) {
      const experiment = await server.openExperiment(cancel);
      await experiment.cancel('cancelled');
      if (!json) print(`${cancel} is cancelled; its islands stop within seconds`);
    }
    if (remove !== undefined) {
      if (!(await server.removeExperiment(remove)))
        throw new UserError(`there is no experiment ${remove} on ${server.url}`);
      if (!json) print(`${remove} is removed`);
    }
    if (cancel === undefined && remove === undefined) await list(server, json === true);
    else if (json) {
      printJson({
        ...(cancel !== undefined && { cancelled: cancel }),
        ...(remove !== undefined && { removed: remove }),
      });
    }
  } finally {
    await server.close();
  }
}

export function addExperiments(cli: Command): void {
  cli
    .command('experiments')
    .description('list the experiments on a Redis, cancel them, clean up')
    .option('--redis <URL>', 'such as rediss://USER:PASSWORD@HOST (default: $EVOZERO_REDIS)')
    .option('--cancel <NAME>', 'tell the islands of an experiment to stop')
    .option('--remove <NAME>', 'remove everything of an experiment from Redis')
    .option('--json', 'print one JSON object')
    .action((options: ExperimentsOptions) => explainRunErrors(() => manage(options)));
}

// `evozero run --redis`: puts an experiment up whose islands run on the workers of a Redis, or watches one again, and collects the results
// in a run directory. Must not know how islands run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, parseConfig } from '../experiment/config.js';
import { ISLAND_FORMAT } from '../islands/migrant-bytes.js';
import type { Experiment, RedisServer } from '../islands/redis-api.js';
import { RemoteField } from '../islands/remote-field.js';
import { createRun, openRun, type RunDirectory } from '../runs/run-directory.js';
import { FILES } from '../runs/run-files.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { commandLine, count, note } from './output.js';
import { connect, redisUrl } from './redis-options.js';
import { RUNS, type RunOptions, type Work, work } from './run-work.js';
import { version } from './version.js';

export function isRemote({ redis, name, attach }: RunOptions): boolean {
  return redis !== undefined || name !== undefined || attach !== undefined;
}

const seconds = () => performance.now() / 1000;

/** What is left to do, and what it is called by. */
interface Started {
  readonly remote: Experiment;
  readonly work: Pick<Work, 'config' | 'open' | 'checkpoint'>;
}

async function putUp(server: RedisServer, config: Config, options: RunOptions): Promise<Started> {
  const name = options.name ?? `${config.name}-${config.seed}`;
  const place = options.out ?? join(RUNS, name);
  const remoteConfig = { ...config, islands: { ...config.islands, remote: name } };
  const remote = await server.createExperiment({
    name,
    config: JSON.stringify(remoteConfig),
    islands: config.islands.count!,
    format: ISLAND_FORMAT,
    evozero: version(),
  });
  try {
    const directory = createRun(place, remoteConfig, version());
    return { remote, work: { config: remoteConfig, open: () => directory } };
  } catch (error) {
    // An experiment that nobody collects should not begin.
    await remote.remove();
    throw error;
  }
}

async function attach(server: RedisServer, name: string, { out = join(RUNS, name) }: RunOptions): Promise<Started> {
  const remote = await server.openExperiment(name);
  if (remote.format !== ISLAND_FORMAT) {
    throw new UserError(`${name} is of format ${remote.format}, and this evozero has format ${ISLAND_FORMAT}`);
  }
  if (remote.evozero !== version()) {
    throw new UserError(`${name} is of evozero ${printable(remote.evozero)}, and this is ${version()}`);
  }
  const config = parseConfig(JSON.parse(remote.config));
  if (!existsSync(join(out, FILES.config))) {
    return { remote, work: { config, open: () => createRun(out, config, version()) } };
  }
  const { run, snapshot, notes } = openRun(out);
  for (const text of notes) note(text);
  return { remote, work: { config, open: () => run, checkpoint: snapshot } };
}

/** How to say which Redis, where the environment does not; never with the password. */
function redisFlags(server: RedisServer, { redis }: RunOptions): string[] {
  return redis === undefined ? [] : ['--redis', server.url];
}

/** Whoever shares the Redis should know. */
function noteRubbish(values: number): void {
  if (values > 0) note(`${count(values, 'value')} in Redis that no island of this experiment wrote: ignored`);
}

export async function runRemotely(makeConfig: () => Config, options: RunOptions): Promise<void> {
  const { attach: attached } = options;
  const config = attached === undefined ? makeConfig() : undefined;
  const url = redisUrl(options.redis);
  const server = await connect(url);
  const where = redisFlags(server, options);
  let directory: RunDirectory | undefined;
  try {
    const { remote, work: started } =
      config === undefined ? await attach(server, attached!, options) : await putUp(server, config, options);
    await remote.enqueue();
    let field: RemoteField | undefined;
    let said: string | undefined;
    await work(
      {
        ...started,
        open: () => {
          directory = started.open();
          return directory;
        },
        makeField: () => {
          const say = (text: string | undefined) => {
            if (text !== undefined && text !== said) note(text);
            said = text;
          };
          field = new RemoteField({ config: started.config, remote, now: seconds, say });
          return field;
        },
        goOn: (path) => commandLine('run', ...where, '--attach', remote.name, '--out', path),
      },
      options,
    );
    noteRubbish(server.rubbish + (field?.rubbish ?? 0));
    if (directory !== undefined && existsSync(join(directory.directory, FILES.result))) {
      await remote.remove({ timeout: Infinity });
    } else {
      const cancel = commandLine('experiments', ...where, '--cancel', remote.name);
      note(`the islands of ${remote.name} go on; ${cancel} ends them`);
    }
  } finally {
    directory?.close();
    await server.close();
  }
}

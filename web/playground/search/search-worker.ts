// The Web Worker of a search. With several islands, each has a worker of its own, and this one carries programs between them; what is
// found depends only on their number. The page's end is search-state.ts.
import '../quiet-zod.js';
import { Archipelago } from '../../../src/experiment/archipelago.js';
import type { Config } from '../../../src/experiment/config.js';
import type { Field } from '../../../src/experiment/field.js';
import { islandCount } from '../../../src/experiment/groups.js';
import type { Host, HostRequest } from '../../../src/experiment/island-host.js';
import { openBuiltinTasks } from '../../../src/tasks/open-tasks.js';
import { connectWorker, serveCalls } from '../connection/worker-calls.js';
import type { IslandHandlers } from './island-worker.js';
import { SearchSession, type SessionNews, type SessionOrder } from './search-session.js';

function workerHost(): Host {
  const worker = new Worker(new URL('./island-worker.ts', import.meta.url), { type: 'module' });
  const calls = connectWorker<IslandHandlers>(worker);
  return { call: (request: HostRequest) => calls.call('host', request), dispose: calls.dispose };
}

/** Nothing for one island, which needs no other worker. */
function workerField(config: Config): Field | undefined {
  const islands = islandCount(config);
  if (islands === 1) return undefined;
  return new Archipelago(config, openBuiltinTasks, Array.from({ length: islands }, workerHost));
}

/** Orders may come before its tasks are there. */
let session: Promise<SearchSession> | undefined;

const handlers = {
  /** Answers when the search is over. */
  async search(
    { config, isPaused }: { readonly config: Config; readonly isPaused: boolean },
    tell: (news: SessionNews) => void,
  ): Promise<void> {
    session = SearchSession.start(config, workerField(config), isPaused, tell);
    await (await session).goOn();
  },
  async order(order: SessionOrder): Promise<void> {
    (await session)?.obey(order);
  },
};
export type SearchHandlers = typeof handlers;

serveCalls(handlers);

// The runs of the directory as the page knows them, kept up to date by the server's stream. Must not know how they are shown.
import { computed, signal } from '@preact/signals';
import { type ListMessage, ROUTES, type RunSummary, type ServerInfo } from '../../src/server/api.js';
import { getJson } from './api-client.js';
import { openStream } from './connection.js';
import { untilAnswered } from './repeat.js';

interface KnownRuns {
  readonly byId: ReadonlyMap<string, RunSummary>;
  readonly isCut: boolean;
}

export const serverInfo = signal<ServerInfo | undefined>(undefined);
const known = signal<KnownRuns | undefined>(undefined);

/** Undefined before the first answer. */
export const runs = computed(() => known.value && [...known.value.byId.values()]);
export const isListCut = computed(() => known.value?.isCut === true);

function byId(list: readonly RunSummary[]): Map<string, RunSummary> {
  return new Map(list.map((run) => [run.id, run]));
}

function take(message: ListMessage): void {
  if (message.type === 'list') {
    known.value = { byId: byId(message.runs), isCut: message.isCut };
    return;
  }
  const next = new Map(known.value?.byId);
  for (const id of message.removed) next.delete(id);
  for (const run of message.changed) next.set(run.id, run);
  known.value = { byId: next, isCut: known.value?.isCut ?? false };
}

/** A server that was started again may be another one. */
export function loadServerInfo(stop: AbortSignal): void {
  const load = async () => {
    serverInfo.value = await getJson<ServerInfo>(ROUTES.info, stop);
  };
  void untilAnswered(load, stop, () => undefined);
}

/** Follows the list until the function that it returns is called. */
export function followRuns(): () => void {
  const stop = new AbortController();
  const close = openStream({
    path: ROUTES.listStream,
    types: ['list', 'changes'],
    onMessage: (message) => take(message as ListMessage),
    onReopen: () => loadServerInfo(stop.signal),
  });
  return () => {
    stop.abort();
    close();
  };
}

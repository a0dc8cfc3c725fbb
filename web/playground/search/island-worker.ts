// The Web Worker of one island of a search. The other end is search-worker.ts.
import '../quiet-zod.js';
import { type HostReply, type HostRequest, IslandHost } from '../../../src/experiment/island-host.js';
import { serveCalls } from '../connection/worker-calls.js';

const host = new IslandHost();

const handlers = {
  host: (request: HostRequest): HostReply => host.call(request),
};
export type IslandHandlers = typeof handlers;

serveCalls(handlers);

// What a thread of islands runs: answers one request after the other. The other end is thread-host.ts.
import { parentPort } from 'node:worker_threads';
import { type HostRequest, IslandHost } from '../experiment/island-host.js';
import type { ThreadAnswer } from './thread-host.js';

const host = new IslandHost();
const port = parentPort!;

function answer(request: HostRequest): ThreadAnswer {
  try {
    return { reply: host.call(request) };
  } catch (error) {
    const { name, message, stack = '' } = error as Error;
    return { error: { name, message, stack } };
  }
}

port.on('message', (request: HostRequest) => port.postMessage(answer(request)));

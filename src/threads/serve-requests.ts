// What a thread does: answers one request after the other. The other end is thread.ts. Must not know what is asked.
import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from './thread.js';

export function serveRequests<Request, Reply>(answer: (request: Request) => Reply): void {
  const port = parentPort!;
  const tryTo = (request: Request): ThreadAnswer<Reply> => {
    try {
      return { reply: answer(request) };
    } catch (error) {
      const { name, message, stack = '' } = error as Error;
      return { error: { name, message, stack } };
    }
  };
  port.on('message', (request: Request) => port.postMessage(tryTo(request)));
}

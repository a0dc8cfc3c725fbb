// A thread that answers requests, one after the other. The other end is serve-requests.ts. Must not know what is asked.
import { Worker } from 'node:worker_threads';
import { TaskError } from '../engine/engine.js';
import { OutOfMemoryError } from '../wasm/api.js';

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** What a thread answers. */
export type ThreadAnswer<Reply> = { readonly reply: Reply } | { readonly error: ErrorParts };

/** Errors that somebody tells from others. */
const KNOWN_ERRORS: Readonly<Record<string, new (message: string) => Error>> = { OutOfMemoryError, TaskError };

function errorOf({ name, message, stack }: ErrorParts): Error {
  const error = new (KNOWN_ERRORS[name] ?? Error)(message);
  error.stack = stack;
  return error;
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

export class Thread<Request, Reply> {
  private readonly worker: Worker;
  /** In the order of the requests. */
  private waiting: Waiting<Reply>[] = [];
  private failure: Error | undefined;

  constructor(file: URL, workerData?: unknown) {
    this.worker = new Worker(file, { workerData });
    this.worker.on('message', (answer: ThreadAnswer<Reply>) => {
      const { resolve, reject } = this.waiting.shift()!;
      if ('reply' in answer) resolve(answer.reply);
      else reject(errorOf(answer.error));
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('a thread has ended')));
  }

  call(request: Request): Promise<Reply> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(request);
    });
  }

  dispose(): void {
    this.failure ??= new Error('the thread was ended');
    // Nobody waits for its answers any more.
    this.waiting = [];
    this.worker.removeAllListeners();
    this.worker.on('error', () => {});
    void this.worker.terminate();
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    for (const { reject } of this.waiting) reject(this.failure);
    this.waiting = [];
  }
}

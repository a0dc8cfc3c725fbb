// A thread that runs islands: what `IslandHost` does, elsewhere. Tasks lie in memory that all threads share. Must not know what islands do.
import { Worker } from 'node:worker_threads';
import type { Examples, Task } from '../engine/engine.js';
import { OutOfMemoryError } from '../engine/wasm/heap.js';
import type { Host, HostReply, HostRequest } from '../experiment/island-host.js';

/** What a thread answers. */
export type ThreadAnswer =
  | { readonly reply: HostReply }
  | { readonly error: { readonly name: string; readonly message: string; readonly stack: string } };

// --- Tasks in shared memory --------------------------------------------------------------------------------------------

function shareNumbers(numbers: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(numbers.byteLength));
  shared.set(numbers);
  return shared;
}

function shareExamples({ count, features, labels }: Examples): Examples {
  return { count, features: shareNumbers(features), labels: shareNumbers(labels) };
}

/** Each is copied once, whatever number of threads it goes to. */
const shared = new WeakMap<Task, Task>();

function shareTask(task: Task): Task {
  const known = shared.get(task);
  if (known !== undefined) return known;
  const copy = { ...task, train: shareExamples(task.train), valid: shareExamples(task.valid) };
  shared.set(task, copy);
  return copy;
}

function shareRequest(request: HostRequest): HostRequest {
  if (request.type !== 'begin') return request;
  return { ...request, tasks: request.tasks.map((tasks) => tasks?.map(shareTask)) };
}

// --- The thread --------------------------------------------------------------------------------------------------------

function errorOf({ name, message, stack }: { name: string; message: string; stack: string }): Error {
  const error = name === 'OutOfMemoryError' ? new OutOfMemoryError(message) : new Error(message);
  error.stack = stack;
  return error;
}

interface Waiting {
  readonly resolve: (reply: HostReply) => void;
  readonly reject: (error: Error) => void;
}

export class ThreadHost implements Host {
  private readonly worker: Worker;
  /** In the order of the requests. */
  private waiting: Waiting[] = [];
  private failure: Error | undefined;

  constructor() {
    this.worker = new Worker(new URL('./island-thread.js', import.meta.url));
    this.worker.on('message', (answer: ThreadAnswer) => {
      const { resolve, reject } = this.waiting.shift()!;
      if ('reply' in answer) resolve(answer.reply);
      else reject(errorOf(answer.error));
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error("an island's thread has ended")));
  }

  call(request: HostRequest): Promise<HostReply> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(shareRequest(request));
    });
  }

  dispose(): void {
    this.failure ??= new Error("an island's thread was ended");
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

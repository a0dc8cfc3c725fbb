// Requests to a Web Worker and what it answers, by name; the worker may also tell things in between. Both ends are here, so that they
// cannot disagree. Must not know what is asked.

/** What a worker does: each handler answers one kind of request. */
// biome-ignore lint/suspicious/noExplicitAny: every handler has a request type of its own.
export type Handlers = Readonly<Record<string, (request: any, tell: (news: any) => void) => unknown>>;

export type RequestOf<H extends Handlers, K extends keyof H> = Parameters<H[K]>[0];
export type ReplyOf<H extends Handlers, K extends keyof H> = Awaited<ReturnType<H[K]>>;
type NewsOf<H extends Handlers, K extends keyof H> =
  Parameters<H[K]> extends [unknown, (news: infer News) => void] ? News : never;

interface Ask {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
}

type Answer =
  | { readonly id: number; readonly news: unknown }
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };

interface Scope {
  postMessage(message: Answer): void;
  addEventListener(type: 'message', listener: (event: { data: Ask }) => void): void;
}

/** The worker's end. Requests may overlap where a handler waits. */
export function serveCalls(handlers: Handlers): void {
  const scope = globalThis as unknown as Scope;
  const answer = async ({ id, name, request }: Ask): Promise<Answer> => {
    try {
      return { id, reply: await handlers[name]!(request, (news: unknown) => scope.postMessage({ id, news })) };
    } catch (error) {
      const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
      return { id, error: { name: kind, message } };
    }
  };
  scope.addEventListener('message', ({ data }) => {
    void answer(data).then((result) => scope.postMessage(result));
  });
}

export interface WorkerCalls<H extends Handlers> {
  call<K extends keyof H & string>(
    name: K,
    request: RequestOf<H, K>,
    onNews?: (news: NewsOf<H, K>) => void,
  ): Promise<ReplyOf<H, K>>;
  /** Ends the worker, whatever it does; nobody is answered any more. */
  dispose(): void;
}

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
  readonly onNews: ((news: never) => void) | undefined;
}

/** The page's end. */
export function connectWorker<H extends Handlers>(worker: Worker): WorkerCalls<H> {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  const settle = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    if (asked === undefined) return;
    if ('news' in data) {
      asked.onNews?.(data.news as never);
      return;
    }
    waiting.delete(data.id);
    if ('reply' in data) asked.resolve(data.reply as never);
    else asked.reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
  };
  worker.addEventListener('message', settle);
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message || 'the worker could not be started'));
    waiting.clear();
  });
  return {
    call: (name, request, onNews) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject, onNews });
        worker.postMessage({ id, name, request } satisfies Ask);
      }),
    dispose() {
      waiting.clear();
      worker.terminate();
    },
  };
}

// A real dashboard in a process of its own, and clients that ask it what a browser would not: any path, any header.
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { startEvozero } from './cli.js';

export interface DashboardProcess {
  /** With a slash at its end, and the token if there is one. */
  readonly url: string;
  readonly port: number;
  readonly token?: string;
  readonly pid: number;
  /** Ends it as a crash would, and waits until it is gone. */
  readonly kill: () => Promise<void>;
  /** Ends it as Ctrl-C does, whoever looks at it; if it has not been killed before. */
  readonly end: () => Promise<void>;
}

/** Whoever starts one must end it. */
export async function launchDashboard(directory: string, ...flags: string[]): Promise<DashboardProcess> {
  const { child, done } = startEvozero(['dashboard', directory, '--port', '0', '--json', ...flags]);
  const kill = async () => {
    child.kill('SIGKILL');
    await done;
  };
  const end = async () => {
    if (child.signalCode === null) child.kill('SIGTERM');
    const { status, stderr } = await done;
    if (child.signalCode === null && status !== 0) throw new Error(`evozero dashboard ended with ${status}: ${stderr}`);
  };
  let text = '';
  for await (const chunk of child.stdout!) {
    text += chunk;
    if (text.trimEnd().endsWith('}')) return { ...JSON.parse(text), kill, end };
  }
  throw new Error(`evozero dashboard ended: ${(await done).stderr}`);
}

/** Ends with the test. */
export async function startDashboard(directory: string, ...flags: string[]): Promise<DashboardProcess> {
  const dashboard = await launchDashboard(directory, ...flags);
  onTestFinished(dashboard.end);
  return dashboard;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the path as it is. */
export async function ask(
  { port }: Pick<DashboardProcess, 'port'>,
  path: string,
  options: AskOptions = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers }, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) };
}

export async function askJson<T>(dashboard: DashboardProcess, path: string, options?: AskOptions): Promise<T> {
  const { status, body } = await ask(dashboard, path, options);
  if (status >= 300) throw new Error(`${path}: ${status} ${body}`);
  return JSON.parse(body.toString('utf8')) as T;
}

export interface StreamMessage {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect.
  readonly data: any;
}

function parseMessage(block: string): StreamMessage | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  return data === undefined
    ? undefined
    : { event: field('event') ?? 'message', id: field('id'), data: JSON.parse(data) };
}

export interface Stream {
  /** All that came so far. */
  readonly messages: StreamMessage[];
  /** Resolves when a message is as asked, or when the stream has ended. */
  until(isIt: (message: StreamMessage) => boolean): Promise<StreamMessage | undefined>;
  close(): void;
}

/** What an EventSource does, but without reconnecting. */
export async function openStream({ port }: DashboardProcess, path: string, lastId?: string): Promise<Stream> {
  const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  const sent = get({ host: '127.0.0.1', port, path, headers, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  const messages: StreamMessage[] = [];
  let rest = '';
  let hasEnded = false;
  const wake = new Set<() => void>();
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    messages.push(...blocks.map(parseMessage).filter((message) => message !== undefined));
    for (const look of wake) look();
  });
  const end = () => {
    hasEnded = true;
    for (const look of wake) look();
  };
  response.on('error', end).on('close', end);
  sent.on('error', end);
  onTestFinished(() => void sent.destroy());
  return {
    messages,
    until: (isIt) =>
      new Promise((resolve) => {
        const look = () => {
          const found = messages.find(isIt);
          if (found === undefined && !hasEnded) return;
          wake.delete(look);
          resolve(found);
        };
        wake.add(look);
        look();
      }),
    close: () => void sent.destroy(),
  };
}

/** What starts, stops and resumes. */
export function control(body: unknown): AskOptions {
  const headers = { 'X-Evozero-Control': '1', 'Content-Type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

// A real HTTP server on this machine that sends files well or badly, and remembers what it was asked. Each path has a list of
// answers; the last one is given again and again.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Where the asked range begins; 0 if the whole file is asked for. */
  readonly from: number;
}

export type Reply = (exchange: Exchange) => void;

export interface FileServer {
  readonly base: string;
  /** The range headers (or 'whole') in the order of the requests, after the path. */
  readonly asked: readonly string[];
  readonly close: () => void;
}

/** Runs until the test is finished. */
export async function serve(replies: Readonly<Record<string, Reply | readonly Reply[]>>): Promise<FileServer> {
  const asked: string[] = [];
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url!;
    const { range } = request.headers;
    asked.push(`${path} ${range ?? 'whole'}`);
    const list = [replies[path] ?? status(404)].flat();
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    list[Math.min(count, list.length - 1)]!({ request, response, from: Number(/\d+/.exec(range ?? '0')![0]) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

export function status(code: number): Reply {
  return ({ response }) => response.writeHead(code).end('<html>no</html>');
}

function writeHead({ response, from }: Exchange, { length }: Buffer): void {
  const headers = { 'content-length': length - from };
  if (from === 0) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${length - 1}/${length}` });
}

/** As a good server does. */
export function send(content: Buffer): Reply {
  return (exchange) => {
    writeHead(exchange, content);
    exchange.response.end(content.subarray(exchange.from));
  };
}

export function sendIgnoringRanges(content: Buffer): Reply {
  return (exchange) => send(content)({ ...exchange, from: 0 });
}

/** Promises all, but closes the connection when the client has this many of the bytes that it asked for. */
export function sendThenCut(content: Buffer, bytes: number): Reply {
  return (exchange) => {
    const { response, from } = exchange;
    writeHead(exchange, content);
    // The end of a connection comes after its bytes; a reset could overtake them.
    response.write(content.subarray(from, from + bytes), () => response.socket?.end());
  };
}

/** Promises all, and falls silent. */
export function sendThenStall(content: Buffer, bytes: number): Reply {
  return (exchange) => {
    writeHead(exchange, content);
    exchange.response.write(content.subarray(exchange.from, exchange.from + bytes));
  };
}

/** Without a length: pieces with an end mark. */
export function sendChunked(content: Buffer): Reply {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(content.subarray(0, 1));
    response.end(content.subarray(1));
  };
}

/** Answers with just these headers and bytes, right or wrong. */
export function sendRaw(code: number, headers: Record<string, string | number>, body: Buffer): Reply {
  return ({ response }) => {
    response.strictContentLength = false;
    response.writeHead(code, headers);
    response.write(body, () => response.socket?.end());
  };
}

// One GET request: redirects, stalls, and what network errors mean in words. Not the global fetch, because that unpacks what a
// server labels `Content-Encoding: gzip` (MNIST's did so with its .gz files), and then neither length, ranges nor checksum are
// those of the file. Must not know what is fetched.
import { get as getHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getHttps } from 'node:https';
import { PassThrough } from 'node:stream';
import { shorten } from '../util/quote.js';

interface GetOptions {
  /** Ask for what comes from this byte on. */
  readonly from: number;
  /** Silence of this length ends the request. */
  readonly stallMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Piece by piece. A connection that breaks is a NetworkError after the last piece. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/** Why no answer came, or why it stopped. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** The connection was there, and broke: the next one may not. */
  readonly isCut: boolean;

  constructor(message: string, isCut: boolean) {
    super(message);
    this.isCut = isCut;
  }
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 10;
const BUFFER_BYTES = 1 << 20;
const CUT_CODES = ['ECONNRESET', 'ECONNABORTED', 'EPIPE'];
const UNREACHABLE_CODES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name could not be looked up',
  EAI_FAIL: 'its name could not be looked up',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no way to it',
  ENETUNREACH: 'no network',
  EADDRNOTAVAIL: 'no network',
  ETIMEDOUT: 'no answer',
};

class StallError extends Error {}

/** Asks for the file, following redirects. Whoever gets the answer closes it. */
export async function get(address: string, options: GetOptions): Promise<HttpAnswer> {
  let url = parseUrl(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await request(url, options).catch((error: unknown) => {
      throw describeRequestError(url, error);
    });
    const { location } = answer.headers;
    if (location === undefined || !REDIRECTS.includes(answer.status)) return answer;
    answer.close();
    url = parseUrl(location, url);
  }
  throw new NetworkError(`redirects more than ${MOST_REDIRECTS} times`, false);
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const what = base === undefined ? 'this' : `redirects to "${shorten(text)}", which`;
  throw new NetworkError(`${what} is not an http or https address`, false);
}

function request(url: URL, { from, stallMs, signal }: GetOptions): Promise<HttpAnswer> {
  const options: RequestOptions = {
    headers: {
      'user-agent': 'evozero',
      'accept-encoding': 'identity',
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    },
    // No connection of an earlier request, which the server may be about to close.
    agent: false,
    timeout: stallMs,
    signal,
  };
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const sent = (url.protocol === 'https:' ? getHttps : getHttp)(url, options, (received) => {
      response = received;
      resolve(readAnswer(received));
    });
    // Idle since the name lookup, or between two pieces of the body.
    sent.on('timeout', () => (response ?? sent).destroy(new StallError(`nothing came for ${stallMs / 1000} s`)));
    sent.on('error', reject);
  });
}

function describeRequestError(url: URL, error: unknown): NetworkError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (CUT_CODES.includes(code)) return new NetworkError('the connection was cut before an answer', true);
  const trouble = error instanceof StallError ? message : UNREACHABLE_CODES[code];
  if (trouble !== undefined) return new NetworkError(`the host ${url.host} cannot be reached: ${trouble}`, false);
  return new NetworkError(message || code, false);
}

function readAnswer(response: IncomingMessage): HttpAnswer {
  const { statusCode, statusMessage, headers } = response;
  // Node throws away what a broken response has not yet handed on; this keeps it, and begins before anybody asks for it.
  const pieces = new PassThrough({ highWaterMark: BUFFER_BYTES });
  let failure: NetworkError | undefined;
  response.on('error', (error) => {
    failure = new NetworkError(error instanceof StallError ? error.message : 'the connection was cut', true);
    pieces.end();
  });
  response.pipe(pieces);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* pieces;
    if (failure !== undefined) throw failure;
  }
  const close = () => {
    response.destroy();
    pieces.destroy();
  };
  return { status: statusCode!, statusText: statusMessage!, headers, body: body(), close };
}

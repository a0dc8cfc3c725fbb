// Who may ask, and what an answer may do in a browser: the host that a request names (other sites can make their own names lead here), the
// token where other machines can reach the server, the header that only our page sends with what changes something, and the headers of
// every answer. Must not know what is asked. docs/dashboard.md says why.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { CONTROL_HEADER } from './api.js';
import { refuse } from './refusal.js';

// --- Headers -----------------------------------------------------------------------------------------------------------

const PAGE_POLICY = [
  "default-src 'none'",
  // The engine is WebAssembly that is put together in the page.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For documents that a run made: a picture or a report has its own style, and nothing else. */
export const DOCUMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': PAGE_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  // Together they give the playground memory that threads share.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/** Gives every answer its headers, unless it has its own. */
export function addHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    }
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
  };
}

// --- Hosts -------------------------------------------------------------------------------------------------------------

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

export function isLoopback(address: string): boolean {
  return LOOPBACK_NAMES.includes(address) || (isIP(address) === 4 && address.startsWith('127.'));
}

function isEveryAddress(address: string): boolean {
  return ['0.0.0.0', '::', '*', ''].includes(address);
}

/** The names that a request may give the server. */
function hostsOf(address: string): Set<string> {
  const hosts = new Set([...LOOPBACK_NAMES, address.toLowerCase()]);
  if (!isEveryAddress(address)) return hosts;
  hosts.add(hostname().toLowerCase());
  for (const interfaces of Object.values(networkInterfaces()))
    for (const one of interfaces ?? []) hosts.add(one.address);
  return hosts;
}

/** The name in a Host header, without its port; undefined if it is none. A tunnel may have another port. */
function nameInHost(header: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(header) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}

export function checkHost(address: string): MiddlewareHandler {
  const hosts = hostsOf(address);
  return async (context, next) => {
    const name = nameInHost(context.req.header('Host') ?? '');
    if (name === undefined || !hosts.has(name))
      return refuse(context, 403, 'this server does not answer to that host name');
    await next();
    return undefined;
  };
}

// --- Token -------------------------------------------------------------------------------------------------------------

export function makeToken(): string {
  return randomBytes(24).toString('base64url');
}

/** In the same time whatever the texts are, and however long. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Servers on other ports of a host share its cookies, so that each has a name of its own. */
export function cookieOf(token: string): string {
  return `evozero-${createHash('sha256').update(`name of ${token}`).digest('hex').slice(0, 8)}`;
}

const YEAR = 365 * 24 * 60 * 60;

/** Takes the token out of the address, into a cookie that no script can read: addresses stay in histories. */
function exchangeToken(context: Context, token: string, cookie: string): Response {
  setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: YEAR });
  const url = new URL(context.req.url);
  url.searchParams.delete('token');
  return context.redirect(`${url.pathname}${url.search}`, 303);
}

/** Lets in those who have the token: in a cookie, in a header, or once in the address of a page. */
export function checkToken(token: string, cookie: string): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const [, bearer = ''] = /^Bearer (\S+)$/i.exec(req.header('Authorization') ?? '') ?? [];
    const isIn = [isSame(bearer, token), isSame(getCookie(context, cookie) ?? '', token)].some((same) => same);
    const isPage = req.method === 'GET' && !req.path.startsWith('/api/');
    const given = req.query('token');
    if (isPage && given !== undefined && isSame(given, token)) return exchangeToken(context, token, cookie);
    if (!isIn) return refuse(context, 401, 'open the address with the token that evozero dashboard has printed');
    await next();
    return undefined;
  };
}

// --- Changes -----------------------------------------------------------------------------------------------------------

/** Whether a browser says that the request comes from a page of this server; other programs say nothing. */
function isFromHere(context: Context): boolean {
  const origin = context.req.header('Origin');
  const site = context.req.header('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  try {
    return new URL(origin).host === context.req.header('Host');
  } catch {
    return false;
  }
}

/** For requests that change something: only our page, or a program of the user's, may send them. */
export function checkControl(canControl: boolean): MiddlewareHandler {
  return async (context, next) => {
    if (!canControl)
      return refuse(context, 403, 'start evozero dashboard with --allow-control to start, stop and resume runs');
    const isOurs = context.req.header(CONTROL_HEADER.name) === CONTROL_HEADER.value && isFromHere(context);
    if (!isOurs)
      return refuse(context, 403, `only pages of this server may do that, with the header ${CONTROL_HEADER.name}`);
    if (!/^application\/json\b/i.test(context.req.header('Content-Type') ?? '')) {
      return refuse(context, 415, 'expected a body of type application/json');
    }
    await next();
    return undefined;
  };
}

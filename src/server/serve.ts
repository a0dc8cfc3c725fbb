// The dashboard as a server that listens: begun, told where it is, and ended. Must not know commands, nor what it serves.
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.js';
import { isLoopback, makeToken } from './security.js';

export interface DashboardOptions {
  /** The directory of runs, or one run. It is there. */
  readonly directory: string;
  /** To listen on; any but those of this machine alone needs a token, which is made. */
  readonly host: string;
  /** 0 for one that is free. */
  readonly port: number;
  readonly canControl: boolean;
  readonly webDirectory: string;
  readonly version: string;
  readonly onError: (error: unknown) => void;
}

export interface Dashboard {
  /** With the token, if there is one. */
  readonly url: string;
  readonly port: number;
  readonly token?: string;
  close(): Promise<void>;
}

/** It cannot listen there. The message says why. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const MAX_CONNECTIONS = 512;

const REASONS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) => `port ${port} is taken; --port names another, and --port 0 takes one that is free`,
  EACCES: (_, port) => `port ${port} may not be used; --port names another`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine`,
  ENOTFOUND: (host) => `${host} is no address of this machine`,
};

function listen(server: Server, { host, port }: DashboardOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? '']?.(host, port) ?? error.message;
      reject(new ListenError(reason));
    });
    server.listen({ host, port }, resolve);
  });
}

/** An address that a browser can open: one that means all addresses is no place to go to. */
function urlOf(host: string, port: number, token: string | undefined): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  const query = token === undefined ? '' : `?token=${token}`;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}/${query}`;
}

/** Throws ListenError. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { host } = options;
  const token = isLoopback(host) ? {} : { token: makeToken() };
  const app = createApp({ ...options, ...token, address: host });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await listen(server, options);
  } catch (error) {
    app.close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: urlOf(host, port, token.token),
    port,
    ...token,
    close: () =>
      new Promise((resolve) => {
        app.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

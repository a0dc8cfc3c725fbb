// A real Redis server on a free port, with its data in a temporary folder: stopped, killed, frozen and started again by tests.
// Needs redis-server or valkey-server on PATH. Must not know what evozero keeps in it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
// @ts-expect-error: a plain JavaScript file without types
import { ensureRedis } from '../../scripts/system-packages.js';

export interface RedisSettings {
  /** The append-only file, written to disk at every command or every second. */
  readonly appendOnly?: 'always' | 'everysec';
  readonly password?: string;
  /** Speaks TLS only, with a certificate of its own for 127.0.0.1. */
  readonly isEncrypted?: boolean;
  /** Lines of an ACL file. */
  readonly acl?: readonly string[];
  /** As Redis takes it, such as 8mb; nothing is evicted. */
  readonly maxMemory?: string;
}

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** The certificate, where it has one. */
  readonly certificate: string;
  /** A client with all rights, to look and to do harm. */
  readonly client: Redis;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** On the same port, with the same data. */
  restart(): Promise<void>;
}

const START_TIMEOUT = 10_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A certificate that has signed itself, and its key. */
function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...files, ...subject], { stdio: 'pipe' });
}

function serverArguments(folder: string, port: number, settings: RedisSettings): string[] {
  const { appendOnly, password, isEncrypted = false, acl, maxMemory } = settings;
  const args = ['--bind', '127.0.0.1', '--dir', folder, '--save', '', '--daemonize', 'no'];
  args.push('--port', String(isEncrypted ? 0 : port));
  if (appendOnly !== undefined) args.push('--appendonly', 'yes', '--appendfsync', appendOnly);
  if (password !== undefined) args.push('--requirepass', password);
  if (maxMemory !== undefined) args.push('--maxmemory', maxMemory, '--maxmemory-policy', 'noeviction');
  if (acl !== undefined) {
    writeFileSync(join(folder, 'users.acl'), `${acl.join('\n')}\n`);
    args.push('--aclfile', join(folder, 'users.acl'));
  }
  if (isEncrypted) {
    makeCertificate(folder);
    const certificate = join(folder, 'certificate.pem');
    args.push('--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', join(folder, 'key.pem'));
    args.push('--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no');
  }
  return args;
}

function serverCommand(): string {
  ensureRedis();
  return ['redis-server', 'valkey-server'].find((command) => {
    try {
      execFileSync(command, ['--version'], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  })!;
}

/** Waits until it has loaded its data. */
async function untilReady(client: Redis, server: ChildProcess): Promise<void> {
  const end = Date.now() + START_TIMEOUT;
  for (;;) {
    const isReady = await client.ping().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    if (server.exitCode !== null || Date.now() > end) throw new Error('the Redis server does not start');
    await setTimeout(20);
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

/** The caller stops it. */
export async function startRedis(settings: RedisSettings = {}): Promise<TestRedis> {
  const command = serverCommand();
  const folder = mkdtempSync(join(tmpdir(), 'evozero-redis-'));
  const port = await freePort();
  const args = serverArguments(folder, port, settings);
  const start = () => spawn(command, args, { stdio: 'ignore' });
  let server = start();
  const { password, isEncrypted = false } = settings;
  const client = new Redis({
    host: '127.0.0.1',
    port,
    ...(password === undefined ? {} : { password }),
    ...(isEncrypted ? { tls: { rejectUnauthorized: false } } : {}),
    retryStrategy: () => 20,
    maxRetriesPerRequest: 1,
  });
  client.on('error', () => {});
  await untilReady(client, server);
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return {
    url: `${isEncrypted ? 'rediss' : 'redis'}://${login}127.0.0.1:${port}`,
    port,
    certificate: join(folder, 'certificate.pem'),
    client,
    stop: async () => {
      client.disconnect();
      server.kill('SIGCONT');
      await end(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
    kill: () => end(server, 'SIGKILL'),
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    restart: async () => {
      server = start();
      await untilReady(client, server);
    },
  };
}

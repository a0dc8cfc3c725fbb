import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkHost, checkToken, cookieOf, isLoopback, makeToken } from './security.js';

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const compare = vi.mocked(timingSafeEqual);
beforeEach(() => {
  compare.mockClear();
});

const token = makeToken();
const app = new Hono().use(checkToken(token, cookieOf(token))).get('*', (context) => context.text('inside'));
const ask = async (bearer: string) =>
  (await app.request('/api/runs', { headers: { Authorization: `Bearer ${bearer}` } })).status;

describe('a token', () => {
  it('is never the same twice, and cannot be guessed', () => {
    expect(makeToken()).not.toBe(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(24);
  });

  it.each([
    ['of another length', 'x'],
    ['with a good beginning', `${token.slice(0, -1)}!`],
    ['that goes on', `${token}x`],
    ['that is right', token],
  ])('%s is compared as a digest, in constant time', async (_, given) => {
    expect(await ask(given)).toBe(given === token ? 200 : 401);
    const digest = (text: string) => createHash('sha256').update(text).digest();
    expect(compare).toHaveBeenCalledWith(digest(given), digest(token));
  });

  it('is compared in no other way', async () => {
    compare.mockReturnValue(true);
    expect(await ask('nonsense')).toBe(200);
    compare.mockReturnValue(false);
    expect(await ask(token)).toBe(401);
    compare.mockReset();
  });
});

describe('a host', () => {
  const statusOf = async (address: string, host: string) => {
    const server = new Hono().use(checkHost(address)).get('*', (context) => context.text('inside'));
    return (await server.request('/', { headers: { Host: host } })).status;
  };

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:8420', '127.0.0.1:1', '[::1]:8420'])('%s is ours', async (host) => {
    expect(await statusOf('127.0.0.1', host)).toBe(200);
  });

  it.each([
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:8420',
    'localhost@evil.example',
    '::1',
    '10.0.0.1',
  ])('%s is not', async (host) => {
    expect(await statusOf('127.0.0.1', host)).toBe(403);
  });

  it('is what the server was given too', async () => {
    expect(await statusOf('192.168.7.7', '192.168.7.7:8420')).toBe(200);
    expect(await statusOf('192.168.7.7', '192.168.7.8:8420')).toBe(403);
  });

  it('is on this machine alone, or not', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', ''].some(isLoopback)).toBe(false);
  });
});

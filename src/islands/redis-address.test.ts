import { describe, expect, it } from 'vitest';
import { parseRedisAddress } from './redis-address.js';

describe('an address', () => {
  it('has a host, and what else is given', () => {
    expect(parseRedisAddress('redis://localhost')).toEqual({
      host: 'localhost',
      port: 6379,
      db: 0,
      isEncrypted: false,
      shown: 'redis://localhost:6379',
    });
    expect(parseRedisAddress('rediss://me:p%40ss%3A@[::1]:7000/3')).toEqual({
      host: '::1',
      port: 7000,
      username: 'me',
      password: 'p@ss:',
      db: 3,
      isEncrypted: true,
      shown: 'rediss://me@[::1]:7000/3',
    });
  });

  it.each([
    ['', 'not an address'],
    ['localhost:6379', 'neither redis:// nor rediss://'],
    ['http://localhost', 'neither redis:// nor rediss://'],
    ['redis://', 'it has no host'],
    ['redis://localhost:99999', 'not an address'],
    ['redis://localhost/x', 'the database is a number'],
    ['redis://localhost/1/2', 'the database is a number'],
    ['redis://localhost/9999999999', 'the database is a number'],
    ['redis://localhost?db=1', 'neither ? nor #'],
  ])('is refused: %s', (text, why) => {
    expect(() => parseRedisAddress(text)).toThrow(why);
  });

  it.each([
    'redis://me:sec#ret@host',
    'redis://me:sec?ret@host',
    'redis://me:sec/ret@host',
    'redis://me:sec@ret@host:x',
    'redis://me:%secret@host',
    'me:secret@host',
  ])('never shows a password: %s', (text) => {
    let message = '';
    try {
      message = parseRedisAddress(text).shown;
    } catch (error) {
      message = String(error);
    }
    expect(message).not.toMatch(/sec|ret/);
    expect(message).toContain('host');
  });
});

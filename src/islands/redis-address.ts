// Where a Redis server is, and how it is shown: redis:// or rediss:// with user, password, host, port and database. Must not
// connect to it.
import { printable, shorten } from '../util/quote.js';
import { RedisMistake } from './redis-errors.js';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db: number;
  readonly isEncrypted: boolean;
  /** The address without the password. */
  readonly shown: string;
}

const DEFAULT_PORT = 6379;

/** A text that may hold a password anywhere before its last @. */
function hideSecrets(text: string): string {
  const after = text.lastIndexOf('@');
  const [scheme = ''] = /^rediss?:\/\//.exec(text) ?? [];
  return shorten(printable(after < 0 ? text : `${scheme}...${text.slice(after)}`), 100);
}

function wrong(text: string, why: string): RedisMistake {
  return new RedisMistake(`${hideSecrets(text)}: ${why}; expected redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]`);
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw wrong(text, 'not an address');
  }
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(text, 'a % that is part of the user or password must be written %25');
  }
}

export function parseRedisAddress(text: string): RedisAddress {
  const url = parseUrl(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') throw wrong(text, 'neither redis:// nor rediss://');
  if (url.hostname === '') throw wrong(text, 'it has no host');
  // An unescaped # or ? in a password would end up here.
  if (url.search !== '' || url.hash !== '')
    throw wrong(text, 'neither ? nor # may be in it; a password can have %3F and %23');
  const [isDatabase, db = '0'] = /^\/?(\d{1,9})?$/.exec(url.pathname) ?? [];
  if (isDatabase === undefined) throw wrong(text, 'the database is a number');
  const [username, password] = [decode(text, url.username), decode(text, url.password)];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const user = username === '' ? '' : `${url.username}@`;
  return {
    host,
    port,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    db: Number(db),
    isEncrypted: url.protocol === 'rediss:',
    shown: `${url.protocol}//${user}${url.hostname}:${port}${db === '0' ? '' : `/${db}`}`,
  };
}

// The two ways in which Redis fails: mistakes that somebody must mend, and outages that pass. Turns what sockets, TLS and Redis
// itself say into one clear line. Must not print passwords: it is given addresses without them.
import { printable, shorten } from '../util/quote.js';

/** Somebody must change something: the address, the password, a name. */
export class RedisMistake extends Error {}

/** Redis does not answer or cannot write now. A search goes on without it and tries again later. */
export class RedisOutage extends Error {}

/** What a server says when it will do, later, what it cannot do now. */
const PASSING =
  /^(OOM|LOADING|BUSY|READONLY|MASTERDOWN|MISCONF|NOREPLICAS|TRYAGAIN|CLUSTERDOWN|UNBLOCKED|ERR max number of clients)/;

/** The server answered, with an error. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

export function isPassing(error: Error): boolean {
  return PASSING.test(error.message);
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: is Redis running there?',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host, or no name server answers',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'it closed the connection: does it expect TLS (rediss://)?',
  EPROTO: 'no answer in TLS: is it redis://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no answer in TLS: is it redis://?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Codes of Node for certificates that no known authority has signed. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/;

function explainCode(code: string): string | undefined {
  if (UNTRUSTED.test(code)) {
    return 'its certificate is not trusted; EVOZERO_REDIS_CA can name a file with the certificate of its authority';
  }
  return NETWORK[code];
}

function explainReply(text: string): string | undefined {
  if (/^(WRONGPASS|ERR invalid password)/.test(text)) return 'wrong user name or password';
  if (/^(NOAUTH|ERR operation not permitted)/.test(text)) return 'it asks for a password: redis://:PASSWORD@HOST';
  if (/NOPERM|ACL failure|can't run this command|can't access at least one/.test(text)) {
    return 'the user may not do what evozero needs; see "ACL" in docs/distributed.md';
  }
  if (/^ERR DB index/.test(text)) return 'it has no database of that number';
  if (/^(MOVED|CROSSSLOT)/.test(text)) return 'it is part of a Redis Cluster, which evozero cannot use';
  return undefined;
}

/** Why a server that was to be connected to cannot be used, in one line. */
export function explainMistake(url: string, error: unknown): RedisMistake {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A server that waits for commands has nothing to say to TLS.
  const isSilent = code === 'ETIMEDOUT' && url.startsWith('rediss:');
  const why = explainCode(isSilent ? 'EPROTO' : code) ?? explainReply(text) ?? shorten(printable(text), 200);
  return new RedisMistake(`${url}: ${why}`);
}

import { describe, expect, it } from 'vitest';
import { explainMistake, isPassing } from './redis-errors.js';

const failed = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });
const explain = (error: Error, url = 'redis://host:1') => explainMistake(url, error).message;

describe('what a server or the network says', () => {
  it('becomes one line', () => {
    expect(explain(failed('connect ECONNREFUSED', 'ECONNREFUSED'))).toBe(
      'redis://host:1: connection refused: is Redis running there?',
    );
    expect(explain(failed('WRONGPASS invalid'))).toBe('redis://host:1: wrong user name or password');
    expect(explain(failed('NOPERM this user'))).toContain('may not do what evozero needs');
    expect(explain(failed('self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'))).toContain('EVOZERO_REDIS_CA');
    expect(explain(failed('timeout', 'ETIMEDOUT'))).toBe('redis://host:1: no answer');
    expect(explain(failed('timeout', 'ETIMEDOUT'), 'rediss://host:1')).toContain('no answer in TLS');
    expect(explain(failed(`ERR something\nelse ${'x'.repeat(1000)}`))).toMatch(
      /^redis:\/\/host:1: ERR something.else x+\.\.\.$/,
    );
  });

  it('passes, or does not', () => {
    expect(isPassing(failed('OOM command not allowed'))).toBe(true);
    expect(isPassing(failed('LOADING Redis is loading'))).toBe(true);
    expect(isPassing(failed('WRONGTYPE Operation'))).toBe(false);
  });
});

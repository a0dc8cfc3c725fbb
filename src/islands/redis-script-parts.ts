// What Lua scripts of Redis are made of. A script runs whole, without anything in between; that is what keeps checkpoints and
// reports together. Must not know a client.
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/**
 * Functions for every script. Values are checked wherever they are read, since anyone may have written anything; `rubbish`
 * counts what was thrown away.
 */
const COMMON = `
local rubbish = 0

-- Whether the key has this type. What has another is deleted, so that the next write heals it.
local function has(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == kind then return true end
  if found ~= 'none' then
    redis.call('UNLINK', key)
    rubbish = rubbish + 1
  end
  return false
end

local function renew(lifetime, ...)
  for _, key in ipairs({...}) do redis.call('PEXPIRE', key, lifetime) end
end

-- Ids of streams, for comparison as texts.
local function ordered(id)
  local ms, seq = string.match(id, '^(%d+)%-(%d+)$')
  if not ms then ms, seq = string.match(id, '^%d+$') or '0', '0' end
  return string.rep('0', 20 - #ms) .. ms .. string.rep('0', 20 - #seq) .. seq
end

local function lastId(stream)
  local info = redis.call('XINFO', 'STREAM', stream)
  for k = 1, #info, 2 do
    if info[k] == 'last-generated-id' then return info[k + 1] end
  end
end
`;

/**
 * With memory exhausted, Redis refuses a script as a whole before it runs, unless it may go on: those that read or write very
 * little may.
 */
export function makeScript(body: string, { isSmall = false } = {}): Script {
  const text = `#!lua${isSmall ? ' flags=allow-oom' : ''}\n${COMMON}${body}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

// The scripts that look after BullMQ's queues from outside: where islands are, jobs that fell out of all lists, lifetimes, and
// garbage that would stop BullMQ's own scripts for every worker. Must not change what BullMQ is at work on.
import { queueKey } from './redis-keys.js';
import { makeScript, type Script } from './redis-script-parts.js';

const FUNCTIONS = `
local function endOf(text, prefix)
  return string.sub(text, 1, #prefix) == prefix and string.sub(text, #prefix + 1) or nil
end

-- The islands of an experiment whose jobs are in a list or sorted set.
local function islandsIn(key, kind, prefix)
  local found = {}
  if not has(key, kind) then return found end
  local ids = kind == 'list' and redis.call('LRANGE', key, 0, -1) or redis.call('ZRANGE', key, 0, -1)
  for _, id in ipairs(ids) do found[#found + 1] = endOf(id, prefix) end
  return found
end
`;

/** KEYS: wait, active, failed. ARGV: how the experiment's job ids begin. Answers the islands in each. */
export const SURVEY: Script = makeScript(
  `${FUNCTIONS}
local answer = { 0, islandsIn(KEYS[1], 'list', ARGV[1]), islandsIn(KEYS[2], 'list', ARGV[1]),
  islandsIn(KEYS[3], 'zset', ARGV[1]) }
answer[1] = rubbish
return answer
`,
  { isSmall: true },
);

/**
 * KEYS: wait, active, failed. ARGV: how the experiment's job ids begin, how keys of jobs begin, the lifetime, then islands.
 * Answers those that are in no list, and deletes what is left of their jobs: BullMQ does not add a job whose key exists, nor
 * remove one that seems locked.
 */
export const FIND_LOST: Script = makeScript(
  `${FUNCTIONS}
local queued = {}
for k, list in ipairs({ 'wait', 'active', 'failed' }) do
  for _, island in ipairs(islandsIn(KEYS[k], k == 3 and 'zset' or 'list', ARGV[1])) do queued[island] = list end
end
local lost = { 0 }
for k = 4, #ARGV do
  local job = ARGV[2] .. ARGV[1] .. ARGV[k]
  if queued[ARGV[k]] then
    redis.call('PEXPIRE', job, ARGV[3])
  else
    redis.call('UNLINK', job)
    lost[#lost + 1] = ARGV[k]
  end
  if queued[ARGV[k]] ~= 'active' then redis.call('UNLINK', job .. ':lock') end
end
lost[1] = rubbish
return lost
`,
  { isSmall: true },
);

/** BullMQ's keys and their types; those that hold jobs first. */
const HOLDERS = {
  wait: 'list',
  active: 'list',
  failed: 'zset',
  delayed: 'zset',
  prioritized: 'zset',
  completed: 'zset',
};
const REST = { meta: 'hash', id: 'string', events: 'stream', marker: 'zset', stalled: 'set', pc: 'string' };
const PARTS = { ...HOLDERS, ...REST };

/** The keys that TIDY takes. */
export function tidyKeys(format: number): string[] {
  return ['tidied', 'stalled-check', ...Object.keys(PARTS)].map((part) => queueKey(format, part));
}

/**
 * Done by one worker in each interval; at once if that is 0. KEYS: tidyKeys. ARGV: the interval, the lifetime, how keys of jobs
 * begin. Deletes what would make BullMQ's scripts fail, renews lifetimes, and leaves nothing of a queue without jobs.
 */
export const TIDY: Script = makeScript(
  `
local GATES, HOLDERS = 2, ${Object.keys(HOLDERS).length}
local active, meta, id, events, stalled = KEYS[4], KEYS[9], KEYS[10], KEYS[11], KEYS[13]
-- Keys whose existence stops work for a moment must not stop it for ever.
local function isForever(key)
  local left = redis.call('PTTL', key)
  return left == -1 or left > 3600000
end
for k = 1, GATES do
  if isForever(KEYS[k]) then redis.call('UNLINK', KEYS[k]) end
end
if tonumber(ARGV[1]) > 0 and not redis.call('SET', KEYS[1], 1, 'NX', 'PX', ARGV[1]) then return { 0 } end
for k, kind in ipairs({ ${Object.values(PARTS)
    .map((kind) => `'${kind}'`)
    .join(', ')} }) do has(KEYS[GATES + k], kind) end

local function discard(key)
  redis.call('UNLINK', key)
  rubbish = rubbish + 1
end
local function isCount(text)
  return not text or string.match(text, '^%d+$') and #text <= 15
end

local counts = redis.call('HMGET', meta, 'opts.maxLenEvents', 'concurrency', 'max', 'duration')
for _, count in ipairs(counts) do
  if not isCount(count) then
    discard(meta)
    break
  end
end
if not isCount(redis.call('GET', id)) then discard(id) end
-- Nobody can add to a stream whose ids are used up.
if redis.call('EXISTS', events) == 1 and #lastId(events) > 30 then discard(events) end

local FIELDS = {}
for _, field in ipairs({ 'name', 'data', 'opts', 'timestamp', 'delay', 'priority', 'processedOn', 'finishedOn', 'pb',
  'failedReason', 'stacktrace', 'returnvalue', 'atm', 'ats', 'stc' }) do FIELDS[field] = true end
local function isSound(job)
  if not has(job, 'hash') then return false end
  for _, field in ipairs(redis.call('HKEYS', job)) do
    if not FIELDS[field] then return false end
  end
  for _, text in ipairs(redis.call('HMGET', job, 'data', 'opts')) do
    local isJson, value = pcall(cjson.decode, text)
    if not isJson or type(value) ~= 'table' then return false end
  end
  for _, text in ipairs(redis.call('HMGET', job, 'atm', 'ats', 'stc', 'priority')) do
    if not isCount(text) then return false end
  end
  return true
end
for _, jobId in ipairs(redis.call('LRANGE', active, 0, -1)) do
  local job = ARGV[3] .. jobId
  if isForever(job .. ':lock') then discard(job .. ':lock') end
  if isSound(job) then
    redis.call('PEXPIRE', job, ARGV[2])
  else
    discard(job)
    redis.call('LREM', active, 0, jobId)
    redis.call('SREM', stalled, jobId)
  end
end

if redis.call('EXISTS', unpack(KEYS, GATES + 1, GATES + HOLDERS)) == 0 then
  redis.call('UNLINK', unpack(KEYS))
else
  renew(ARGV[2], unpack(KEYS, GATES + 1))
end
return { rubbish }
`,
  { isSmall: true },
);

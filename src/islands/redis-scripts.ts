// The scripts that own an experiment in Redis: its description, who has which island, checkpoints, reports and the reason to
// stop. Each is one round trip and may be sent again without harm.
import { MAX_REASON_LENGTH } from './redis-keys.js';
import { makeScript, type Script } from './redis-script-parts.js';

/**
 * KEYS of all: about, states, stop. The first of ARGV of all: the experiment's id, the lifetime.
 *
 * A state is the text `TOKEN SEQUENCE PUBLISHED ROUND DONE ALGORITHMS BEST`: the newest claim; of that claim, the last save, the
 * number of reports published and the last exchange; and what saves say of the island. Tokens are times, so that newer claims
 * have larger ones even if Redis has lost the last.
 */
export const STATES = `
local about, states, stop = KEYS[1], KEYS[2], KEYS[3]
local id, lifetime = ARGV[1], ARGV[2]
local LARGEST = 9e15

-- Another experiment may have the name by now. An unreadable description does not end an experiment.
local function lives()
  local stored = redis.pcall('HGET', about, 'id')
  if type(stored) == 'string' and #stored == 32 and string.match(stored, '^%x+$') then return stored == id end
  return redis.call('EXISTS', about) == 1
end

local function readState(island)
  if not has(states, 'hash') then return nil end
  local text = redis.call('HGET', states, island)
  if not text then return nil end
  local token, sequence, published, round, done, algorithms, best
  if #text <= 200 then
    token, sequence, published, round, done, algorithms, best =
      string.match(text, '^(%d+) (%d+) (%d+) (%d+) ([01]) (%d+) (%S+)$')
  end
  local state = token and {
    token = tonumber(token), sequence = tonumber(sequence), published = tonumber(published), round = tonumber(round),
    done = done, algorithms = algorithms, best = best,
  }
  if state and math.max(state.token, state.sequence, state.published, state.round) < LARGEST then return state end
  rubbish = rubbish + 1
  return nil
end

local function writeState(island, state)
  redis.call('HSET', states, island, string.format('%.0f %.0f %.0f %.0f %s %s %s', state.token, state.sequence,
    state.published, state.round, state.done, state.algorithms, state.best))
end

-- The state of the claim with this token; nil if a newer one exists. Redis may have lost it.
local function ownState(island, token)
  local state = readState(island)
  if not state then return { token = token, sequence = 0, round = 0, done = '0', algorithms = '0', best = '-' } end
  if state.token > token then return nil end
  if state.token < token then
    state.token, state.sequence, state.published, state.round = token, 0, nil, 0
  end
  return state
end

local function readStop()
  if not has(stop, 'string') then return false end
  if redis.call('STRLEN', stop) <= ${4 * MAX_REASON_LENGTH} then return redis.call('GET', stop) end
  redis.call('UNLINK', stop)
  rubbish = rubbish + 1
  return false
end
`;

/** KEYS: about. ARGV: lifetime, id, then fields and values. Answers the time of creation, or 0 if the name is taken. */
export const CREATE: Script = makeScript(`
local about = KEYS[1]
if redis.call('EXISTS', about) == 1 then
  -- The answer to the first try may have been lost.
  if redis.pcall('HGET', about, 'id') == ARGV[2] then return redis.call('HGET', about, 'created') end
  return 0
end
local now = redis.call('TIME')
local created = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('HSET', about, 'id', ARGV[2], 'created', created, unpack(ARGV, 3))
renew(ARGV[1], about)
return created
`);

/** KEYS: about. ARGV: the longest value. Answers nothing if there is none, and 0 if it is unreadable. */
export const DESCRIBE: Script = makeScript(
  `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 0 end
local fields = { 'id', 'created', 'config', 'islands', 'format', 'evozero' }
for _, field in ipairs(fields) do
  if redis.call('HSTRLEN', KEYS[1], field) > tonumber(ARGV[1]) then return 0 end
end
return redis.call('HMGET', KEYS[1], unpack(fields))
`,
  { isSmall: true },
);

/**
 * Mends the description and renews every lifetime. KEYS, besides: reports, pool, sizes. ARGV, besides: how checkpoints begin,
 * the number of islands, then fields and values. Answers whether the experiment still exists.
 */
export const RESTORE: Script = makeScript(
  `${STATES}
if not lives() then return { rubbish, 0 } end
has(about, 'hash')
redis.call('HSET', about, unpack(ARGV, 5))
renew(lifetime, unpack(KEYS))
for island = 0, ARGV[4] - 1 do redis.call('PEXPIRE', ARGV[3] .. island, lifetime) end
return { rubbish, 1 }
`,
  { isSmall: true },
);

/** KEYS, besides: checkpoint. ARGV, besides: island, the largest checkpoint. */
export const CLAIM: Script = makeScript(
  `${STATES}
local checkpoint, island = KEYS[4], ARGV[3]
if not lives() then return { rubbish } end
local now = redis.call('TIME')
local state = readState(island) or { token = 0, done = '0', algorithms = '0', best = '-' }
state.token = math.max(state.token + 1, now[1] * 1e6 + now[2])
state.sequence, state.published, state.round = 0, 0, 0
writeState(island, state)
renew(lifetime, about, states, stop, checkpoint)
local saved = false
if has(checkpoint, 'string') then
  if redis.call('STRLEN', checkpoint) <= tonumber(ARGV[4]) then
    saved = redis.call('GET', checkpoint)
  else
    redis.call('UNLINK', checkpoint)
    rubbish = rubbish + 1
  end
end
return { rubbish, string.format('%.0f', state.token), tonumber(state.done), state.algorithms, readStop(), saved }
`,
  { isSmall: true },
);

/**
 * KEYS, besides: checkpoint, reports. ARGV, besides: island, token, sequence, number of this claim's reports that are known to
 * be published, done, algorithms, best, checkpoint, then reports. Answers whether the claim still holds.
 */
export const SAVE: Script = makeScript(`${STATES}
local checkpoint, reports = KEYS[4], KEYS[5]
local island, token, sequence, known = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local FIRST = 11
if not lives() then return { rubbish, 0 } end
local state = ownState(island, token)
if not state then return { rubbish, 0 } end
if sequence <= state.sequence then return { rubbish, 1 } end

has(reports, 'stream')
-- An earlier save may have published some of these although its answer was lost.
local published = math.max(state.published or known, known)
for k = FIRST + published - known, #ARGV do
  local added = redis.pcall('XADD', reports, '*', 'island', island, 'text', ARGV[k])
  if type(added) == 'table' and added.err then
    -- Somebody used up the ids of the stream.
    redis.call('UNLINK', reports)
    rubbish = rubbish + 1
    redis.call('XADD', reports, '*', 'island', island, 'text', ARGV[k])
  end
end
state.sequence, state.published = sequence, math.max(published, known + #ARGV - FIRST + 1)
state.done, state.algorithms, state.best = ARGV[7], ARGV[8], ARGV[9]
writeState(island, state)
redis.call('SET', checkpoint, ARGV[10], 'PX', lifetime)
renew(lifetime, about, states, stop, reports)
return { rubbish, 1 }
`);

/** ARGV, besides: the number of islands. Answers the reason to stop and the states. */
export const STATUS: Script = makeScript(
  `${STATES}
local answer = { rubbish, readStop() }
if has(states, 'hash') then
  local count, CHUNK = tonumber(ARGV[3]), 1000
  for first = 0, count - 1, CHUNK do
    local fields = {}
    for island = first, math.min(first + CHUNK, count) - 1 do fields[#fields + 1] = island end
    for _, state in ipairs(redis.call('HMGET', states, unpack(fields))) do
      answer[#answer + 1] = state and #state <= 200 and state or (state and '') or false
    end
  end
end
answer[1] = rubbish
return answer
`,
  { isSmall: true },
);

/** The first reason stays. ARGV, besides: reason. Answers whether the experiment still exists. */
export const STOP: Script = makeScript(
  `${STATES}
if not lives() then return { rubbish, 0 } end
if not readStop() then redis.call('SET', stop, ARGV[3]) end
renew(lifetime, about, stop)
return { rubbish, 1 }
`,
  { isSmall: true },
);

/**
 * KEYS: reports. ARGV: after which id, how many, number of islands, largest text, most text. Answers the id of the last one
 * looked at, then islands and texts.
 */
export const READ_REPORTS: Script = makeScript(
  `
local answer = { 0, ARGV[1] }
if has(KEYS[1], 'stream') then
  local after = ARGV[1]
  -- The stream was deleted, and has begun again with smaller ids.
  if ordered(lastId(KEYS[1])) < ordered(after) then after = '0-0' end
  local entries = redis.pcall('XRANGE', KEYS[1], '(' .. after, '+', 'COUNT', ARGV[2])
  local total = 0
  for _, entry in ipairs(entries) do
    local fields = entry[2]
    local isReport = #fields == 4 and fields[1] == 'island' and fields[3] == 'text'
      and string.match(fields[2], '^%d%d?%d?%d?%d?%d?$') and tonumber(fields[2]) < tonumber(ARGV[3])
      and #fields[4] <= tonumber(ARGV[4])
    if isReport then
      total = total + #fields[4]
      if total > tonumber(ARGV[5]) and #answer > 2 then break end
      answer[#answer + 1] = fields[2]
      answer[#answer + 1] = fields[4]
    else
      rubbish = rubbish + 1
    end
    answer[2] = entry[1]
  end
end
answer[1] = rubbish
return answer
`,
  { isSmall: true },
);

/** KEYS: reports. ARGV: the oldest id to keep. */
export const TRIM_REPORTS: Script = makeScript(
  `
if has(KEYS[1], 'stream') then redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1]) end
return { rubbish }
`,
  { isSmall: true },
);

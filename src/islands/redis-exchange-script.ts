// The exchange of programs as one script (paper, supplement "Parallelism"): an island's programs replace its last ones in the
// pool, and it gets others, drawn evenly from the last programs of all islands.
import { MAX_PROGRAM_BYTES, MAX_PROGRAMS } from './redis-keys.js';
import { makeScript, type Script } from './redis-script-parts.js';
import { STATES } from './redis-scripts.js';

/**
 * KEYS, besides: pool, sizes. ARGV, besides: island, token, round, how many to draw, a seed, then programs. Answers whether the
 * claim still holds, the reason to stop, and programs.
 *
 * A draw takes any island of the sorted set and any number below the largest size, and counts if the island has so many
 * programs: exactly even, however sizes differ, which HRANDFIELD is not. Where sizes are equal, every draw counts.
 */
export const EXCHANGE: Script = makeScript(`${STATES}
local pool, sizes = KEYS[4], KEYS[5]
local island, token, round, wanted = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local FIRST, MOST, TRIES, PASSES = 8, ${MAX_PROGRAMS}, 20, 3
if not lives() then return { rubbish, 0, false } end
local state = ownState(island, token)
if not state then return { rubbish, 0, readStop() } end

has(pool, 'hash')
if has(sizes, 'zset') then
  rubbish = rubbish + redis.call('ZREMRANGEBYSCORE', sizes, '(' .. MOST, '+inf')
    + redis.call('ZREMRANGEBYSCORE', sizes, '-inf', '(1')
end

if round > state.round then
  local count = #ARGV - FIRST + 1
  local before = tonumber(redis.call('ZSCORE', sizes, island) or 0)
  local surplus = {}
  for k = count, before - 1 do surplus[#surplus + 1] = island .. ':' .. k end
  if #surplus > 0 then redis.call('HDEL', pool, unpack(surplus)) end
  if count > 0 then
    local fields = {}
    for k = 0, count - 1 do
      fields[2 * k + 1] = island .. ':' .. k
      fields[2 * k + 2] = ARGV[FIRST + k]
    end
    redis.call('HSET', pool, unpack(fields))
    redis.call('ZADD', sizes, count, island)
  else
    redis.call('ZREM', sizes, island)
  end
  state.round, state.published = round, state.published or 0
  writeState(island, state)
  renew(lifetime, about, states, stop, pool, sizes)
end

local answer = { rubbish, 1, readStop() }
math.randomseed(tonumber(ARGV[7]))
local function draw(count, largest)
  local rank = math.random(count) - 1
  local found = redis.call('ZRANGE', sizes, rank, rank, 'WITHSCORES')
  local index = math.random(largest) - 1
  if index < tonumber(found[2]) then return found[1], index end
end

for _ = 1, PASSES do
  local missing = wanted - (#answer - 3)
  local count = redis.call('ZCARD', sizes)
  if missing <= 0 or count == 0 then break end
  local largest = math.ceil(tonumber(redis.call('ZRANGE', sizes, -1, -1, 'WITHSCORES')[2]))
  local fields, owners = {}, {}
  for _ = 1, missing * TRIES do
    local owner, index = draw(count, largest)
    if owner then
      fields[#fields + 1] = owner .. ':' .. index
      owners[#owners + 1] = owner
      if #fields == missing then break end
    end
  end
  if #fields == 0 then break end
  for k, program in ipairs(redis.call('HMGET', pool, unpack(fields))) do
    if program and #program <= ${MAX_PROGRAM_BYTES} then
      answer[#answer + 1] = program
    else
      -- Not what its island uploaded. The island comes back with its next upload.
      redis.call('ZREM', sizes, owners[k])
      redis.call('HDEL', pool, fields[k])
      rubbish = rubbish + 1
    end
  end
end
answer[1] = rubbish
return answer
`);

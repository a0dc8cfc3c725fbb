// The exchange of programs as one script (paper, supplement "Parallelism"): an island's programs replace its last ones in the
// pool, and it gets others, drawn evenly from the last programs of all islands.
import { MAX_PROGRAM_BYTES, MAX_PROGRAMS } from './redis-keys.js';
import { makeScript, type Script } from './redis-script-parts.js';
import { STATES } from './redis-scripts.js';

/** In milliseconds: lifetimes are renewed when this much of them is over, which saves five commands in most exchanges. */
const RENEWAL = 3600 * 1000;

/**
 * How many programs each island has in the pool: a text of two bytes each, so that a draw needs no command. The first two are
 * the largest number so far, then come the islands.
 */
const SIZES = `
local function sizeAt(place)
  local high, low = string.byte(directory, 2 * place + 1, 2 * place + 2)
  return low and high * 256 + low or 0
end

local function setSize(place, size)
  if sizeAt(place) == size then return end
  redis.call('SETRANGE', sizes, 2 * place, string.char(math.floor(size / 256), size % 256))
  directory = redis.call('GET', sizes)
end

if has(sizes, 'string') then
  if redis.call('STRLEN', sizes) <= 2 * (islands + 1) then directory = redis.call('GET', sizes) end
  if directory == '' or #directory % 2 == 1 or sizeAt(0) > MOST then
    redis.call('UNLINK', sizes)
    directory, rubbish = '', rubbish + 1
  end
end
`;

/**
 * KEYS, besides: pool, sizes. ARGV, besides: island, number of islands, token, round, how many to draw, a seed, then programs.
 * Answers whether the claim still holds, the reason to stop, and programs.
 *
 * A quick draw takes any island and any number below the largest size, and counts if the island has so many programs: exactly
 * even, which HRANDFIELD is not. Where few islands have programs, or sizes differ much, the rest is drawn from sums of sizes.
 */
export const EXCHANGE: Script = makeScript(`${STATES}
local pool, sizes = KEYS[4], KEYS[5]
local island, islands, token = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local round, wanted = tonumber(ARGV[6]), tonumber(ARGV[7])
local FIRST, MOST, TRIES, PASSES = 9, ${MAX_PROGRAMS}, 4, 3
if not lives() then return { rubbish, 0, false } end
local state = ownState(island, token)
if not state then return { rubbish, 0, readStop() } end

-- Joining numbers by '..' would print them as floating-point numbers first, which showed in a profile.
local function fieldOf(owner, index)
  return string.format('%d:%d', owner - 1, index)
end

has(pool, 'hash')
local directory = ''
${SIZES}

if round > state.round then
  local count, before = #ARGV - FIRST + 1, math.min(sizeAt(island + 1), MOST)
  local surplus = {}
  for k = count, before - 1 do surplus[#surplus + 1] = fieldOf(island + 1, k) end
  if #surplus > 0 then redis.call('HDEL', pool, unpack(surplus)) end
  if count > 0 then
    local fields = {}
    for k = 0, count - 1 do
      fields[2 * k + 1] = fieldOf(island + 1, k)
      fields[2 * k + 2] = ARGV[FIRST + k]
    end
    redis.call('HSET', pool, unpack(fields))
  end
  setSize(island + 1, count)
  setSize(0, math.max(sizeAt(0), count))
  state.round, state.published = round, state.published or 0
  writeState(island, state)
  if redis.call('PTTL', pool) < lifetime - ${RENEWAL} then renew(lifetime, about, states, stop, pool, sizes) end
end

local owners, fields
local function choose(owner, index)
  owners[#owners + 1] = owner
  fields[#fields + 1] = fieldOf(owner, index)
end

local function drawQuickly(count)
  local known, largest = #directory / 2 - 1, sizeAt(0)
  if known < 1 or largest < 1 then return end
  for _ = 1, TRIES * count do
    local owner, index = math.random(known), math.random(largest) - 1
    if index < sizeAt(owner) then
      choose(owner, index)
      if #fields == count then return end
    end
  end
end

local function drawFromSums(count)
  local sums, total, largest = {}, 0, 0
  for owner = 1, #directory / 2 - 1 do
    total, largest = total + sizeAt(owner), math.max(largest, sizeAt(owner))
    sums[owner] = total
  end
  if total == 0 then return end
  setSize(0, math.min(largest, MOST))
  while #fields < count do
    local place, low, high = math.random(total), 1, #sums
    while low < high do
      local middle = math.floor((low + high) / 2)
      if sums[middle] < place then low = middle + 1 else high = middle end
    end
    choose(low, place - 1 - (sums[low - 1] or 0))
  end
end

local answer = { rubbish, 1, readStop() }
math.randomseed(tonumber(ARGV[8]))
for _ = 1, PASSES do
  local missing = wanted - (#answer - 3)
  owners, fields = {}, {}
  if missing > 0 then
    drawQuickly(missing)
    if #fields < missing then drawFromSums(missing) end
  end
  if #fields == 0 then break end
  for k, program in ipairs(redis.call('HMGET', pool, unpack(fields))) do
    if program and #program <= ${MAX_PROGRAM_BYTES} then
      answer[#answer + 1] = program
    else
      -- Not what its island uploaded. The island comes back with its next upload.
      setSize(owners[k], 0)
      redis.call('HDEL', pool, fields[k])
      rubbish = rubbish + 1
    end
  end
end
answer[1] = rubbish
return answer
`);

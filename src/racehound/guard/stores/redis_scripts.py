"""What has to happen on the Redis server in one step.

Keys of one lock share a hash tag and thereby a slot of a cluster:

    P{name}:lock    hash  owner, token, since (ms), record; expires with the lease
    P{name}:token   the last fencing token given out
    P{name}:queue   list of waiters, first come first served
    P{name}:past    hash  owner who last gave it back, held: moving average of past hold times in ms
    P{name}:wait:W  "ms record" of waiter W; exists as long as W shows signs of life
    P{name}:wake:W  list that gets the fencing token when the lock was handed to W

Who releases the lock hands it to the first of the queue in the same step: a waiter that first had to
be woken and then to ask would double the time in which nobody works. What was handed over lasts for the
few ms that the waiter asked for, until it renews it, so that one who died meanwhile delays nobody for long.

The first argument of every script is the owner or waiter, so that a script which a client repeats
because the answer was lost in a broken connection does the same as one run.
"""

# The token is at least the server's clock in microseconds: it keeps growing when the server comes
# back without its data, and when its clock is set back with them.
_GRANT = """
local function grant(prefix, owner, record, lease)
  local clock = redis.call('TIME')
  local last = tonumber(redis.call('GET', prefix .. 'token') or '0')
  local token = string.format('%.0f', math.max(last + 1, clock[1] * 1000000 + clock[2]))
  redis.call('SET', prefix .. 'token', token)
  local since = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
  redis.call('HSET', prefix .. 'lock', 'owner', owner, 'token', token, 'since', since, 'record', record)
  redis.call('PEXPIRE', prefix .. 'lock', lease)
  return token
end
"""

_FIRST_WAITER = """
local function first_waiter(prefix)
  while true do
    local head = redis.call('LINDEX', prefix .. 'queue', 0)
    if not head then return end
    local wait = redis.call('GET', prefix .. 'wait:' .. head)
    if wait then return head, wait end
    redis.call('LPOP', prefix .. 'queue')
  end
end
"""

_RELEASING = (
    _GRANT
    + _FIRST_WAITER
    + """
local function hand_over(prefix)
  local head, wait = first_waiter(prefix)
  if not head then return end
  local ms, record = string.match(wait, '^(%d+) (.*)$')
  redis.call('LPOP', prefix .. 'queue')
  redis.call('DEL', prefix .. 'wait:' .. head)
  redis.call('LPUSH', prefix .. 'wake:' .. head, grant(prefix, head, record, ms))
  redis.call('PEXPIRE', prefix .. 'wake:' .. head, ms)
end

local function release(prefix, owner)
  local lock = redis.call('HMGET', prefix .. 'lock', 'owner', 'since')
  local past = redis.call('HMGET', prefix .. 'past', 'owner', 'held')
  if lock[1] ~= owner then return past[1] == owner and 1 or 0 end
  local clock = redis.call('TIME')
  local held = clock[1] * 1000 + clock[2] / 1000 - tonumber(lock[2])
  held = string.format('%.3f', tonumber(past[2] or held) * 0.75 + held * 0.25)
  redis.call('HSET', prefix .. 'past', 'owner', owner, 'held', held)
  redis.call('DEL', prefix .. 'lock')
  hand_over(prefix)
  return 1
end
"""
)

# ARGV: owner, lease ms, record, patience ms, ms that a hand-over lasts, 1 to queue up
# Answers {1, token}, or {0, ms until the lease of the holder ends}.
ACQUIRE = (
    _GRANT
    + _FIRST_WAITER
    + """
local prefix = KEYS[1]
local me = ARGV[1]
local owner = redis.call('HGET', prefix .. 'lock', 'owner')
if owner == me then
  redis.call('PEXPIRE', prefix .. 'lock', ARGV[2])
  return {1, redis.call('HGET', prefix .. 'lock', 'token')}
end
local head = first_waiter(prefix)
if not owner and (not head or head == me) then
  if head then
    redis.call('LPOP', prefix .. 'queue')
    redis.call('DEL', prefix .. 'wait:' .. me)
  end
  return {1, grant(prefix, me, ARGV[3], ARGV[2])}
end
if ARGV[6] == '1' then
  if redis.call('EXISTS', prefix .. 'wait:' .. me) == 0 then
    redis.call('LREM', prefix .. 'queue', 0, me)
    redis.call('RPUSH', prefix .. 'queue', me)
  end
  redis.call('SET', prefix .. 'wait:' .. me, ARGV[5] .. ' ' .. ARGV[3], 'PX', ARGV[4])
end
return {0, redis.call('PTTL', prefix .. 'lock')}
"""
)

# ARGV is the owner.
RELEASE = _RELEASING + "return release(KEYS[1], ARGV[1])"

# ARGV is the waiter. Whatever was given to it is given back: it may have been handed the lock on its way out.
LEAVE_QUEUE = (
    _RELEASING
    + """
local prefix = KEYS[1]
redis.call('LREM', prefix .. 'queue', 0, ARGV[1])
redis.call('DEL', prefix .. 'wait:' .. ARGV[1], prefix .. 'wake:' .. ARGV[1])
release(prefix, ARGV[1])
if redis.call('EXISTS', prefix .. 'lock') == 0 then hand_over(prefix) end
return 1
"""
)

# ARGV: owner, lease ms
RENEW = """
if redis.call('HGET', KEYS[1] .. 'lock', 'owner') ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1] .. 'lock', ARGV[2])
"""

HOLDER = """
local lock = redis.call('HMGET', KEYS[1] .. 'lock', 'record', 'since', 'owner')
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
return {lock[1] or '', lock[2] or now, now, redis.call('HGET', KEYS[1] .. 'past', 'held') or '', lock[3] or ''}
"""

# ARGV: owner, id of this write, document expected there, document to write
# 0 written, 1 the lock is not ours any more, 2 somebody wrote without it
WRITE = """
local prefix = KEYS[1]
if redis.call('GET', prefix .. 'write') == ARGV[2] then return 0 end
if redis.call('HGET', prefix .. 'lock', 'owner') ~= ARGV[1] then return 1 end
if (redis.call('GET', prefix .. 'document') or '') ~= ARGV[3] then return 2 end
redis.call('SET', prefix .. 'document', ARGV[4])
redis.call('SET', prefix .. 'write', ARGV[2])
return 0
"""

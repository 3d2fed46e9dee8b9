"""What has to happen on the Redis server in one step.

Keys of one lock share a hash tag and thereby a slot of a cluster:

    P{name}:lock    hash  owner, token, since (ms), record; expires with the lease
    P{name}:token   the last fencing token given out
    P{name}:queue   list of waiters, first come first served
    P{name}:held    moving average of past hold times in ms
    P{name}:wait:W  exists as long as waiter W shows signs of life
    P{name}:wake:W  list that gets an element when it is W's turn

The first argument of every script is the owner or waiter, so that a script which a client repeats
because the answer was lost in a broken connection does the same as one run.
"""

_WAKE_NEXT = """
local function wake_next(prefix, patience)
  while true do
    local head = redis.call('LINDEX', prefix .. 'queue', 0)
    if not head then return end
    if redis.call('EXISTS', prefix .. 'wait:' .. head) == 1 then
      redis.call('DEL', prefix .. 'wake:' .. head)
      redis.call('LPUSH', prefix .. 'wake:' .. head, '1')
      redis.call('PEXPIRE', prefix .. 'wake:' .. head, patience)
      return
    end
    redis.call('LPOP', prefix .. 'queue')
  end
end
"""

# ARGV: owner, lease ms, record, patience ms, 1 to queue up
# The token is at least the server's clock in microseconds: it keeps growing when the server comes
# back without its data, and when its clock is set back with them.
ACQUIRE = """
local prefix = KEYS[1]
local me = ARGV[1]
local clock = redis.call('TIME')
local owner = redis.call('HGET', prefix .. 'lock', 'owner')
if owner == me then
  redis.call('PEXPIRE', prefix .. 'lock', ARGV[2])
  return {1, redis.call('HGET', prefix .. 'lock', 'token')}
end
local head = redis.call('LINDEX', prefix .. 'queue', 0)
while head and head ~= me and redis.call('EXISTS', prefix .. 'wait:' .. head) == 0 do
  redis.call('LPOP', prefix .. 'queue')
  head = redis.call('LINDEX', prefix .. 'queue', 0)
end
if not owner and (not head or head == me) then
  if head then redis.call('LPOP', prefix .. 'queue') end
  redis.call('DEL', prefix .. 'wait:' .. me, prefix .. 'wake:' .. me)
  local last = tonumber(redis.call('GET', prefix .. 'token') or '0')
  local token = string.format('%.0f', math.max(last + 1, clock[1] * 1000000 + clock[2]))
  redis.call('SET', prefix .. 'token', token)
  local since = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
  redis.call('HSET', prefix .. 'lock', 'owner', me, 'token', token, 'since', since, 'record', ARGV[3])
  redis.call('PEXPIRE', prefix .. 'lock', ARGV[2])
  return {1, token}
end
if ARGV[5] == '1' then
  if redis.call('SET', prefix .. 'wait:' .. me, '1', 'NX', 'PX', ARGV[4]) then
    redis.call('LREM', prefix .. 'queue', 0, me)
    redis.call('RPUSH', prefix .. 'queue', me)
  else
    redis.call('PEXPIRE', prefix .. 'wait:' .. me, ARGV[4])
  end
end
return {0, redis.call('PTTL', prefix .. 'lock')}
"""

# ARGV: owner, patience ms
RELEASE = (
    _WAKE_NEXT
    + """
local prefix = KEYS[1]
local lock = redis.call('HMGET', prefix .. 'lock', 'owner', 'since')
if lock[1] ~= ARGV[1] then return 0 end
local clock = redis.call('TIME')
local held = clock[1] * 1000 + clock[2] / 1000 - tonumber(lock[2])
local average = tonumber(redis.call('GET', prefix .. 'held') or held)
redis.call('SET', prefix .. 'held', string.format('%.3f', average * 0.75 + held * 0.25))
redis.call('DEL', prefix .. 'lock')
wake_next(prefix, ARGV[2])
return 1
"""
)

# ARGV: waiter, patience ms
LEAVE_QUEUE = (
    _WAKE_NEXT
    + """
local prefix = KEYS[1]
redis.call('LREM', prefix .. 'queue', 0, ARGV[1])
redis.call('DEL', prefix .. 'wait:' .. ARGV[1], prefix .. 'wake:' .. ARGV[1])
if redis.call('EXISTS', prefix .. 'lock') == 0 then wake_next(prefix, ARGV[2]) end
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
return {lock[1] or '', lock[2] or now, now, redis.call('GET', KEYS[1] .. 'held') or '', lock[3] or ''}
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

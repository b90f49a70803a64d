import { randomBytes } from 'node:crypto';
import { type Redis } from 'ioredis';
import {
  RefusingCounters,
  WINDOW_TOLERANCE_MS,
  type Count,
  type Counted,
  type Counters,
  type ConsumeResult,
  type Refunded,
} from './counters';
import { RedisLink } from './redis-link';

/** Milliseconds that are longer than any window. */
const MAX_LEFT = 1e12;

const PREFIX = 'commonplace:counter:';

/** Maximum number of attempts to send a request to Redis. */
const ATTEMPTS = 5;

/** The first item of the reply to a command that arrived too late. */
const TOO_LATE = -1;

/**
 * Defines `read`, which returns a counter's count and remaining milliseconds. A value that these
 * scripts cannot have written is deleted, so that the counter begins again: as an error it would
 * repeat with every request. Digits alone are a count, because Lua also reads `nan`, which is not
 * greater than any limit.
 */
const READ = `
local function read(key)
  local kind = redis.call('TYPE', key).ok
  if kind == 'none' then return 0, -2 end
  if kind == 'hash' then
    local used, left = redis.call('HGET', key, 'n'), redis.call('PTTL', key)
    if used and #used < 16 and string.match(used, '^%d+$') and left >= 0 then
      return tonumber(used), left
    end
  end
  redis.call('DEL', key)
  return 0, -2
end
`;

/**
 * Reads every counter, and increments all of them when none is full. A script is atomic, so
 * requests of other processes cannot interleave.
 *
 * KEYS are the counters: hashes with the count in `n` and, for each connection, the number of its
 * last counted command. Redis runs the commands of a connection in order, so this number shows
 * which commands were counted. ARGV is
 *
 * 1. 1 to count or 0 to look;
 * 2. the deadline in milliseconds since 1970 by the clock of Redis, or 0 for none;
 * 3. the connection, and
 * 4. the number of the command on it;
 * 5. the number of earlier attempts, then connection and number of each of those commands;
 *
 * then each counter's limit and window in milliseconds. A request that an earlier attempt counted
 * is granted and not counted again. Redis stores the end of a window by its wall clock: a remaining
 * time that is longer than the window, because the clock was set back, is reduced to the window.
 *
 * Returns whether the request is granted (-1: it arrived too late), the time, then each counter's
 * count and remaining milliseconds, which are negative when its window has not begun.
 */
const COUNT = `
${READ}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local deadline = tonumber(ARGV[2])
if deadline > 0 and now > deadline then return {${TOO_LATE}, now} end
local granted, first = 1, 5 + 2 * ARGV[5]
local reply = {0, now}
for i, key in ipairs(KEYS) do
  reply[2 * i + 1], reply[2 * i + 2] = read(key)
  local window = tonumber(ARGV[first + 2 * i])
  if reply[2 * i + 2] > window then
    reply[2 * i + 2] = window
    redis.call('PEXPIRE', key, window)
  end
  if reply[2 * i + 1] >= tonumber(ARGV[first + 2 * i - 1]) then granted = 0 end
end
for sent = 6, first, 2 do
  local isCurrent = true
  for _, key in ipairs(KEYS) do
    local last = tonumber(redis.call('HGET', key, ARGV[sent]) or 0) or 0
    isCurrent = isCurrent and last >= tonumber(ARGV[sent + 1])
  end
  if isCurrent then
    reply[1] = 1
    return reply
  end
end
if granted == 1 and ARGV[1] == '1' then
  for i, key in ipairs(KEYS) do
    reply[2 * i + 1] = reply[2 * i + 1] + 1
    redis.call('HSET', key, 'n', reply[2 * i + 1], ARGV[3], ARGV[4])
    if reply[2 * i + 2] < 0 then
      reply[2 * i + 2] = tonumber(ARGV[first + 2 * i])
      redis.call('PEXPIRE', key, reply[2 * i + 2])
    end
  end
end
reply[1] = granted
return reply
`;

/**
 * Decrements every counter above 0, and deletes it at 0. ARGV is the maximum of each counter's
 * remaining milliseconds: a later window is not changed.
 */
const REFUND = `
${READ}
for i, key in ipairs(KEYS) do
  local used, left = read(key)
  if left > tonumber(ARGV[i]) then used = 0 end
  if used > 1 then redis.call('HINCRBY', key, 'n', -1) elseif used == 1 then redis.call('DEL', key) end
end
return 1
`;

type Scripted = Redis & {
  refund(keys: number, ...keysAndValues: (string | number)[]): Promise<number>;
  count(keys: number, ...keysAndValues: (string | number)[]): Promise<number[]>;
};

const keysOf = (counters: readonly Counted[]): string[] => counters.map(({ key }) => PREFIX + key);

/**
 * Counts in Redis for all processes, each request exactly once:
 *
 * - A request whose connection is lost before the reply is sent again on the next connection, with
 *   its earlier number, so that Redis knows whether it was counted.
 * - A request without a reply is decided without Redis. The command contains the deadline, so that
 *   Redis does not count it later.
 *
 * One case remains: a reply is lost and Redis or the network is down for more than a second. Then a
 * request may be counted both in Redis and without it.
 */
export class RedisCounters implements Counters {
  private readonly link: RedisLink;
  private readonly processId = randomBytes(6).toString('base64url');
  /** Number of commands sent, on all connections. */
  private sent = 0;
  /** Lower bound of the difference between the clock of Redis and `performance.now()`. */
  private ahead = 0;

  /** @param substitute counts requests while Redis is unavailable */
  constructor(
    url: string,
    private readonly substitute: Counters,
  ) {
    const refuses = substitute instanceof RefusingCounters;
    this.link = new RedisLink(
      url,
      { count: { lua: COUNT }, refund: { lua: REFUND } },
      (client) => this.check(client),
      refuses ? 'rate-limited requests are refused' : 'each process counts on its own',
      'all processes share their counters',
    );
  }

  /** Whether the connection to Redis is established. */
  get isAvailable(): boolean {
    return this.link.isUp;
  }

  /** Connects. If Redis is unavailable, the server starts without it after a short wait. */
  open(): Promise<void> {
    return this.link.open();
  }

  close(): void {
    this.link.close();
  }

  async consume(counters: readonly Counted[]): Promise<ConsumeResult> {
    const reply = await this.run(1, counters);
    if (!reply) return this.substitute.consume(counters);
    return { granted: reply[0] === 1, counts: countsIn(reply, counters) };
  }

  async read(counters: readonly Counted[]): Promise<Count[]> {
    const reply = await this.run(0, counters);
    return reply ? countsIn(reply, counters) : this.substitute.read(counters);
  }

  async refund(counters: readonly Refunded[]): Promise<void> {
    if (!this.link.isUp) {
      await this.substitute.refund(counters);
      return;
    }
    const keys = keysOf(counters);
    // If Redis is unavailable, the count stays until the end of the window.
    const longest = counters.map(({ left = MAX_LEFT }) => Math.ceil(left) + WINDOW_TOLERANCE_MS);
    await this.tell((client) => client.refund(keys.length, ...keys, ...longest));
  }

  async clear(counters: readonly Counted[]): Promise<void> {
    // The substitute may have counted while Redis was unavailable.
    await this.substitute.clear(counters);
    if (this.link.isUp) await this.tell((client) => client.del(keysOf(counters)));
  }

  private async tell(send: (client: Scripted) => Promise<unknown>): Promise<void> {
    await this.link.execute((client) => send(client as Scripted)).catch(() => undefined);
  }

  /** @returns the script's reply, or undefined when Redis is unavailable */
  private async run(cost: 0 | 1, counters: readonly Counted[]): Promise<number[] | undefined> {
    const keys = keysOf(counters);
    const limits = counters.flatMap(({ limit, window }) => [limit, window * 1000]);
    /** Commands of this request that Redis may have executed. */
    const inDoubt: (string | number)[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (!this.link.isUp && !(await this.link.settled())) return undefined;
      const command = this.nextCommand();
      try {
        const reply = await this.link.execute((client) => {
          const deadline = Math.floor(performance.now() + this.ahead + this.link.patience);
          const about = [cost, deadline, ...command, inDoubt.length / 2, ...inDoubt, ...limits];
          return (client as Scripted).count(keys.length, ...keys, ...about);
        });
        this.readClock(reply);
        if (reply[0] !== TOO_LATE) return reply;
      } catch (error) {
        // Redis would reject it again.
        if ((error as Error).name === 'ReplyError') return undefined;
        // The link is interrupted or down; the next attempt checks which.
        inDoubt.push(...command);
      }
    }
    return undefined;
  }

  /** The connection, and the number of the next command on it. */
  private nextCommand(): [string, number] {
    this.sent += 1;
    return [`${this.processId}:${this.link.connection}`, this.sent];
  }

  /** Counts on a new connection, to detect a Redis that cannot write. */
  private async check(client: Redis): Promise<void> {
    // Identifies the connection in CLIENT LIST.
    void client.client('SETNAME', 'commonplace').catch(() => undefined);
    const about = [1, 0, ...this.nextCommand(), 0, Number.MAX_SAFE_INTEGER, 1000];
    const key = `${PREFIX}check:${this.processId}`;
    const reply = await (client as Scripted).count(1, key, ...about);
    // It may be another server with another clock.
    this.ahead = -Infinity;
    this.readClock(reply);
  }

  /** A delayed reply makes the clock of Redis appear late, so the largest difference counts. */
  private readClock([, now = 0]: readonly number[]): void {
    this.ahead = Math.max(this.ahead, now - performance.now());
  }
}

const countsIn = (reply: readonly number[], counters: readonly Counted[]): Count[] =>
  counters.map((_, index) => {
    const [used = 0, left = -1] = reply.slice(2 + 2 * index, 4 + 2 * index);
    return { used, reset: left < 0 ? undefined : left };
  });

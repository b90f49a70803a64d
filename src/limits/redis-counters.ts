import { randomBytes } from 'node:crypto';
import { type Redis } from 'ioredis';
import { RefusingCounters, type Count, type Counted, type Counters, type Taken } from './counters';
import { RedisLink } from './redis-link';

const PREFIX = 'commonplace:counter:';

/** How often a request is sent to Redis at most. */
const ATTEMPTS = 5;

/** The first item of a reply to a command that came too late. */
const TOO_LATE = -1;

/**
 * Looks at every counter, and counts in all of them when none is full: one step, so that requests of
 * other processes cannot come between.
 *
 * KEYS are the counters: hashes with the use in `n`, and beside it, by connection, the number of the
 * command that was counted last. Commands of one connection are run in their order, so this tells
 * which of them were. ARGV is
 *
 * 1. 1 to count or 0 to look;
 * 2. the time after which nothing is done, in milliseconds since 1970 by the clock of Redis; 0 is none;
 * 3. the connection, and
 * 4. the number of the command on it;
 * 5. how often the request was sent before, then connection and number of each of those commands;
 *
 * then each counter's limit and milliseconds. A request that was counted before is granted again, and
 * not counted again.
 *
 * Returns whether the request is granted (-1: it came too late), the time, then each counter's use
 * and milliseconds left, negative when its window has not begun.
 */
const COUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local deadline = tonumber(ARGV[2])
if deadline > 0 and now > deadline then return {${TOO_LATE}, now} end
local granted, first = 1, 5 + 2 * ARGV[5]
local reply = {0, now}
for i, key in ipairs(KEYS) do
  reply[2 * i + 1] = tonumber(redis.call('HGET', key, 'n') or 0)
  reply[2 * i + 2] = redis.call('PTTL', key)
  if reply[2 * i + 1] >= tonumber(ARGV[first + 2 * i - 1]) then granted = 0 end
end
for sent = 6, first, 2 do
  local known = true
  for _, key in ipairs(KEYS) do
    local last = tonumber(redis.call('HGET', key, ARGV[sent]) or 0)
    known = known and last >= tonumber(ARGV[sent + 1])
  end
  if known then
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

/** Takes one from every counter that holds something; one that comes to 0 is deleted. */
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  local used = tonumber(redis.call('HGET', key, 'n') or 0)
  if used > 1 then redis.call('HINCRBY', key, 'n', -1) elseif used == 1 then redis.call('DEL', key) end
end
return 1
`;

type Scripted = Redis & {
  giveBack(keys: number, ...keysAndValues: string[]): Promise<number>;
  count(keys: number, ...keysAndValues: (string | number)[]): Promise<number[]>;
};

const keysOf = (counters: readonly Counted[]): string[] => counters.map(({ key }) => PREFIX + key);

/**
 * Counts in Redis, for all processes together, each request once:
 *
 * - A request whose connection is lost before the reply is sent again on the next connection, with
 *   the number that it had, so that Redis knows whether it was counted.
 * - A request that Redis does not answer is decided without Redis. What was sent carries the time
 *   until which it is waited for, so that a Redis that goes on later does not count it then.
 *
 * What remains is a reply that is lost together with Redis, or with the network for longer than a
 * second: Redis may then have counted a request that is counted without it.
 */
export class RedisCounters implements Counters {
  private readonly link: RedisLink;
  private readonly processId = randomBytes(6).toString('base64url');
  /** Commands that were sent, on all connections. */
  private sent = 0;
  /** What the clock of Redis is ahead of `performance.now()` by, at least. */
  private ahead = 0;

  /** @param substitute decides about requests while Redis is away */
  constructor(
    url: string,
    private readonly substitute: Counters,
  ) {
    const refuses = substitute instanceof RefusingCounters;
    this.link = new RedisLink(
      url,
      { count: { lua: COUNT }, giveBack: { lua: GIVE_BACK } },
      (client) => this.check(client),
      refuses ? 'calls that are counted are refused' : 'calls are counted by process',
    );
  }

  /** Connects; a server starts without Redis, too, after a moment's wait for it. */
  open(): Promise<void> {
    return this.link.open();
  }

  close(): void {
    this.link.close();
  }

  async take(counters: readonly Counted[]): Promise<Taken> {
    const reply = await this.run(1, counters);
    if (!reply) return this.substitute.take(counters);
    return { granted: reply[0] === 1, counts: countsIn(reply, counters) };
  }

  async look(counters: readonly Counted[]): Promise<Count[]> {
    const reply = await this.run(0, counters);
    return reply ? countsIn(reply, counters) : this.substitute.look(counters);
  }

  async giveBack(counters: readonly Counted[]): Promise<void> {
    if (!this.link.isUp) {
      await this.substitute.giveBack(counters);
      return;
    }
    const keys = keysOf(counters);
    // What Redis cannot be told now, its window forgets by itself.
    await this.tell((client) => client.giveBack(keys.length, ...keys));
  }

  async clear(counters: readonly Counted[]): Promise<void> {
    // Also here: it may have counted while Redis was away.
    await this.substitute.clear(counters);
    if (this.link.isUp) await this.tell((client) => client.del(keysOf(counters)));
  }

  private async tell(send: (client: Scripted) => Promise<unknown>): Promise<void> {
    await this.link.ask((client) => send(client as Scripted)).catch(() => undefined);
  }

  /** @returns the script's reply, or undefined when Redis is away */
  private async run(cost: 0 | 1, counters: readonly Counted[]): Promise<number[] | undefined> {
    const keys = keysOf(counters);
    const limits = counters.flatMap(({ limit, window }) => [limit, window * 1000]);
    /** Commands of this request that Redis may have carried out. */
    const inDoubt: (string | number)[] = [];
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (!this.link.isUp && !(await this.link.settled())) return undefined;
      const command = this.nextCommand();
      try {
        const reply = await this.link.ask((client) => {
          const deadline = Math.floor(performance.now() + this.ahead + this.link.patience);
          const about = [cost, deadline, ...command, inDoubt.length / 2, ...inDoubt, ...limits];
          return (client as Scripted).count(keys.length, ...keys, ...about);
        });
        this.readClock(reply);
        if (reply[0] !== TOO_LATE) return reply;
      } catch {
        // The link is not up any more, or down: the next attempt finds out.
        inDoubt.push(...command);
      }
    }
    return undefined;
  }

  /** The connection, and the number of the command that is sent on it now. */
  private nextCommand(): [string, number] {
    this.sent += 1;
    return [`${this.processId}:${this.link.connection}`, this.sent];
  }

  /** Counts, so that a Redis that cannot is found out; on a connection that has just been made. */
  private async check(client: Redis): Promise<void> {
    // For operators who look at the list of clients.
    void client.client('SETNAME', 'commonplace').catch(() => undefined);
    const about = [1, 0, ...this.nextCommand(), 0, Number.MAX_SAFE_INTEGER, 1000];
    const key = `${PREFIX}check:${this.processId}`;
    const reply = await (client as Scripted).count(1, key, ...about);
    // It may be another server, whose clock is another.
    this.ahead = -Infinity;
    this.readClock(reply);
  }

  /** A reply that is read late tells a clock that is behind: the earliest to be read is right. */
  private readClock([, now = 0]: readonly number[]): void {
    this.ahead = Math.max(this.ahead, now - performance.now());
  }
}

const countsIn = (reply: readonly number[], counters: readonly Counted[]): Count[] =>
  counters.map((_, index) => {
    const [used = 0, left = -1] = reply.slice(2 + 2 * index, 4 + 2 * index);
    return { used, reset: left < 0 ? undefined : left };
  });

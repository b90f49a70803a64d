import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { type Count, type Counted, type Counters, type Taken } from './counters';

/** Milliseconds that a call waits for Redis before this process counts it itself. */
const COMMAND_MS = 250;
const CONNECT_MS = 1000;
/** Milliseconds before a lost connection is tried again, at most. */
const LONGEST_WAIT_MS = 2000;

const PREFIX = 'commonplace:limit:';

/**
 * Looks at every counter, and counts in all of them when none is full: one step, so that calls of
 * other processes cannot come between. KEYS are the counters; ARGV is 1 to count or 0 to look, then
 * each counter's limit and milliseconds. Answers whether nothing was full, then each counter's use
 * and milliseconds left, negative when its window has not begun.
 */
const SCRIPT = `
local granted = 1
local counts = {}
for i, key in ipairs(KEYS) do
  counts[2 * i - 1] = tonumber(redis.call('GET', key) or 0)
  counts[2 * i] = redis.call('PTTL', key)
  if counts[2 * i - 1] >= tonumber(ARGV[2 * i]) then granted = 0 end
end
if granted == 1 and ARGV[1] == '1' then
  for i, key in ipairs(KEYS) do
    counts[2 * i - 1] = redis.call('INCR', key)
    if counts[2 * i] < 0 then
      counts[2 * i] = tonumber(ARGV[2 * i + 1])
      redis.call('PEXPIRE', key, counts[2 * i])
    end
  end
end
return {granted, unpack(counts)}
`;

/** Takes one from every counter that holds something and whose window goes on. */
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end
return 1
`;

type Scripted = Redis & {
  giveBack(keys: number, ...keysAndValues: string[]): Promise<number>;
  countCalls(keys: number, ...keysAndValues: (string | number)[]): Promise<number[]>;
};

/**
 * Counts in Redis, for all processes together. While Redis is away, or too slow, this process
 * counts by itself: nobody is refused or kept waiting for that.
 */
export class RedisCounters implements Counters {
  private readonly logger = new Logger(RedisCounters.name);
  private readonly client: Scripted;
  /** Whether the connection has greeted and failed in nothing since. */
  private usable = false;
  private closed = false;
  /** Whether it has been said that Redis is away. */
  private away = false;

  /** @param insurance counts while Redis cannot */
  constructor(
    url: string,
    private readonly insurance: Counters,
  ) {
    this.client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_WAIT_MS),
      reconnectOnError: () => false,
      connectionName: 'commonplace',
      scripts: { countCalls: { lua: SCRIPT }, giveBack: { lua: GIVE_BACK } },
    }) as Scripted;
    this.client
      .on('error', (error: Error) => {
        this.lost(error);
      })
      .on('ready', () => {
        this.usable = true;
      })
      .on('close', () => {
        this.usable = false;
        this.lost(new Error('the connection ended'));
      });
  }

  /** Connects; a server starts without Redis, too, after a moment's wait for it. */
  async open(): Promise<void> {
    const connecting = this.client.connect().catch((error: unknown) => {
      this.lost(error as Error);
    });
    await Promise.race([connecting, pause(CONNECT_MS, undefined, { ref: false })]);
  }

  close(): void {
    this.closed = true;
    this.client.disconnect();
  }

  async take(counters: readonly Counted[]): Promise<Taken> {
    const answer = await this.run(1, counters);
    if (!answer) return this.insurance.take(counters);
    return { granted: answer[0] === 1, counts: countsIn(answer, counters) };
  }

  async look(counters: readonly Counted[]): Promise<Count[]> {
    const answer = await this.run(0, counters);
    return answer ? countsIn(answer, counters) : this.insurance.look(counters);
  }

  async giveBack(counters: readonly Counted[]): Promise<void> {
    if (!this.usable) {
      await this.insurance.giveBack(counters);
      return;
    }
    const keys = counters.map(({ key }) => PREFIX + key);
    // What Redis cannot be told now, its window forgets by itself.
    await this.client.giveBack(keys.length, ...keys).catch((error: unknown) => {
      this.lost(error as Error);
    });
  }

  async clear(counters: readonly Counted[]): Promise<void> {
    // Also here: it may have counted while Redis was away.
    await this.insurance.clear(counters);
    if (!this.usable) return;
    await this.client.del(counters.map(({ key }) => PREFIX + key)).catch((error: unknown) => {
      this.lost(error as Error);
    });
  }

  private async run(cost: 0 | 1, counters: readonly Counted[]): Promise<number[] | undefined> {
    if (!this.usable) return undefined;
    const keys = counters.map(({ key }) => PREFIX + key);
    const values = counters.flatMap(({ limit, window }) => [limit, window * 1000]);
    try {
      const answer = await this.client.countCalls(keys.length, ...keys, cost, ...values);
      if (this.away) this.logger.warn('Redis is back: calls are counted together again');
      this.away = false;
      return answer;
    } catch (error) {
      this.lost(error as Error);
      // One that hangs is not asked again before it has greeted a new connection.
      if (this.usable) this.client.disconnect(true);
      this.usable = false;
      return undefined;
    }
  }

  private lost({ message }: Error): void {
    if (this.closed) return;
    // Once, not for every call or attempt.
    if (!this.away) this.logger.warn(`Redis is away, calls are counted by process: ${message}`);
    this.away = true;
  }
}

const countsIn = (answer: readonly number[], counters: readonly Counted[]): Count[] =>
  counters.map((_, index) => {
    const [used = 0, left = -1] = answer.slice(1 + 2 * index, 3 + 2 * index);
    return { used, reset: left < 0 ? undefined : left };
  });

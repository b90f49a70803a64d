import { type Redis } from 'ioredis';
import { RedisLink } from '../limits/redis-link';
import { lifetimeMs, type WriteMark, type WriteMarks } from './write-marks';

const PREFIX = 'commonplace:write:';
/** Milliseconds after which a process that was without Redis has noticed that it is back. */
const NOTICED_MS = 5000;

/** Sets a position, unless a later one is remembered. A value that is no position is replaced. */
const SET = `
local found = redis.pcall('GET', KEYS[1])
local position = ARGV[1]
if type(found) == 'string' and string.match(found, '^0x%x+$') and #found == #position
  and found > position then position = found end
return redis.call('SET', KEYS[1], position, 'PX', ARGV[2])
`;

/** The position and the milliseconds that it is still remembered, in one step. */
const FIND = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

type Scripted = Redis & {
  setWrite(keys: 1, key: string, position: string, ms: number): Promise<unknown>;
  findWrite(keys: 1, key: string): Promise<[string | null, number]>;
};

/** Remembers writes in Redis, for all processes. */
export class RedisWriteMarks implements WriteMarks {
  private readonly link: RedisLink;
  /** `performance.now()` when this process last reconnected to Redis. */
  private connectedAt = performance.now();
  private connection = -1;
  private readonly lifetimeMs: number;

  /**
   * @param maxLagMs `REPLICA_MAX_LAG_MS`: also how long reads of all callers use the primary after
   * Redis was unavailable
   */
  constructor(
    url: string,
    private readonly maxLagMs: number,
  ) {
    this.lifetimeMs = lifetimeMs(maxLagMs);
    this.link = new RedisLink(
      url,
      { setWrite: { lua: SET }, findWrite: { lua: FIND } },
      (client) => client.set(`${PREFIX}check`, 0, 'PX', 1000),
      'reads of callers use the primary database server',
      'all processes know the writes of callers',
    );
  }

  open(): Promise<void> {
    return this.link.open();
  }

  close(): void {
    this.link.close();
  }

  async set(caller: string, position: string): Promise<void> {
    await this.connected();
    await this.link.execute((client) =>
      (client as Scripted).setWrite(1, PREFIX + caller, position, this.lifetimeMs),
    );
  }

  async find(caller: string): Promise<WriteMark | undefined> {
    await this.connected();
    // Redis may have lost writes, and other processes may have been without it for longer.
    if (performance.now() - this.connectedAt < NOTICED_MS + this.maxLagMs) {
      throw new Error('Redis was unavailable a moment ago');
    }
    const [position, left] = await this.link.execute((client) =>
      (client as Scripted).findWrite(1, PREFIX + caller),
    );
    return position === null ? undefined : { position, ageMs: this.lifetimeMs - left };
  }

  /** @throws Error while Redis is unavailable */
  private async connected(): Promise<void> {
    if (!this.link.isUp && !(await this.link.settled())) throw new Error('Redis is unavailable');
    if (this.link.connection === this.connection) return;
    this.connection = this.link.connection;
    this.connectedAt = performance.now();
  }
}

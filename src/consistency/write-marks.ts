/** The last write of a caller. */
export interface WriteMark {
  /** Position in the write-ahead log that includes the write, of `encodePosition`. */
  readonly position: string;
  /** Milliseconds since it was remembered. */
  readonly ageMs: number;
}

/** Remembers the last write of each caller for {@link lifetimeMs}. */
export interface WriteMarks {
  /** @throws Error when it cannot be remembered */
  set(caller: string, position: string): Promise<void>;
  /** Undefined when the caller has not written lately. @throws Error when that is not known */
  find(caller: string): Promise<WriteMark | undefined>;
}

/** Milliseconds without a primary for which reads of users use replicas. */
export const MAX_OUTAGE_MS = 60_000;

/**
 * Milliseconds for which a write is remembered: until every usable replica has it, also after a
 * failover.
 * @param maxLagMs `REPLICA_MAX_LAG_MS`
 */
export const lifetimeMs = (maxLagMs: number): number => maxLagMs + MAX_OUTAGE_MS;

/** Number of entries that each operation checks for their age. */
const SWEPT = 2;

interface Entry {
  readonly position: string;
  readonly at: number;
}

/** Remembers writes in the memory of this process. */
export class MemoryWriteMarks implements WriteMarks {
  /** Least recently set first. */
  private readonly entries = new Map<string, Entry>();
  private readonly lifetimeMs: number;

  /** @param maxLagMs `REPLICA_MAX_LAG_MS` */
  constructor(maxLagMs: number) {
    this.lifetimeMs = lifetimeMs(maxLagMs);
  }

  /** Number of remembered callers. */
  get size(): number {
    return this.entries.size;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
  async set(caller: string, position: string): Promise<void> {
    const now = performance.now();
    // The position never falls: of two writes at a time the later one counts.
    const before = this.entries.get(caller)?.position ?? '';
    const last = position > before ? position : before;
    this.entries.delete(caller);
    this.entries.set(caller, { position: last, at: now });
    this.sweep(now);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async find(caller: string): Promise<WriteMark | undefined> {
    const entry = this.entries.get(caller);
    const ageMs = performance.now() - (entry?.at ?? 0);
    return entry && ageMs < this.lifetimeMs ? { position: entry.position, ageMs } : undefined;
  }

  private sweep(now: number): void {
    let swept = 0;
    for (const [caller, { at }] of this.entries) {
      if (swept === SWEPT || now - at < this.lifetimeMs) return;
      this.entries.delete(caller);
      swept += 1;
    }
  }
}

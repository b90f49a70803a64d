import { type RecordHandler } from './record-handler';
import { type ParsedRecord } from './parsed-record';

/** Connections that store records at the same time. */
export const LANES = 3;

/** The lane of a key, and how many parts in it have records with the key. */
interface KeyInLane {
  readonly lane: number;
  parts: number;
}

/**
 * What the record may share with others that must be stored in order with it: its key and its lane.
 * A partial record may name the key alone.
 */
function tokensOf(kind: RecordHandler, record: unknown): string[] {
  const key = kind.key(record) ?? '';
  const lane = kind.lane?.(record);
  return lane === undefined ? [`key ${key}`] : [`key ${key}`, `lane ${lane}`];
}

/** Groups of records that share tokens, directly or through others. */
class Groups {
  /** By token, the first record that has it. */
  readonly firstOf = new Map<string, number>();
  private readonly parents: number[];

  constructor(kind: RecordHandler, records: readonly ParsedRecord[]) {
    this.parents = records.map((_, at) => at);
    records.forEach(({ record }, at) => {
      for (const token of tokensOf(kind, record)) {
        const first = this.firstOf.get(token);
        if (first === undefined) this.firstOf.set(token, at);
        else this.join(at, first);
      }
    });
  }

  /** The first record of the group of a record. */
  rootOf(at: number): number {
    let root = at;
    for (let next = this.parents[root]; next !== undefined && next !== root;) {
      root = next;
      next = this.parents[root];
    }
    this.parents[at] = root;
    return root;
  }

  private join(one: number, other: number): void {
    const roots = [this.rootOf(one), this.rootOf(other)];
    this.parents[Math.max(...roots)] = Math.min(...roots);
  }
}

/** Stores a part of a batch. */
type StorePart = (records: readonly ParsedRecord[]) => Promise<void>;

/**
 * Queues of parts of batches, one for each connection. A lane that has stored its part of a batch
 * goes on with its part of the next one, so that none waits for the slowest. Records with the same
 * key or lane are stored in their order: all that are not yet stored are in one queue.
 */
export class Lanes {
  private readonly queues = Array.from({ length: LANES }, () => Promise.resolve());
  private readonly keys = new Map<string, KeyInLane>();
  private entering: Promise<void> = Promise.resolve();
  private kind: RecordHandler | undefined;
  /** Whether the last batch has records without a key, which may match any others. */
  private isExclusive = false;
  private failure: { readonly error: unknown } | undefined;

  /**
   * Stores a batch. The next batch may be passed before it is stored.
   * @param inOneLane whether the batch is one part, which is stored alone
   * @throws the first error of its parts, after all of its parts have ended
   */
  async store(
    kind: RecordHandler,
    records: readonly ParsedRecord[],
    storePart: StorePart,
    { inOneLane = false } = {},
  ): Promise<void> {
    let parts: Promise<void>[] = [];
    const enter = async (): Promise<void> => {
      const isExclusive = inOneLane || records.some(({ record }) => kind.key(record) === undefined);
      // Records of one kind may refer to those of another.
      if (isExclusive || this.isExclusive || kind !== this.kind) await Promise.all(this.queues);
      this.kind = kind;
      this.isExclusive = isExclusive;
      if (isExclusive) {
        parts = [this.enqueue(0, () => storePart(records), [])];
        return;
      }
      const groups = new Groups(kind, records);
      let lanes = this.lanesOf(groups, records.length);
      if (!lanes) {
        await Promise.all(this.queues);
        lanes = this.lanesOf(groups, records.length) ?? [];
      }
      parts = this.split(records, storePart, groups, lanes);
    };
    this.entering = this.entering.then(enter);
    await this.entering;
    const results = await Promise.allSettled(parts);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * The lane of each record: that of records with which it shares a token and which are not yet
   * stored. Otherwise, consecutive records share a lane, because their rows are neighbours in the
   * indexes, and lanes would wait for each other's pages.
   *
   * @returns undefined if a group has records in several lanes
   */
  private lanesOf(groups: Groups, count: number): number[] | undefined {
    const laneOfRoot = new Map<number, number>();
    for (const [token, first] of groups.firstOf) {
      const lane = this.keys.get(token)?.lane;
      if (lane === undefined) continue;
      const root = groups.rootOf(first);
      if ((laneOfRoot.get(root) ?? lane) !== lane) return undefined;
      laneOfRoot.set(root, lane);
    }
    return Array.from({ length: count }, (_, at) => {
      const root = groups.rootOf(at);
      return laneOfRoot.get(root) ?? Math.floor((root * LANES) / count);
    });
  }

  private split(
    records: readonly ParsedRecord[],
    storePart: StorePart,
    groups: Groups,
    lanes: readonly number[],
  ): Promise<void>[] {
    const tokens: string[][] = this.queues.map(() => []);
    for (const [token, first] of groups.firstOf) {
      const lane = lanes[first] as number;
      const place = this.keys.get(token) ?? { lane, parts: 0 };
      place.parts += 1;
      this.keys.set(token, place);
      tokens[lane]?.push(token);
    }
    return tokens.flatMap((ofLane, lane) => {
      const part = records.filter((_, at) => lanes[at] === lane);
      return part.length > 0 ? [this.enqueue(lane, () => storePart(part), ofLane)] : [];
    });
  }

  /** Stores a part after those that are in its lane. After an error all further parts fail with it. */
  private enqueue(
    lane: number,
    store: () => Promise<void>,
    keys: readonly string[],
  ): Promise<void> {
    const part = (this.queues[lane] ?? Promise.resolve()).then(async () => {
      if (this.failure) throw this.failure.error;
      await store();
      for (const key of keys) this.release(key);
    });
    this.queues[lane] = part.catch((error: unknown) => {
      this.failure ??= { error };
    });
    return part;
  }

  private release(key: string): void {
    const place = this.keys.get(key);
    if (!place) return;
    place.parts -= 1;
    if (place.parts === 0) this.keys.delete(key);
  }
}

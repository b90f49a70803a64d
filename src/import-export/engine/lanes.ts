import { type RecordHandler } from './record-handler';
import { type ParsedRecord } from './import.service';

/** Connections that store records at the same time. */
export const LANES = 3;

/** The lane of a key, and how many parts in it have records with the key. */
interface KeyInLane {
  readonly lane: number;
  parts: number;
}

/** Stores a part of a batch. */
type StorePart = (kind: RecordHandler, records: readonly ParsedRecord[]) => Promise<void>;

/**
 * Queues of parts of batches, one for each connection. A lane that has stored its part of a batch goes
 * on with its part of the next one, so that none waits for the slowest. Records with the same key
 * are stored in their order: all that are not yet stored are in one lane.
 */
export class Lanes {
  private readonly queues = Array.from({ length: LANES }, () => Promise.resolve());
  private readonly keys = new Map<string, KeyInLane>();
  private entering: Promise<void> = Promise.resolve();
  private kind: RecordHandler | undefined;
  /** Whether the last batch has records without a key, which may match any others. */
  private isExclusive = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly storePart: StorePart) {}

  /**
   * Stores a batch. The next batch may be passed before it is stored.
   * @param inOneLane whether the batch is stored at once, after all others
   * @throws the first error of its parts, when no part is being stored any more
   */
  async store(
    kind: RecordHandler,
    records: readonly ParsedRecord[],
    { inOneLane = false } = {},
  ): Promise<void> {
    let parts: Promise<void>[] = [];
    const enter = async (): Promise<void> => {
      const isExclusive = inOneLane || records.some(({ record }) => kind.key(record) === undefined);
      // Records of one kind may refer to those of another.
      if (isExclusive || this.isExclusive || kind !== this.kind) await Promise.all(this.queues);
      this.kind = kind;
      this.isExclusive = isExclusive;
      parts = isExclusive ? [this.enqueue(0, kind, records, [])] : this.split(kind, records);
    };
    this.entering = this.entering.then(enter);
    await this.entering;
    const results = await Promise.allSettled(parts);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * Consecutive records share a lane, because their rows are neighbours in the indexes, and lanes
   * would wait for each other's pages.
   */
  private split(kind: RecordHandler, records: readonly ParsedRecord[]): Promise<void>[] {
    const lanes = Array.from({ length: LANES }, () => ({
      records: [] as ParsedRecord[],
      keys: new Set<string>(),
    }));
    records.forEach((parsed, at) => {
      const key = kind.lane?.(parsed.record) ?? kind.key(parsed.record) ?? '';
      const equal = Math.floor((at * LANES) / records.length);
      const place = this.keys.get(key) ?? { lane: equal, parts: 0 };
      const lane = lanes[place.lane];
      if (!lane) return;
      lane.records.push(parsed);
      if (lane.keys.has(key)) return;
      lane.keys.add(key);
      place.parts += 1;
      this.keys.set(key, place);
    });
    return lanes.flatMap((lane, at) =>
      lane.records.length > 0 ? [this.enqueue(at, kind, lane.records, [...lane.keys])] : [],
    );
  }

  /** Stores a part after those that are in its lane. After an error all further parts fail with it. */
  private enqueue(
    lane: number,
    kind: RecordHandler,
    records: readonly ParsedRecord[],
    keys: readonly string[],
  ): Promise<void> {
    const part = (this.queues[lane] ?? Promise.resolve()).then(async () => {
      if (this.failure) throw this.failure.error;
      await this.storePart(kind, records);
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

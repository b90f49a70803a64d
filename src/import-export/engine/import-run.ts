import { setImmediate } from 'node:timers/promises';
import { AssignedIds } from './assigned-ids';
import { SET_BULK } from './bulk-settings';
import { insertConflictOf } from './conflicting-records';
import { CrashCheck } from './crash-check';
import { isAboutData, isDuplicate, reasonOf } from './data-errors';
import { EMPTY_SUMMARY, type ImportOptions, type ImportSummary } from './import-options';
import { IndexFlusher } from './index-flusher';
import { LANES, Lanes } from './lanes';
import { type Batch, type InvalidRecord, type ParsedRecord } from './parsed-record';
import { type RawRecord } from './raw-record';
import { RecordError } from './record';
import { type Outcome, type RecordHandler } from './record-handler';
import { storeRecords, type Comparison } from './store';
import { StoredParts } from './stored-parts';
import { type Storing } from './storing';

/**
 * Maximum number of attempts to store a part of a batch that conflicts with other transactions. Of
 * two that conflict, PostgreSQL ends one, and the other goes on, so that imports end.
 */
const ATTEMPTS = 100;

/** Maximum length of a reported reason in characters. */
const MAX_REASON = 500;

/** The outcomes of a batch. */
class BatchResult {
  readonly counts: ImportSummary = { ...EMPTY_SUMMARY };
  readonly rejected: InvalidRecord[] = [];

  count(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.counts[outcome] += 1;
  }

  reject({ position, line }: Pick<InvalidRecord, 'position' | 'line'>, reason: string): void {
    this.counts.failed += 1;
    this.rejected.push({ position, line, reason });
  }
}

/** One import of one file: reads records, stores them in batches and counts the outcomes. */
export class ImportRun {
  readonly summary: ImportSummary;
  private readonly flusher: IndexFlusher;
  private readonly lanes = new Lanes();
  private readonly parts: StoredParts;
  private reported: Promise<unknown> = Promise.resolve();
  /** A job has none: it stores its progress on a connection of its own, whose loss ends it, too. */
  private crashCheck: CrashCheck | undefined;

  constructor(
    private readonly database: Storing,
    private readonly file: string,
    readonly options: ImportOptions,
    private readonly assigned = new AssignedIds(options.firstAttempt),
  ) {
    this.summary = { ...(options.before ?? EMPTY_SUMMARY) };
    this.parts = new StoredParts(options.job, file);
    this.flusher = new IndexFlusher(database, { beside: database.maxConnections > LANES });
  }

  /**
   * Runs the import: its records are durable when it returns.
   * @param storeAll reads the file, and stores its batches; users may create records with ids of the
   *   file from its call on. When it ends, also by an error, it stores nothing further
   * @returns the counts
   * @throws the error of `storeAll`; Error like {@link requireConnection}
   */
  async complete(storeAll: () => Promise<void>): Promise<ImportSummary> {
    try {
      await this.begin();
      await storeAll();
      await this.finish();
      return this.summary;
    } finally {
      await this.flusher.stop();
      await this.crashCheck?.close();
    }
  }

  private async begin(): Promise<void> {
    if (this.options.dryRun === true) return;
    if (!this.options.job) this.crashCheck = await CrashCheck.open(this.database);
    await this.assigned.begin(this.database);
    await this.parts.read(this.database);
  }

  /** @throws Error when earlier batches may be lost, because PostgreSQL may have crashed */
  async requireConnection(): Promise<void> {
    await this.crashCheck?.requireOpen();
  }

  parse(kind: RecordHandler, raw: RawRecord, position: number): ParsedRecord | InvalidRecord {
    const { line } = raw;
    try {
      if (raw.error !== undefined) throw new RecordError(raw.error);
      const record = kind.parse(raw.value, raw.envelope, this.options.of);
      return { position, line, record };
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      return { position, line, reason: error.message };
    }
  }

  /** Lets the event loop run. @throws the reason of the signal */
  async yieldToEventLoop(): Promise<void> {
    await setImmediate();
    this.options.signal?.throwIfAborted();
  }

  /**
   * Stores a batch. The next batch may be passed before it is stored; results are reported in the
   * order of the batches.
   * @throws Error like {@link requireConnection}
   */
  async store({ kind, records }: Batch): Promise<void> {
    await this.requireConnection();
    const result = new BatchResult();
    const toStore: ParsedRecord[] = [];
    for (const one of records) {
      const outcome = this.parts.outcomeOf(one.position);
      if ('reason' in one) result.reject(one, one.reason);
      else if (outcome) result.count([outcome]);
      else toStore.push(one);
    }
    const storing = this.lanes.store(
      kind,
      toStore,
      (part) => this.storePart(kind, part, result),
      // Comparisons are reported in the order of the file.
      { inOneLane: this.options.onCompared !== undefined },
    );
    const earlier = this.reported;
    // A failure of an earlier batch does not end the wait for this one.
    this.reported = storing
      .then(() => earlier)
      .then(() => {
        this.report(result);
      });
    await this.reported;
    await this.flusher.keepUp();
  }

  /**
   * Stores records in one transaction. If one of them is rejected, their halves are stored instead,
   * and so on, to find it. A concurrent transaction may also have created a row that seemed new;
   * the halves find it, and a single record is stored again.
   */
  private async storePart(
    kind: RecordHandler,
    records: readonly ParsedRecord[],
    result: BatchResult,
    isRepeated = false,
  ): Promise<void> {
    try {
      result.count(await this.storeAll(kind, records));
      return;
    } catch (error) {
      if (!isAboutData(error)) throw error;
      const [only] = records;
      if (only && records.length === 1) {
        if (!isRepeated && isDuplicate(error)) await this.storePart(kind, records, result, true);
        else await this.reject(kind, only, result, reasonOf(error));
        return;
      }
    }
    // In order, because a later record of the same key wins.
    const half = Math.ceil(records.length / 2);
    await this.storePart(kind, records.slice(0, half), result);
    await this.storePart(kind, records.slice(half), result);
  }

  private async reject(
    kind: RecordHandler,
    rejected: ParsedRecord,
    result: BatchResult,
    reason: string,
  ): Promise<void> {
    const { record } = rejected;
    if ((kind.onRejected ?? kind.ownerOf) && this.options.dryRun !== true) {
      await this.database.transaction(
        async (executor) => {
          await kind.onRejected?.(executor, record);
          await insertConflictOf(executor, kind, record);
        },
        { unlimited: true, attempts: ATTEMPTS },
      );
    }
    result.reject(rejected, reason);
  }

  /** Flushes the indexes of what was stored, and its commits to the disk. */
  private async finish(): Promise<void> {
    await this.flusher.stop();
    await this.flusher.flush();
    await this.crashCheck?.flushCommits();
  }

  private async storeAll(
    kind: RecordHandler,
    records: readonly ParsedRecord[],
  ): Promise<readonly Outcome[]> {
    const all = records.map(({ record }) => record);
    if (this.options.dryRun === true) {
      const onCompared = (comparison: Comparison): void =>
        this.options.onCompared?.(comparison, records);
      return (await storeRecords(this.database, kind, all, { dryRun: true, onCompared })).outcomes;
    }
    const onWritten = (written: RecordHandler, count: number): void =>
      this.flusher.add(written, count);
    const stored = await this.database.transaction(
      async (executor) => {
        this.assigned.applyTo(executor);
        await executor.query(SET_BULK);
        const done = await storeRecords(executor, kind, all, { onWritten });
        await this.parts.add(executor, records, done.outcomes);
        return done;
      },
      { unlimited: true, attempts: ATTEMPTS },
    );
    return stored.outcomes;
  }

  private report({ counts, rejected }: BatchResult): void {
    for (const name of Object.keys(counts) as (keyof ImportSummary)[])
      this.summary[name] += counts[name];
    const { file } = this;
    for (const { line, reason } of rejected.toSorted((one, other) => one.position - other.position))
      // Database messages may quote the record, so the reason is shortened.
      this.options.onError?.({ file, line, reason: reason.slice(0, MAX_REASON) });
    this.options.onProgress?.(this.summary);
  }
}

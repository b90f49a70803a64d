import { type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Database } from '../../database/database';
import { DirectDatabase } from '../../database/direct-database';
import { AssignedIds, type InitialIds } from './assigned-ids';
import { SET_BULK } from './bulk-settings';
import { IndexFlusher } from './index-flusher';
import { LANES, Lanes } from './lanes';
import { type RecordHandler, type Outcome } from './record-handler';
import { RecordHandlers } from './handlers';
import { RecordError } from './record';
import { BATCH_BYTES } from './record-limits';
import { readRecords, type RawRecord, type RecordMeter } from './record-stream';
import { storeRecords, type Comparison } from './store';

/**
 * Records per batch; large records make smaller batches. Three batches are in memory: two are
 * stored while the next is read.
 */
const BATCH = 2700;

/**
 * Maximum number of attempts to store a part of a batch that conflicts with other transactions. Of
 * two that conflict, PostgreSQL ends one, and the other goes on, so that imports end.
 */
const ATTEMPTS = 100;

/** Records to parse before yielding to the event loop. */
const RECORDS_PER_YIELD = 10;

/** Maximum length of a reported reason in characters. */
const MAX_REASON = 500;

/** The result counts of an import. */
export interface ImportSummary {
  imported: number;
  updated: number;
  /** Records that equal the stored ones. */
  skipped: number;
  failed: number;
}

/** A record that the import rejected. */
export interface ImportError {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ImportOptions {
  readonly dryRun?: boolean;
  /** Id of the parent, for records that do not name it. */
  readonly of?: number;
  readonly onError?: (error: ImportError) => void;
  /** Called after each batch, and after every BATCH rejected records. */
  readonly onProgress?: (summary: Readonly<ImportSummary>) => void;
  /** Aborts the import within 10 records; it throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Of the first attempt of the import, if there was one before. */
  readonly initialIds?: InitialIds | null;
  /** Called in a dry run for each batch, in the order of the file. */
  readonly onCompared?: (comparison: Comparison, batch: readonly ParsedRecord[]) => void;
}

/** The database methods that an import uses. */
export type Storing = Pick<Database, 'query' | 'transaction' | 'maxConnections'>;

/** A record of a file. */
export interface ParsedRecord {
  readonly line: number;
  readonly record: unknown;
}

interface Batch {
  readonly kind: RecordHandler;
  readonly records: ParsedRecord[];
}

/** Imports files in the service's own JSON shapes. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: RecordHandlers,
  ) {}

  /**
   * Imports one file. Rejected records are reported and the others are stored. A repeated import
   * updates records and never duplicates them.
   * @param kind the kind of the records or its name, unless the member of a list response selects
   *   another
   */
  async import(
    kind: string | RecordHandler,
    file: string,
    input: Readable,
    options: ImportOptions = {},
  ): Promise<ImportSummary> {
    const run = new ImportRun(this.database, file, options);
    await run.begin();
    // Two batches are stored while the next one is read and parsed. Without a connection of its
    // own, a flush of the indexes needs one of a lane, so that one batch is stored at a time.
    const canOverlap = this.database.maxConnections > LANES;
    let before: Promise<void> = Promise.resolve();
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of this.batches(kind, input, run)) {
        await (canOverlap ? before : storing);
        before = storing;
        storing = run.store(batch);
        // Prevents an unhandled rejection; an await above or below reports the failure.
        storing.catch(() => undefined);
      }
    } finally {
      // Wait for the pending batches, so that no work continues after a failure.
      await Promise.allSettled([before, storing]);
      await run.stop();
    }
    await Promise.all([before, storing]);
    await run.finish();
    return run.summary;
  }

  private async *batches(
    kindOrName: string | RecordHandler,
    input: Readable,
    run: ImportRun,
  ): AsyncGenerator<Batch> {
    const own = typeof kindOrName === 'string' ? this.kinds.named(kindOrName) : kindOrName;
    const lists = this.kinds.listsOf(own);
    const needingEnvelope = [...lists]
      .filter(([, { needsEnvelope }]) => needsEnvelope)
      .map(([member]) => member);
    const meter: RecordMeter = { bytes: 0 };
    let batch: Batch = { kind: own, records: [] };
    let begun = 0;
    let read = 0;
    for await (const raw of readRecords(
      input,
      new Set(lists.keys()),
      new Set(needingEnvelope),
      meter,
    )) {
      const kind = (raw.member === undefined ? undefined : lists.get(raw.member)) ?? own;
      const parsed = run.parse(kind, raw);
      read += 1;
      // Yield, so that requests and the statements of the previous batch do not wait for the
      // parser.
      if (read % RECORDS_PER_YIELD === 0) await run.yieldToEventLoop();
      if (!parsed) continue;
      const full = batch.records.length >= BATCH || meter.bytes - begun >= BATCH_BYTES;
      if (full || kind !== batch.kind) {
        if (batch.records.length > 0) yield batch;
        batch = { kind, records: [] };
        begun = meter.bytes;
      }
      batch.records.push(parsed);
    }
    if (batch.records.length > 0) yield batch;
  }
}

/** One import of one file: reads records, stores them in batches and counts the outcomes. */
export class ImportRun {
  readonly summary: ImportSummary = { imported: 0, updated: 0, skipped: 0, failed: 0 };
  private readonly flusher: IndexFlusher;
  private readonly lanes = new Lanes((kind, records) => this.storePart(kind, records));

  constructor(
    private readonly database: Storing,
    private readonly file: string,
    private readonly options: ImportOptions,
    private readonly assigned = new AssignedIds(options.initialIds),
  ) {
    this.flusher = new IndexFlusher(database, { beside: database.maxConnections > LANES });
  }

  /** Call it before anything is read: users may create records with ids of the file from then on. */
  async begin(): Promise<void> {
    if (this.options.dryRun !== true) await this.assigned.begin(this.database);
  }

  parse(kind: RecordHandler, raw: RawRecord): ParsedRecord | undefined {
    try {
      if (raw.error !== undefined) throw new RecordError(raw.error);
      return { line: raw.line, record: kind.parse(raw.value, raw.envelope, this.options.of) };
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.fail(raw.line, error.message);
      return undefined;
    }
  }

  /** Lets the event loop run. @throws the reason of the signal */
  async yieldToEventLoop(): Promise<void> {
    await setImmediate();
    this.options.signal?.throwIfAborted();
  }

  async store({ kind, records }: Batch): Promise<void> {
    // Comparisons are reported in the order of the file.
    await this.lanes.store(kind, records, { inOneLane: this.options.onCompared !== undefined });
    this.options.onProgress?.(this.summary);
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
    isRepeated = false,
  ): Promise<void> {
    try {
      this.count(await this.storeAll(kind, records));
      return;
    } catch (error) {
      if (!isAboutData(error)) throw error;
      const [only] = records;
      if (only && records.length === 1) {
        if (!isRepeated && isDuplicate(error)) await this.storePart(kind, records, true);
        else this.fail(only.line, reasonOf(error));
        return;
      }
    }
    // In order, because a later record of the same key wins.
    const half = Math.ceil(records.length / 2);
    await this.storePart(kind, records.slice(0, half));
    await this.storePart(kind, records.slice(half));
  }

  /** Waits for work in the background. Call it when the import ends early. */
  stop(): Promise<void> {
    return this.flusher.stop();
  }

  /** Flushes the indexes of what was stored. */
  async finish(): Promise<void> {
    await this.flusher.stop();
    await this.flusher.flush();
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
        return storeRecords(executor, kind, all, { onWritten });
      },
      { unlimited: true, attempts: ATTEMPTS },
    );
    return stored.outcomes;
  }

  private count(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.summary[outcome] += 1;
  }

  private fail(line: number, reason: string): void {
    this.summary.failed += 1;
    if (this.summary.failed % BATCH === 0) this.options.onProgress?.(this.summary);
    // Database messages may quote the record, so the reason is shortened.
    this.options.onError?.({ file: this.file, line, reason: reason.slice(0, MAX_REASON) });
  }
}

/**
 * Constraint violations, invalid values and values too large for an index (SQLSTATE classes 22, 23
 * and 54) are errors of the record, not of the service.
 */
export function isAboutData(error: unknown): error is Error {
  if (error instanceof RecordError) return true;
  const code = (error as { code?: unknown }).code;
  return error instanceof Error && typeof code === 'string' && /^(2[23]|54)/.test(code);
}

/** Whether a row with the same unique key exists, perhaps since a moment ago. */
const isDuplicate = (error: Error): boolean => (error as { code?: unknown }).code === '23505';

/** The reported reason for an error of a record. */
export function reasonOf(error: Error): string {
  const { detail } = error as { detail?: string };
  return detail ?? error.message;
}

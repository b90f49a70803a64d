import { type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Database } from '../../database/database';
import { DirectDatabase } from '../../database/direct-database';
import { type RecordHandler, type Outcome } from './record-handler';
import { RecordHandlers } from './handlers';
import { RecordError } from './record';
import { BATCH_BYTES } from './record-limits';
import { readRecords, type RawRecord, type RecordMeter } from './record-stream';
import { storeRecords } from './store';

/**
 * Records that are stored together, by as many connections as there are lanes; fewer when they are
 * large. Two batches are in memory: the one that is stored, and the one that is read meanwhile.
 */
const BATCH = 1500;
const LANES = 3;

/** Records that are read before the database has its turn. */
const TURN = 10;

/** Characters of a reason that are reported. */
const MAX_REASON = 500;

/** How an import went. */
export interface ImportSummary {
  imported: number;
  updated: number;
  /** Records that were already there as they are. */
  skipped: number;
  failed: number;
}

/** A record that could not be taken. */
export interface ImportError {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface ImportOptions {
  readonly dryRun?: boolean;
  /** Id of what the records belong to, where they do not say so themselves. */
  readonly of?: number;
  readonly onFault?: (fault: ImportError) => void;
  /** Called after every batch. */
  readonly onProgress?: (summary: Readonly<ImportSummary>) => void;
}

/** What an import needs of the database. */
export type Storing = Pick<Database, 'query' | 'transaction'>;

interface Parsed {
  readonly line: number;
  readonly record: unknown;
}

interface Batch {
  readonly kind: RecordHandler;
  readonly records: Parsed[];
}

/** Reads files in the service's own shapes into the database. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: RecordHandlers,
  ) {}

  /**
   * Imports one file. Records that cannot be taken are reported, the others go in; importing again
   * updates and never doubles.
   *
   * @param kind what the records are, or its name, unless a list response's member says otherwise
   */
  async import(
    kind: string | RecordHandler,
    file: string,
    input: Readable,
    options: ImportOptions = {},
  ): Promise<ImportSummary> {
    const run = new ImportRun(this.database, file, options);
    // While one batch is stored, the next is read and checked.
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of this.batches(kind, input, run)) {
        await storing;
        storing = run.store(batch);
        // The await above or below sees the failure; this only keeps it from being unhandled.
        storing.catch(() => undefined);
      }
    } finally {
      // Nothing goes on after an import has failed.
      await storing;
    }
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
    const held = [...lists].filter(([, { needsAround }]) => needsAround).map(([member]) => member);
    const meter: RecordMeter = { bytes: 0 };
    let batch: Batch = { kind: own, records: [] };
    let begun = 0;
    for await (const raw of readRecords(input, new Set(lists.keys()), new Set(held), meter)) {
      const kind = (raw.member === undefined ? undefined : lists.get(raw.member)) ?? own;
      const parsed = run.parse(kind, raw);
      if (!parsed) continue;
      const full = batch.records.length >= BATCH || meter.bytes - begun >= BATCH_BYTES;
      if (full || kind !== batch.kind) {
        if (batch.records.length > 0) yield batch;
        batch = { kind, records: [] };
        begun = meter.bytes;
      }
      batch.records.push(parsed);
      // The batch before is being stored meanwhile: its statements must not wait for the reading.
      if (batch.records.length % TURN === 0) await setImmediate();
    }
    if (batch.records.length > 0) yield batch;
  }
}

/** One import of one file: reads records, stores batches of them, counts what became of each. */
export class ImportRun {
  readonly summary: ImportSummary = { imported: 0, updated: 0, skipped: 0, failed: 0 };
  private readonly stored = new Set<RecordHandler>();

  constructor(
    private readonly database: Storing,
    private readonly file: string,
    private readonly options: ImportOptions,
  ) {}

  parse(kind: RecordHandler, raw: RawRecord): Parsed | undefined {
    try {
      if (raw.fault !== undefined) throw new RecordError(raw.fault);
      return { line: raw.line, record: kind.parse(raw.value, raw.around, this.options.of) };
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.fail(raw.line, error.message);
      return undefined;
    }
  }

  async store({ kind, records }: Batch): Promise<void> {
    const lanes = Array.from({ length: LANES }, (): Parsed[] => []);
    // Which thing a record without a key is may depend on any other record.
    const alone = records.some(({ record }) => kind.key(record) === undefined);
    for (const parsed of records) {
      lanes[alone ? 0 : laneOf(laneKey(kind, parsed.record))]?.push(parsed);
    }
    const full = lanes.filter((lane) => lane.length > 0);
    // All of them, so that none goes on after another has failed.
    const results = await Promise.allSettled(full.map((lane) => this.storeLane(kind, lane)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    this.options.onProgress?.(this.summary);
  }

  private async storeLane(kind: RecordHandler, records: readonly Parsed[]): Promise<void> {
    try {
      this.count(await this.storeAll(kind, records));
    } catch (error) {
      if (!isAboutData(error)) throw error;
      // Something in the batch cannot be stored: one by one, to say which.
      for (const parsed of records) await this.storeOne(kind, parsed);
    }
  }

  /** Lets the kinds that were stored do what is left for the end. */
  async finish(): Promise<void> {
    for (const kind of this.stored) await kind.finish?.(this.database);
  }

  private async storeOne(kind: RecordHandler, parsed: Parsed): Promise<void> {
    try {
      this.count(await this.storeAll(kind, [parsed]));
    } catch (error) {
      if (!isAboutData(error)) throw error;
      this.fail(parsed.line, reasonOf(error));
    }
  }

  private async storeAll(
    kind: RecordHandler,
    records: readonly Parsed[],
  ): Promise<readonly Outcome[]> {
    const all = records.map(({ record }) => record);
    if (this.options.dryRun === true) {
      return (await storeRecords(this.database, kind, all, { dryRun: true })).outcomes;
    }
    const onWritten = (written: RecordHandler): void => void this.stored.add(written);
    const stored = await this.database.transaction((runner) =>
      storeRecords(runner, kind, all, { onWritten }),
    );
    return stored.outcomes;
  }

  private count(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.summary[outcome] += 1;
  }

  private fail(line: number, reason: string): void {
    this.summary.failed += 1;
    // What the database says may quote the record.
    this.options.onFault?.({ file: this.file, line, reason: reason.slice(0, MAX_REASON) });
  }
}

const laneKey = (kind: RecordHandler, record: unknown): string | undefined =>
  kind.lane?.(record) ?? kind.key(record);

/** Records of one thing go the same way, in their order. */
function laneOf(key = ''): number {
  let sum = 0;
  for (const character of key) sum += character.charCodeAt(0);
  return sum % LANES;
}

/**
 * Constraint violations, bad values and values too large for an index (SQLSTATE classes 23, 22, 54):
 * the record's fault, not ours.
 */
export function isAboutData(error: unknown): error is Error {
  if (error instanceof RecordError) return true;
  const code = (error as { code?: unknown }).code;
  return error instanceof Error && typeof code === 'string' && /^(2[23]|54)/.test(code);
}

/** What to say of an error that is about a record. */
export function reasonOf(error: Error): string {
  const { detail } = error as { detail?: string };
  return detail ?? error.message;
}

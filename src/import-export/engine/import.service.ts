import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { RecordHandlers } from './handlers';
import { recordsOf, type ImportOptions, type ImportSummary } from './import-options';
import { ImportRun } from './import-run';
import { LANES } from './lanes';
import { type Batch, type InvalidRecord, type ParsedRecord } from './parsed-record';
import { BATCH_BYTES } from './record-limits';
import { type RecordHandler } from './record-handler';
import { readRecords, type RecordMeter } from './record-stream';

/**
 * Records per batch; large records make smaller batches. Three batches are in memory: two are
 * stored while the next is read.
 */
const BATCH = 2700;

/** Records to parse before yielding to the event loop. */
const RECORDS_PER_YIELD = 10;

/** Imports files in the service's own JSON shapes. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: RecordHandlers,
  ) {}

  /**
   * Imports one file. Rejected records are reported and the others are stored. A repeated import
   * updates records and never duplicates them. Stored records are durable when it returns.
   * @param kind the kind of the records or its name, unless the member of a list response selects
   *   another
   * @throws Error when records may be missing because the connection to PostgreSQL was lost
   */
  async import(
    kind: string | RecordHandler,
    file: string,
    input: Readable,
    options: ImportOptions = {},
  ): Promise<ImportSummary> {
    const run = new ImportRun(this.database, file, options);
    return run.complete(() => this.storeAll(kind, input, run));
  }

  private async storeAll(
    kind: string | RecordHandler,
    input: Readable,
    run: ImportRun,
  ): Promise<void> {
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
    }
    await Promise.all([before, storing]);
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
    const { before, isCutOff } = run.options;
    const completed = before ? recordsOf(before) : 0;
    let kind = own;
    let records: (ParsedRecord | InvalidRecord)[] = [];
    let begun = 0;
    let position = 0;
    for await (const raw of readRecords(
      input,
      new Set(lists.keys()),
      new Set(needingEnvelope),
      meter,
    )) {
      position += 1;
      // Yield, so that requests and the statements of the previous batch do not wait for the
      // parser.
      if (position % RECORDS_PER_YIELD === 0) await run.yieldToEventLoop();
      if (position <= completed || (raw.error !== undefined && isCutOff?.() === true)) continue;
      const recordKind = (raw.member === undefined ? undefined : lists.get(raw.member)) ?? own;
      const full = records.length >= BATCH || meter.bytes - begun >= BATCH_BYTES;
      if (full || recordKind !== kind) {
        if (records.length > 0) yield { kind, records };
        kind = recordKind;
        records = [];
        begun = meter.bytes;
      }
      records.push(run.parse(kind, raw, position));
    }
    if (records.length > 0) yield { kind, records };
  }
}

import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { BookHandler } from '../books/book.handler';
import { ImportRun } from '../engine/import-run';
import { EMPTY_SUMMARY, type ImportOptions, type ImportSummary } from '../engine/import-options';
import { RecordError } from '../engine/record';
import { BATCH_BYTES } from '../engine/record-limits';
import { utcOf } from '../full/utc';
import { readDump, type DumpError, type DumpRecord } from './dump';
import { EditionHandler } from './edition.handler';
import { authorsOf, readAuthor, readWork, toBook, worksOf, type Work } from './edition';
import { Staging } from './staging';

/** Editions per batch and records per staging batch; large records make smaller batches. */
const BATCH = 1000;
const STAGED = 5000;

/** A file of a dump. */
export interface DumpFile {
  /** Its name in error messages. */
  readonly name: string;
  readonly stream: Readable;
}

/** The files of a dump. Without works and authors, books only have the data of their editions. */
export interface DumpFiles {
  readonly editions: DumpFile;
  readonly works?: DumpFile;
  readonly authors?: DumpFile;
}

/** Imports Open Library's public dumps as books. */
@Injectable()
export class OpenLibraryImport {
  private readonly kind = new EditionHandler(new BookHandler());

  constructor(private readonly database: DirectDatabase) {}

  /**
   * Imports editions as books with the data of their works and authors. A repeated import updates
   * books and never duplicates them.
   */
  async import(files: DumpFiles, options: ImportOptions = {}): Promise<ImportSummary> {
    const staging = await Staging.open(this.database);
    try {
      const total: ImportSummary = { ...EMPTY_SUMMARY };
      total.failed += await this.stage(files.authors, 'author', options, (records) =>
        staging.addAuthors(records.map(({ key, value }) => readAuthor(key, value))),
      );
      total.failed += await this.stage(files.works, 'work', options, (records) =>
        staging.addWorks(records.map(({ key, value }) => readWork(key, value))),
      );
      const summary = await this.editions(files.editions, staging, options);
      return { ...summary, failed: summary.failed + total.failed };
    } finally {
      await staging.close();
    }
  }

  /** @returns the number of invalid lines */
  private async stage(
    file: DumpFile | undefined,
    type: string,
    { onError }: ImportOptions,
    add: (records: DumpRecord[]) => Promise<void>,
  ): Promise<number> {
    if (!file) return 0;
    let failed = 0;
    let batch: DumpRecord[] = [];
    let bytes = 0;
    for await (const record of readDump(file.stream, type)) {
      if ('error' in record) {
        failed += 1;
        onError?.({ file: file.name, line: record.line, reason: record.error });
      } else {
        batch.push(record);
        bytes += record.size;
      }
      if (batch.length < STAGED && bytes < BATCH_BYTES) continue;
      await add(batch);
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) await add(batch);
    return failed;
  }

  private async editions(
    { name, stream }: DumpFile,
    staging: Staging,
    options: ImportOptions,
  ): Promise<ImportSummary> {
    const database = utcOf(this.database);
    const run = new ImportRun(database, name, options);
    return run.complete(() => this.storeEditions(stream, staging, run));
  }

  private async storeEditions(stream: Readable, staging: Staging, run: ImportRun): Promise<void> {
    let batch: (DumpRecord | DumpError)[] = [];
    let bytes = 0;
    const store = async (): Promise<void> => {
      // Before the staging connection, whose error would not say that stored books may be lost.
      await run.requireConnection();
      if (batch.length > 0) await this.store(batch, staging, run);
      batch = [];
      bytes = 0;
    };
    for await (const record of readDump(stream, 'edition')) {
      batch.push(record);
      if (!('error' in record)) bytes += record.size;
      if (batch.length >= BATCH || bytes >= BATCH_BYTES) await store();
    }
    await store();
  }

  private async store(
    batch: readonly (DumpRecord | DumpError)[],
    staging: Staging,
    run: ImportRun,
  ): Promise<void> {
    const valid = batch.filter((record): record is DumpRecord => !('error' in record));
    const works = await staging.works(valid.flatMap(({ value }) => worksOf(value)));
    const workOf = ({ value }: DumpRecord): Work | undefined =>
      worksOf(value)
        .map((key) => works.get(key))
        .find((work) => work !== undefined);
    // If an edition names no authors, those of its work apply.
    const keysOf = (record: DumpRecord): readonly string[] => {
      const own = authorsOf(record.value);
      return own.length > 0 ? own : (workOf(record)?.authors ?? []);
    };
    const authors = await staging.authors(valid.flatMap(keysOf));
    const records = batch.map((record) => {
      if ('error' in record) return run.parse(this.kind, record, record.line);
      const named = keysOf(record).map((key) => authors.get(key));
      try {
        const authors = named.filter((author) => author !== undefined);
        const value = { key: record.key, ...toBook(record.value, workOf(record), authors) };
        return run.parse(this.kind, { line: record.line, value }, record.line);
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        return run.parse(this.kind, { line: record.line, error: error.message }, record.line);
      }
    });
    await run.store({ kind: this.kind, records });
  }
}

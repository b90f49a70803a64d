import { once } from 'node:events';
import { createReadStream, fstat } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { AssignedIds, PROTECTED_TABLES, type FirstAttempt } from '../engine/assigned-ids';
import { ImportRun } from '../engine/import-run';
import {
  EMPTY_SUMMARY,
  type ImportError,
  type ImportJob,
  type ImportSummary,
} from '../engine/import-options';
import { readLines, type TextLine } from '../engine/line-splitter';
import { parseText, type RawRecord } from '../engine/raw-record';
import { BATCH_BYTES } from '../engine/record-limits';
import { reserveIds, type Table } from '../engine/sequences';
import { fileVersionOf } from '../engine/file-version';
import { stopwatch } from '../engine/stopwatch';
import { ContentCheck, verifyFile, type FilePrefix } from './lines';
import { type Manifest, type ManifestEntry } from './manifest';
import { utcOf } from './utc';
import { FullHandlers } from './full-handlers';

const readStats = promisify(fstat);

/** Records per batch; large records make smaller batches. */
const BATCH = 1500;

/** Progress and result counts of one file. */
export interface FileProgress extends ImportSummary {
  readonly kind: string;
  readonly file: string;
  /** Number of records in the file. */
  readonly total: number;
  /** Records that were read and stored; a resumed import continues after them. */
  records: number;
  /** The part of the file with these records; missing in progress of earlier versions. */
  prefix?: FilePrefix;
  done: boolean;
  /** Uncompressed bytes of the file. */
  readonly size?: number;
  /** Seconds that its import has taken, over all attempts. */
  seconds?: number;
}

/** Callbacks and signal of a running import. */
export interface Watch {
  readonly onError: (error: ImportError) => void;
  /** Called and awaited after each batch; an exception ends the import. */
  readonly onProgress: (progress: readonly FileProgress[]) => Promise<void>;
  /** Ends the import before the next batch, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The first attempt of the import, if there was one before. */
  readonly firstAttempt?: FirstAttempt;
  /** See {@link ImportOptions.job}. */
  readonly job?: ImportJob;
}

/** Kinds of records that users and administrators create, with the tables of their ids. */
const ID_TABLES: Readonly<Record<string, Table>> = {
  ...PROTECTED_TABLES,
  ...{ user: 'users', collection: 'collections', participation: 'participations' },
  ...{ report: 'reports', 'note-version': 'note_versions' },
  ...{ 'user-placeholder': 'users', 'note-placeholder': 'notes' },
  ...{ 'book-placeholder': 'books', 'loc-placeholder': 'cities' },
};

/** A file of an import. */
interface ImportedFile {
  readonly entry: ManifestEntry;
  readonly progress: FileProgress;
}

/** State that the files of an import share. */
interface RunningImport {
  readonly all: readonly FileProgress[];
  readonly watch: Watch;
  readonly assigned: AssignedIds;
}

/** The progress before the first record. */
const begun = ({ kind, file, records, bytes }: ManifestEntry): FileProgress => ({
  ...{ kind, file, total: records, size: bytes, seconds: 0, records: 0, done: false },
  ...EMPTY_SUMMARY,
});

interface Batch {
  readonly lines: readonly TextLine[];
  /** Number of the last line, 1-based. */
  readonly last: number;
  /** The part of the file that the import has read; it includes the last line. */
  readonly prefix: FilePrefix;
}

/**
 * The batches of a verified file.
 * @param skip number of lines that an earlier attempt has stored
 * @throws Error at its end when the file has changed since it was verified
 */
async function* batchesOf(
  file: Readable,
  entry: ManifestEntry,
  skip: number,
): AsyncGenerator<Batch> {
  let lines: TextLine[] = [];
  let bytes = 0;
  const check = new ContentCheck(entry);
  const add = (chunk: Buffer): void => {
    check.add(chunk);
  };
  for await (const line of readLines(file, add)) {
    if (line.line <= skip) continue;
    const last = lines.at(-1);
    if (last && (lines.length >= BATCH || bytes >= BATCH_BYTES)) {
      yield { lines, last: last.line, prefix: check.prefix };
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += line.size;
  }
  const prefix = check.prefix;
  // The last line of a file that became shorter is incomplete.
  if (!check.isEqual()) {
    throw new Error(`${entry.file} has changed during the import: records of it may be missing`);
  }
  const last = lines.at(-1);
  if (last) yield { lines, last: last.line, prefix };
}

const rawOf = ({ line, text, error }: TextLine): RawRecord =>
  text === undefined ? { line, error } : parseText(text, line);

/** Opens a file. */
async function openFile(path: string): Promise<{ stream: Readable; fileVersion: string }> {
  const stream = createReadStream(path);
  const [descriptor] = (await once(stream, 'open')) as [number];
  return { stream, fileVersion: fileVersionOf(await readStats(descriptor, { bigint: true })) };
}

/** Imports full exports. */
@Injectable()
export class FullImport {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: FullHandlers,
  ) {}

  /**
   * Imports the files of a folder in order and continues at `progress`. Rejected records are
   * reported and the others are stored. If an earlier attempt has read other content under the name
   * of a file, the import of that file starts over.
   * @param progress of a previous attempt with the same manifest; empty for none
   * @throws Error for a damaged file or an unsupported kind, before any record is stored
   */
  async run(
    folder: string,
    manifest: Manifest,
    progress: readonly FileProgress[],
    watch: Watch,
  ): Promise<readonly FileProgress[]> {
    // Exports of earlier versions have another order.
    const rank = ({ kind }: ManifestEntry): number =>
      this.kinds.all.indexOf(this.kinds.named(kind));
    const entries = manifest.kinds.toSorted((one, other) => rank(one) - rank(other));
    const files = entries.map((entry): ImportedFile => {
      const before = progress.find(({ file }) => file === entry.file);
      return { entry, progress: before ? { ...before } : begun(entry) };
    });
    const all = files.map((file) => file.progress);
    const assigned = new AssignedIds(watch.firstAttempt);
    await assigned.begin(this.database);
    for (const { entry, progress: own } of files) {
      if (own.done) continue;
      const { signal } = watch;
      const options = { signal, earlier: own.prefix };
      const { lastId, continuesEarlier } = await verifyFile(
        join(folder, entry.file),
        entry,
        options,
      );
      if (!continuesEarlier) Object.assign(own, begun(entry), { prefix: undefined });
      await this.reserve(this.kinds.named(entry.kind).name, lastId, assigned);
    }
    await watch.onProgress(all);
    for (const file of files) {
      if (!file.progress.done) await this.importFile(folder, file, { all, watch, assigned });
    }
    return all;
  }

  /**
   * Reserves the ids of a file, so that records that users create from now on have others: later
   * files refer to these ids.
   */
  private async reserve(
    kind: string,
    lastId: number | undefined,
    assigned: AssignedIds,
  ): Promise<void> {
    const table = ID_TABLES[kind];
    if (table === undefined || lastId === undefined) return;
    await this.database.transaction(async (executor) => {
      assigned.applyTo(executor);
      await reserveIds(executor, table, [lastId]);
    });
  }

  private async importFile(
    folder: string,
    { entry, progress }: ImportedFile,
    { all, watch, assigned }: RunningImport,
  ): Promise<void> {
    const kind = this.kinds.named(progress.kind);
    const database = utcOf(this.database);
    const { file, imported, updated, skipped, failed, seconds = 0 } = progress;
    const { onError } = watch;
    const before = { imported, updated, skipped, failed };
    const { stream, fileVersion } = await openFile(join(folder, file));
    const job = watch.job && { ...watch.job, fileVersion };
    const run = new ImportRun(database, file, { onError, job, before }, assigned);
    const elapsed = stopwatch();
    const store = async (batch: Batch): Promise<void> => {
      const records = batch.lines.map((line) => run.parse(kind, rawOf(line), line.line));
      await run.store({ kind, records });
      progress.records = batch.last;
      progress.prefix = batch.prefix;
      progress.seconds = seconds + elapsed();
      Object.assign(progress, run.summary);
      await watch.onProgress(all);
    };
    const storeAll = async (): Promise<void> => {
      let storing: Promise<void> = Promise.resolve();
      try {
        for await (const batch of batchesOf(stream, entry, progress.records)) {
          await storing;
          storing = store(batch);
          // Prevents an unhandled rejection; the await above or below reports the failure.
          storing.catch(() => undefined);
        }
      } finally {
        // Wait for the pending batch, so that no work continues after a failure.
        await storing;
      }
    };
    try {
      await run.complete(storeAll);
    } finally {
      stream.destroy();
    }
    progress.done = true;
    await watch.onProgress(all);
  }
}

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DirectDatabase } from '../../database/direct-database';
import { ImportRun, type ImportError, type ImportSummary } from '../engine/import.service';
import { type RecordHandler } from '../engine/record-handler';
import { readLines, type TextLine } from '../engine/line-splitter';
import { parseText, type RawRecord } from '../engine/raw-record';
import { BATCH_BYTES } from '../engine/record-limits';
import { verifyFile } from './lines';
import { type Manifest, type ManifestEntry } from './manifest';
import { utcOf } from './utc';
import { FullHandlers } from './full-handlers';

/** Records that are stored together; fewer when they are large. */
const BATCH = 1500;

/** How far the import of a file is, and what became of what was read. */
export interface FileProgress extends ImportSummary {
  readonly kind: string;
  readonly file: string;
  /** Records that the file has. */
  readonly total: number;
  /** Records that were read and stored; a repeated import goes on after them. */
  records: number;
  done: boolean;
}

/** How an import is watched. */
export interface Watch {
  readonly onFault: (fault: ImportError) => void;
  /** Called after every batch, and awaited: what it throws ends the import. */
  readonly onProgress: (progress: readonly FileProgress[]) => Promise<void>;
  /** Ends the import before anything is stored, with its reason. */
  readonly signal?: AbortSignal;
}

/** Nothing of a file read. */
const begun = ({ kind, file, records }: ManifestEntry): FileProgress => ({
  ...{ kind, file, total: records, records: 0, done: false },
  ...{ imported: 0, updated: 0, skipped: 0, failed: 0 },
});

interface Batch {
  readonly lines: readonly TextLine[];
  /** Number of the last line, from 1. */
  readonly last: number;
}

async function* batchesOf(path: string, skip: number): AsyncGenerator<Batch> {
  let lines: TextLine[] = [];
  let bytes = 0;
  for await (const line of readLines(createReadStream(path))) {
    if (line.line <= skip) continue;
    lines.push(line);
    bytes += line.size;
    if (lines.length < BATCH && bytes < BATCH_BYTES) continue;
    yield { lines, last: line.line };
    lines = [];
    bytes = 0;
  }
  const last = lines[lines.length - 1];
  if (last) yield { lines, last: last.line };
}

const rawOf = ({ line, text, fault }: TextLine): RawRecord =>
  text === undefined ? { line, fault } : parseText(text, line);

/** Reads whole exports into the database. */
@Injectable()
export class FullImport {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: FullHandlers,
  ) {}

  /**
   * Imports the files of a folder in their order, going on where `progress` says. Records that
   * cannot be taken are reported, the others go in.
   *
   * @param progress of an earlier attempt with the same manifest; empty for none
   * @throws Error for a damaged file or an unknown kind, before anything is stored
   */
  async run(
    folder: string,
    manifest: Manifest,
    progress: readonly FileProgress[],
    watch: Watch,
  ): Promise<readonly FileProgress[]> {
    const all = manifest.kinds.map((entry) => {
      const before = progress.find(({ file }) => file === entry.file);
      return before ? { ...before } : begun(entry);
    });
    for (const { kind } of manifest.kinds) this.kinds.named(kind);
    for (const [at, entry] of manifest.kinds.entries()) {
      if (all[at]?.done !== true) await verifyFile(join(folder, entry.file), entry, watch.signal);
    }
    for (const one of all) {
      if (!one.done) await this.importFile(folder, one, { all, watch });
    }
    return all;
  }

  private async importFile(
    folder: string,
    progress: FileProgress,
    { all, watch }: { readonly all: readonly FileProgress[]; readonly watch: Watch },
  ): Promise<void> {
    const kind = this.kinds.named(progress.kind);
    const database = utcOf(this.database);
    const run = new ImportRun(database, progress.file, { onFault: watch.onFault });
    const { imported, updated, skipped, failed } = progress;
    Object.assign(run.summary, { imported, updated, skipped, failed });
    const store = async (batch: Batch): Promise<void> => {
      await run.store({ kind, records: this.parse(kind, batch, run) });
      // A batch that was stored and not noted down is stored again, which changes nothing.
      progress.records = batch.last;
      Object.assign(progress, run.summary);
      await watch.onProgress(all);
    };
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of batchesOf(join(folder, progress.file), progress.records)) {
        await storing;
        storing = store(batch);
        // The await above or below sees the failure; this only keeps it from being unhandled.
        storing.catch(() => undefined);
      }
    } finally {
      // Nothing goes on after an import has failed.
      await storing;
    }
    await database.transaction(async (runner) => kind.finish?.(runner));
    progress.done = true;
    await watch.onProgress(all);
  }

  private parse(kind: RecordHandler, { lines }: Batch, run: ImportRun) {
    const parsed = lines.map((line) => run.parse(kind, rawOf(line)));
    return parsed.filter((one) => one !== undefined);
  }
}

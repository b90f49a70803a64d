import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { ImportRun, type ImportFault, type ImportSummary } from '../import.service';
import { type Kind } from '../kind';
import { linesOf, verifyFile } from './lines';
import { type Manifest, type ManifestEntry } from './manifest';
import { utcOf } from './utc';
import { WholeKinds } from './whole-kinds';

/** Records, and characters of their lines, that are stored together. */
const BATCH = 1500;
const BATCH_CHARACTERS = 8_000_000;

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
  readonly onFault: (fault: ImportFault) => void;
  /** Called after every batch, and awaited: what it throws ends the import. */
  readonly onProgress: (progress: readonly FileProgress[]) => Promise<void>;
}

/** Nothing of a file read. */
const begun = ({ kind, file, records }: ManifestEntry): FileProgress => ({
  ...{ kind, file, total: records, records: 0, done: false },
  ...{ imported: 0, updated: 0, skipped: 0, failed: 0 },
});

interface Batch {
  readonly lines: readonly string[];
  /** Number of the first line, from 1. */
  readonly from: number;
}

async function* batchesOf(path: string, skip: number): AsyncGenerator<Batch> {
  let lines: string[] = [];
  let characters = 0;
  let read = 0;
  for await (const piece of linesOf(path)) {
    for (const line of piece) {
      read += 1;
      if (read <= skip) continue;
      lines.push(line);
      characters += line.length;
      if (lines.length < BATCH && characters < BATCH_CHARACTERS) continue;
      yield { lines, from: read - lines.length + 1 };
      lines = [];
      characters = 0;
    }
  }
  if (lines.length > 0) yield { lines, from: read - lines.length + 1 };
}

function valueOf(line: string): { readonly value?: unknown; readonly fault?: string } {
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return { fault: 'not valid JSON' };
  }
}

/** Reads whole exports into the database. */
@Injectable()
export class WholeImport {
  constructor(
    private readonly database: Database,
    private readonly kinds: WholeKinds,
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
      if (all[at]?.done !== true) await verifyFile(join(folder, entry.file), entry);
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
      progress.records = batch.from + batch.lines.length - 1;
      Object.assign(progress, run.summary);
      await watch.onProgress(all);
    };
    let storing: Promise<void> = Promise.resolve();
    for await (const batch of batchesOf(join(folder, progress.file), progress.records)) {
      await storing;
      storing = store(batch);
      // The await above or below sees the failure; this only keeps it from being unhandled.
      storing.catch(() => undefined);
    }
    await storing;
    await database.transaction(async (runner) => kind.finish?.(runner));
    progress.done = true;
    await watch.onProgress(all);
  }

  private parse(kind: Kind, { lines, from }: Batch, run: ImportRun) {
    const parsed = lines.map((line, at) => run.parse(kind, { line: from + at, ...valueOf(line) }));
    return parsed.filter((one) => one !== undefined);
  }
}

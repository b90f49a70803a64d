import { createWriteStream, type ReadStream } from 'node:fs';
import { lstat, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type FirstAttempt } from '../engine/assigned-ids';
import { type ExportPiece } from '../engine/export-pieces';
import { ExportService } from '../engine/export.service';
import { openImportFile, requireCompleteFile } from '../engine/import-file';
import { ImportService } from '../engine/import.service';
import { recordsOf, type ImportError, type ImportSummary } from '../engine/import-options';
import { stopwatch } from '../engine/stopwatch';
import { writeTexts } from '../engine/text-output';
import { listUnfinished, writeFinished } from '../engine/unfinished-file';
import { FullExport } from '../full/full-export';
import { FullImport, type FileProgress, type Watch } from '../full/full-import';
import { MANIFEST } from '../full/manifest';
import { readJobManifest } from './fingerprint';
import { type Job, type JobProgress } from './job';

/** Callbacks and signal of a running job. */
export interface JobWatch extends Pick<Watch, 'onError'> {
  /** Awaited where possible. An exception, at the latest in the next invocation, ends the job. */
  readonly onProgress: (progress: readonly JobProgress[]) => Promise<void>;
  /** Ends the job between two invocations of `onProgress`, with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Fails early: an export never replaces a file. @throws Error if it exists */
async function requireAbsent(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found) throw new Error(`${path} already exists`);
}

/** Milliseconds by which times of files may be behind: their clock is coarser than PostgreSQL's. */
const FILE_CLOCK_MS = 1000;

/** A file that is being imported. */
interface OpenImportFile {
  readonly path: string;
  /** In bytes, compressed if the file is. */
  readonly size: number;
  readonly input: ReadStream;
}

/**
 * Whether an earlier attempt of an export has completed its file, and its process or connection
 * ended before the job did.
 * @param path of the file; of a full export, that of its manifest
 */
async function wasExportedByEarlierAttempt(path: string, job: Job): Promise<boolean> {
  if (job.started_at === null) return false;
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.mtimeMs >= Date.parse(job.started_at) - FILE_CLOCK_MS;
}

/** The counts of a file's progress; zeros before its first attempt. */
const countsOf = ({
  imported = 0,
  updated = 0,
  skipped = 0,
  failed = 0,
}: Partial<ImportSummary> = {}): ImportSummary => ({ imported, updated, skipped, failed });

/** The first attempt of a job; without its time if that has just begun. */
const firstAttemptOf = ({ initial_ids, started_at }: Job): FirstAttempt => ({
  initialIds: initial_ids,
  startedAt: started_at,
});

/** Executes jobs. */
@Injectable()
export class JobWork {
  constructor(
    private readonly imports: ImportService,
    private readonly exports: ExportService,
    private readonly fullImport: FullImport,
    private readonly fullExport: FullExport,
  ) {}

  /**
   * Runs a job to its end.
   * @param path path of its file or folder
   * @throws Error with the reason of the failure, or the exception of `watch.onProgress`
   */
  async run(job: Job, path: string, watch: JobWatch): Promise<void> {
    if (job.type === 'import') {
      if (job.kind === 'all') await this.importAll(job, path, watch);
      else await this.importFile(job, path, watch);
    } else if (job.kind === 'all') {
      await this.exportAll(job, path, watch);
    } else {
      await this.exportFile(job, path, watch);
    }
  }

  private async importAll(job: Job, path: string, watch: JobWatch): Promise<void> {
    const manifest = await readJobManifest(path);
    // The folder may contain another export since its manifest was compared.
    const before = manifest.hash === job.manifest ? (job.progress as FileProgress[]) : [];
    await this.fullImport.run(path, manifest, before, {
      ...watch,
      firstAttempt: firstAttemptOf(job),
      job,
    });
  }

  private async exportAll(job: Job, path: string, watch: JobWatch): Promise<void> {
    const replacesEarlierAttempt = await wasExportedByEarlierAttempt(join(path, MANIFEST), job);
    const report = (progress: readonly JobProgress[]): Promise<void> => watch.onProgress(progress);
    await this.fullExport.write(path, report, replacesEarlierAttempt);
  }

  private async importFile(job: Job, path: string, watch: JobWatch): Promise<void> {
    const file = await stat(path);
    if (!file.isFile()) throw new Error(`${path} is not a file`);
    const input = openImportFile(path);
    try {
      await this.importStream(job, { path, size: file.size, input }, watch);
    } finally {
      // An import that fails before its first read would leave the file open.
      input.destroy();
    }
  }

  private async importStream(
    job: Job,
    { path, size, input }: OpenImportFile,
    watch: JobWatch,
  ): Promise<void> {
    const {
      kind,
      progress: [earlier],
    } = job;
    let reported: Promise<void> = Promise.resolve();
    const stop = (error: Error): void => void input.destroy(error);
    watch.signal.addEventListener('abort', () => {
      stop(watch.signal.reason as Error);
    });
    const elapsed = stopwatch();
    const before = countsOf(earlier);
    const progressAt = (counts: Readonly<ImportSummary>): JobProgress => ({
      ...{ kind, file: path, size, bytes: input.bytesRead },
      ...{ records: recordsOf(counts), seconds: (earlier?.seconds ?? 0) + elapsed(), ...counts },
    });
    let rejected: ImportError[] = [];
    await watch.onProgress([progressAt(before)]);
    const summary = await this.imports.import(kind, path, input, {
      ...{ signal: watch.signal, firstAttempt: firstAttemptOf(job), job, before },
      onError: (error) => rejected.push(error),
      onProgress: (now) => {
        const progress = progressAt(now);
        // Saved together, because a resumed import rejects the records after its progress again.
        const errors = rejected;
        rejected = [];
        reported = reported.then(() => {
          errors.forEach(watch.onError);
          return watch.onProgress([progress]);
        });
        reported.catch(stop);
      },
    });
    await reported;
    requireCompleteFile(path, input, { size, read: input.bytesRead });
    await watch.onProgress([{ ...progressAt(summary), done: true }]);
  }

  /** @throws Error when there is another file of this name, also if it appears during the export */
  private async exportFile(job: Job, path: string, watch: JobWatch): Promise<void> {
    const { kind } = job;
    const elapsed = stopwatch();
    const replacesEarlierAttempt = await wasExportedByEarlierAttempt(path, job);
    if (!replacesEarlierAttempt) await requireAbsent(path);
    const total = await this.exports.countRecords(kind);
    let records = 0;
    const report = (): Promise<void> =>
      watch.onProgress([{ kind, file: path, records, total, seconds: elapsed() }]);
    // Listed before the report, which fails if this process has lost the job: the files of a process
    // that took the job over are not deleted.
    const leftovers = await listUnfinished(path);
    await report();
    for (const file of leftovers) await rm(file, { force: true });
    const lines = async function* (pieces: AsyncIterable<ExportPiece>): AsyncGenerator<string> {
      for await (const piece of pieces) {
        yield piece.text;
        records += piece.records;
        await report();
      }
    };
    const write = (unfinished: string): Promise<void> => {
      const target = createWriteStream(unfinished, { flags: 'wx', flush: true, mode: 0o600 });
      return writeTexts(lines(this.exports.exportPieces(kind)), path, target);
    };
    await writeFinished(path, write, report, replacesEarlierAttempt);
  }

  /** Deletes the unfinished files of a job that is not resumed. */
  async deleteUnfinishedFiles(job: Job, path: string): Promise<void> {
    if (job.type !== 'export' || job.kind === 'all') return;
    for (const file of await listUnfinished(path)) await rm(file, { force: true });
  }
}

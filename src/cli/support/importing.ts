import { stat } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import { openImportFile, requireCompleteFile } from '../../import-export/engine/import-file';
import { type ImportService } from '../../import-export/engine/import.service';
import { type ImportSummary } from '../../import-export/engine/import-options';
import { type RecordHandler } from '../../import-export/engine/record-handler';
import { Progress } from './progress';
import { logToStderr } from './bootstrap';

/** Bytes per read of a file: each read is a task of the thread pool. */
const READ_BYTES = 262_144;

/** An input to import. */
export interface Input {
  readonly name: string;
  readonly stream: Readable;
  readonly size: number | undefined;
}

/** Opens a file, or standard input for `-`. */
export async function openInput(file: string): Promise<Input> {
  if (file === '-') return { name: 'standard input', stream: process.stdin, size: undefined };
  const found = await stat(file);
  if (found.isDirectory()) throw new Error(`${file}: is a directory`);
  const { size } = found;
  return { name: file, stream: openImportFile(file, { highWaterMark: READ_BYTES }), size };
}

/** Options of an import. */
export interface ImportFlags {
  readonly dryRun?: boolean;
  /** Id of the parent, for records that omit it. */
  readonly of?: number;
}

/**
 * Runs an import and prints errors and progress.
 * @param kind the kind or its name
 * @throws Error when the file became shorter meanwhile
 */
export async function importInput(
  imports: ImportService,
  kind: string | RecordHandler,
  { name, stream, size }: Input,
  options: ImportFlags,
): Promise<ImportSummary> {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.pause();
  const progress = new Progress(() => (size === undefined ? undefined : bytes / Math.max(size, 1)));
  const summary = await imports.import(kind, name, stream, {
    ...options,
    onError: logToStderr,
    onProgress: progress.report,
  });
  progress.finish(summary);
  if (size !== undefined) requireCompleteFile(name, stream, { size, read: bytes });
  return summary;
}

/** Adds the counts of two imports. */
export const sum = (one: ImportSummary, other: ImportSummary): ImportSummary => ({
  imported: one.imported + other.imported,
  updated: one.updated + other.updated,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
});

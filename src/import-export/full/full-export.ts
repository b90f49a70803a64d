import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { createDirectory } from '../../config/directories';
import { type SqlExecutor } from '../../database/database';
import { DirectDatabase } from '../../database/direct-database';
import { exportPieces } from '../engine/export-pieces';
import { type RecordHandler } from '../engine/record-handler';
import { stopwatch } from '../engine/stopwatch';
import { finishedName, writeFinished } from '../engine/unfinished-file';
import { FILE_NAME, FORMAT, MANIFEST, type Manifest, type ManifestEntry } from './manifest';
import { inUtc } from './utc';
import { FullHandlers } from './full-handlers';

/** The level is fixed and Node writes no name or time, so equal content makes equal bytes. */
const LEVEL = 6;

/** Progress of one kind of a full export. */
export interface ExportProgress {
  readonly kind: string;
  /** Name of its file in the folder. */
  readonly file: string;
  /** Records in the snapshot. */
  readonly total: number;
  /** Records written so far. */
  records: number;
  /** Seconds since the file was begun. */
  seconds: number;
  /** Whether the file is complete. */
  done: boolean;
}

/** Called with the progress of all kinds before the first record, and for each written piece. */
export type OnExported = (progress: readonly ExportProgress[]) => Promise<void> | void;

/** Counts and hashes the bytes that pass through. */
class Measure extends Transform {
  bytes = 0;
  private readonly hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  get sha256(): string {
    return this.hash.copy().digest('hex');
  }
}

/**
 * Creates the folder of a full export if it does not exist.
 * @param mayReplace whether the folder may contain a complete export
 * @returns paths of files in it that earlier exports have left, the manifest first
 * @throws Error when the folder contains any other file, or a complete export without `mayReplace`
 */
async function listLeftoverFiles(folder: string, mayReplace: boolean): Promise<string[]> {
  await createDirectory(folder);
  const names = await readdir(folder);
  const hasManifest = names.includes(MANIFEST);
  if (hasManifest && !mayReplace) throw new Error(`${folder} already contains an export`);
  const ours = (name: string): boolean => {
    const finished = finishedName(name);
    return FILE_NAME.test(finished) || finished === MANIFEST;
  };
  const other = names.find((name) => !ours(name));
  if (other !== undefined) throw new Error(`${folder} is not empty: it contains ${other}`);
  // The manifest is deleted first: an import rejects a folder without it.
  const ordered = hasManifest ? [MANIFEST, ...names.filter((name) => name !== MANIFEST)] : names;
  return ordered.map((name) => join(folder, name));
}

/**
 * @throws Error when a file of an export is missing or has another size. An earlier attempt whose
 *   process was frozen before it deleted files can delete them now.
 */
async function requireFiles(folder: string, entries: readonly ManifestEntry[]): Promise<void> {
  for (const { file, gz_bytes: bytes } of entries) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (found?.size === bytes) continue;
    throw new Error(`${file} was changed or deleted while the export was written; start it again`);
  }
}

/** The version of this service. */
async function version(): Promise<string> {
  for (const up of ['../../..', '../../../..']) {
    const text = await readFile(join(__dirname, up, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { version: string }).version;
  }
  return 'unknown';
}

/** Writes a full export to a folder from one snapshot. */
@Injectable()
export class FullExport {
  constructor(
    private readonly database: DirectDatabase,
    private readonly kinds: FullHandlers,
  ) {}

  /**
   * Writes one file per kind, and the manifest last. Equal content makes equal bytes.
   * @param mayReplace whether to replace a complete export
   * @throws Error when the folder contains other files, or a complete export without `mayReplace`
   */
  async write(
    folder: string,
    onExported: OnExported = () => undefined,
    mayReplace = false,
  ): Promise<Manifest> {
    const leftovers = await listLeftoverFiles(folder, mayReplace);
    const service = await version();
    let report = (): Promise<void> | void => undefined;
    const kinds = await this.database.snapshot(async (executor) => {
      await inUtc(executor);
      const all = await this.countAll(executor);
      report = () => onExported(all);
      await report();
      for (const path of leftovers) await rm(path, { force: true });
      const entries: ManifestEntry[] = [];
      for (const [at, kind] of this.kinds.all.entries()) {
        const progress = all[at] as ExportProgress;
        entries.push(await this.writeKind(executor, kind, { folder, progress }, report));
      }
      return entries;
    });
    const manifest: Manifest = { format: FORMAT, service, kinds };
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
    const write = (path: string): Promise<void> =>
      writeFile(path, text, { flag: 'wx', flush: true });
    const requireComplete = async (): Promise<void> => {
      await report();
      await requireFiles(folder, kinds);
    };
    await writeFinished(join(folder, MANIFEST), write, requireComplete, true);
    return manifest;
  }

  private async countAll(executor: SqlExecutor): Promise<ExportProgress[]> {
    const all: ExportProgress[] = [];
    for (const [at, kind] of this.kinds.all.entries()) {
      const file = `${String(at + 1).padStart(2, '0')}-${kind.name}.ndjson.gz`;
      const total = (await kind.countStored?.(executor)) ?? 0;
      all.push({ kind: kind.name, file, total, records: 0, seconds: 0, done: false });
    }
    return all;
  }

  private async writeKind(
    executor: SqlExecutor,
    kind: RecordHandler,
    { folder, progress }: { readonly folder: string; readonly progress: ExportProgress },
    onPiece: () => Promise<void> | void,
  ): Promise<ManifestEntry> {
    const { file } = progress;
    const elapsed = stopwatch();
    const lines = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of exportPieces(executor, kind)) {
        yield Buffer.from(piece.text);
        progress.records += piece.records;
        progress.seconds = elapsed();
        await onPiece();
      }
    };
    const [plain, packed] = [new Measure(), new Measure()];
    const write = (path: string): Promise<void> =>
      pipeline(
        Readable.from(lines()),
        plain,
        createGzip({ level: LEVEL }),
        packed,
        createWriteStream(path, { flags: 'wx', flush: true, mode: 0o600 }),
      );
    // Another attempt whose process was frozen may have completed the same file meanwhile.
    await writeFinished(join(folder, file), write, onPiece, true);
    progress.done = true;
    return {
      kind: kind.name,
      file,
      records: progress.records,
      bytes: plain.bytes,
      sha256: plain.sha256,
      gz_bytes: packed.bytes,
      gz_sha256: packed.sha256,
    };
  }
}

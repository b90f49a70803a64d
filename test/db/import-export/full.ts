import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { ExportService } from '../../../src/import-export/engine/export.service';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { JobWork } from '../../../src/import-export/jobs/job-work';
import { JobsRepository } from '../../../src/import-export/jobs/jobs.repository';
import { JobsService } from '../../../src/import-export/jobs/jobs.service';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { readManifest, type ReadManifest } from '../../../src/import-export/full/manifest';
import { FullExport } from '../../../src/import-export/full/full-export';
import {
  FullImport,
  type FileProgress,
  type Watch,
} from '../../../src/import-export/full/full-import';
import { FullHandlers } from '../../../src/import-export/full/full-handlers';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { testSettings } from '../../settings';
import { Transfer } from './transfer';

/** A service without its server: a database, a folder of pictures, and what moves both. */
export class FullTransfer {
  readonly transfer: Transfer;
  readonly storage: DiskStorage;
  readonly exports: FullExport;
  readonly imports: FullImport;
  readonly work: JobWork;
  readonly jobs: JobsService;

  private constructor(
    readonly opened: TestDatabase,
    readonly folder: string,
    settings: Settings,
  ) {
    const { database } = opened;
    this.storage = new DiskStorage(join(folder, 'pictures'));
    this.transfer = new Transfer(database);
    const kinds = new RecordHandlers();
    const handlers = new FullHandlers(kinds, this.storage);
    this.exports = new FullExport(database, handlers);
    this.imports = new FullImport(database, handlers);
    const [imports, exports] = [
      new ImportService(database, kinds),
      new ExportService(database, kinds),
    ];
    this.work = new JobWork(imports, exports, this.imports, this.exports);
    this.jobs = new JobsService(database, new JobsRepository(database), this.work, kinds, settings);
  }

  /** @param connect opens the database, a new one by default */
  static async open(
    more: Record<string, string> = {},
    connect: (settings: Settings) => Promise<TestDatabase> = openTestDatabase,
  ): Promise<FullTransfer> {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-whole-'));
    const settings = testSettings({ TRANSFER_DIR: join(folder, 'transfer'), ...more });
    return new FullTransfer(await connect(settings), folder, settings);
  }

  place(name: string): string {
    return join(this.folder, name);
  }

  /** Exports to a new folder. @returns its path */
  async export(name: string): Promise<string> {
    await this.exports.write(this.place(name));
    return this.place(name);
  }

  /** Imports a folder; nothing of it may be wrong. */
  async import(folder: string): Promise<readonly FileProgress[]> {
    const { progress, reasons } = await this.importInPart(folder);
    expect(reasons).toEqual([]);
    return progress;
  }

  /**
   * Imports a folder that may have wrong records.
   * @param before progress of an earlier attempt
   */
  async importInPart(
    folder: string,
    watch: Partial<Watch> = {},
    before: readonly FileProgress[] = [],
  ): Promise<{ progress: readonly FileProgress[]; reasons: string[] }> {
    const reasons: string[] = [];
    const progress = await this.imports.run(folder, await readManifest(folder), before, {
      onError: ({ reason }) => reasons.push(reason),
      onProgress: () => Promise.resolve(),
      ...watch,
    });
    return { progress, reasons };
  }

  query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.transfer.query<Row>(sql, values);
  }

  async close(): Promise<void> {
    await this.opened.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Every file of a folder by name: its bytes' hash, and what is in it. */
export async function filesOf(folder: string): Promise<Record<string, readonly string[]>> {
  const files: Record<string, readonly string[]> = {};
  for (const name of (await readdir(folder)).sort()) {
    const bytes = await readFile(join(folder, name));
    const content = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    files[name] = [
      createHash('sha256').update(bytes).digest('hex'),
      ...content.toString().split('\n'),
    ];
  }
  return files;
}

/** Entries of a manifest by kind. */
export const recordsOf = ({ kinds }: ReadManifest): Record<string, number> =>
  Object.fromEntries(kinds.map(({ kind, records }) => [kind, records]));

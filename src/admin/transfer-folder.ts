import { createReadStream, type ReadStream, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type Pack } from 'tar-stream';
import { DiskOperations, TRANSFERS_DISK } from '../api/body/disk-operations';
import { notFound, OperationError } from '../api/errors/error-codes';
import { isFileError, isMissingFile } from '../api/errors/file-errors';
import { addEntry } from '../backup/archive-entry';
import { createDirectory } from '../config/directories';
import { Settings } from '../config/settings';
import { EncodingError, requireUtf8 } from '../import-export/engine/encoding';
import { FormatError, requireJson } from '../import-export/engine/file-format';
import { plainBytes } from '../import-export/engine/plain-bytes';
import { isTransferName, missingTransfer } from '../import-export/jobs/transfer-names';
import { FILE_NAME, MANIFEST } from '../import-export/full/manifest';

/** Bytes to read, decompressed, to detect the format of a file. */
const HEAD = 65_536;

/** A file for imports or of an export, or the folder of a full export. */
export interface TransferFile {
  readonly name: string;
  /** `unfinished` is a folder without a manifest. */
  readonly type: 'file' | 'export' | 'unfinished';
  /** Total size in bytes. */
  readonly bytes: number;
}

/** The reason why a file cannot be imported. */
export type InputErrorCode =
  'missing' | 'folder' | 'export' | 'manifest' | 'format' | 'encoding' | 'damaged';

/** Thrown for a file that cannot be imported. */
export class InputError extends OperationError {
  constructor(
    readonly code: InputErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A file of an export. */
interface ExportFile {
  readonly name: string;
  readonly size: number;
  readonly mtime: Date;
}

/** Bytes of a tar archive: a header for each file, files in blocks of 512 bytes, and its end. */
const archiveBytes = (files: readonly ExportFile[]): number =>
  files.reduce((sum, { size }) => sum + 512 + Math.ceil(size / 512) * 512, 1024);

/** The first bytes of a file, which is opened with the first read. @throws Error if it has fewer */
async function* readExactly(path: string, bytes: number): AsyncGenerator<Buffer> {
  if (bytes === 0) return;
  let read = 0;
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
    read += (chunk as Buffer).length;
    yield chunk as Buffer;
  }
  if (read < bytes) throw new Error(`the file became shorter while it was read: ${path}`);
}

/** The files in TRANSFER_DIR. */
@Injectable()
export class TransferFolder {
  private readonly disk = new DiskOperations(TRANSFERS_DISK);

  constructor(private readonly settings: Settings) {}

  get path(): string {
    return this.settings.transferDir;
  }

  /**
   * Creates the folder if it is missing. Every request calls it first, so that a disk that hangs
   * occupies one thread only.
   * @throws ApiError 999 with 503 if the disk does not respond in time
   */
  async ensureFolder(): Promise<void> {
    await this.disk.run(() => createDirectory(this.path));
  }

  /** Files and exports by name, without hidden files, links and files that are being written. */
  async listFiles(): Promise<TransferFile[]> {
    await this.ensureFolder();
    const names = (await this.disk.run(() => readdir(this.path))).filter(isTransferName);
    const files: TransferFile[] = [];
    // One at a time, because the folder may be on a disk that hangs.
    for (const name of names.sort()) {
      const file = await this.readFileInfo(name);
      if (file) files.push(file);
    }
    return files;
  }

  /** A file or an export; undefined for other names, also of links. */
  async findFile(name: string): Promise<TransferFile | undefined> {
    if (!isTransferName(name)) return undefined;
    await this.ensureFolder();
    return this.readFileInfo(name);
  }

  private async readFileInfo(name: string): Promise<TransferFile | undefined> {
    const stats = await this.findStats(join(this.path, name));
    if (stats?.isFile() === true) return { name, type: 'file', bytes: stats.size };
    if (stats?.isDirectory() !== true) return undefined;
    const files = await this.listExportFiles(name);
    const type = files.some((one) => one.name === MANIFEST) ? 'export' : 'unfinished';
    return { name, type, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  }

  /**
   * Opens a file. The stream has exactly `bytes` bytes: it fails if the file becomes shorter, and
   * omits what is appended.
   * @throws OperationError 1001 when it does not exist in the folder
   */
  async openFile(name: string): Promise<{ stream: Readable; bytes: number }> {
    const file = await this.findFile(name);
    // Links are no files here, so that none leads out of the folder.
    if (file?.type !== 'file') throw notFound(`file not found: ${name}`);
    const { bytes } = file;
    const stream = Readable.from(readExactly(join(this.path, name), bytes), { objectMode: false });
    return { stream, bytes };
  }

  /**
   * A full export as a tar archive, which is written while it is read.
   * @throws OperationError 1001 when it does not exist or is unfinished
   */
  async openArchive(name: string): Promise<{ stream: Readable; bytes: number }> {
    if ((await this.findFile(name))?.type !== 'export') throw notFound(`export not found: ${name}`);
    const files = await this.listExportFiles(name);
    // Loaded on first use, because commands load this file too.
    const { pack } = await import('tar-stream');
    const archive = pack();
    this.writeArchive(archive, name, files).catch((error: unknown) => {
      archive.destroy(error as Error);
    });
    return { stream: Readable.from(archive), bytes: archiveBytes(files) };
  }

  /**
   * Checks that a file can be imported, by its first bytes.
   * @param kind of its records, or `all`
   * @throws InputError with the reason
   */
  async requireInput(kind: string, name: string): Promise<TransferFile> {
    const file = await this.findFile(name);
    if (!file) throw new InputError('missing', missingTransfer(name));
    if (kind === 'all') {
      if (file.type === 'export') return file;
      throw new InputError('folder', `${name} is not the folder of a full export`);
    }
    if (file.type !== 'file')
      throw new InputError('export', `${name} is a folder; its kind must be "all"`);
    await requireSupported(createReadStream(join(this.path, name)));
    return file;
  }

  /** The properties of a file or link; undefined where there is none. */
  private async findStats(path: string): Promise<Stats | undefined> {
    try {
      return await this.disk.run(() => lstat(path));
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  /** The files of an export; other files in its folder are omitted. */
  private async listExportFiles(name: string): Promise<ExportFile[]> {
    const folder = join(this.path, name);
    const files: ExportFile[] = [];
    for (const file of (await this.disk.run(() => readdir(folder))).sort()) {
      if (file !== MANIFEST && !FILE_NAME.test(file)) continue;
      const stats = await this.findStats(join(folder, file));
      if (stats?.isFile() === true)
        files.push({ name: file, size: stats.size, mtime: stats.mtime });
    }
    return files;
  }

  private async writeArchive(
    archive: Pack,
    folder: string,
    files: readonly ExportFile[],
  ): Promise<void> {
    const readerLeft = new AbortController();
    // The client may leave at any time.
    archive.once('close', () => {
      readerLeft.abort();
    });
    for (const { name, size, mtime } of files) {
      const header = { name: `${folder}/${name}`, size, mtime, mode: 0o600 };
      await addEntry(
        archive,
        header,
        readExactly(join(this.path, folder, name), size),
        readerLeft.signal,
      );
    }
    archive.finalize();
  }
}

/** Errors of zlib for a file that cannot be decompressed. */
const DAMAGED: readonly unknown[] = ['Z_DATA_ERROR', 'Z_BUF_ERROR'];

/** The reason for which the content of a file cannot be imported; undefined for other errors. */
export function toInputError(error: unknown): InputError | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (DAMAGED.includes(code)) {
    return new InputError('damaged', `the file is damaged gzip: ${message}`);
  }
  if (error instanceof EncodingError) return new InputError('encoding', message);
  return error instanceof FormatError ? new InputError('format', message) : undefined;
}

/**
 * @throws InputError for a file that is damaged or not JSON in UTF-8; Error of the file system for
 *   one that cannot be read
 */
export async function requireSupported(input: ReadStream): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of plainBytes(input)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= HEAD) break;
    }
    const head = Buffer.concat(chunks);
    requireUtf8(head, true);
    requireJson(head, bytes < HEAD);
  } catch (error) {
    if (isFileError(error)) throw error;
    throw toInputError(error) ?? new InputError('format', (error as Error).message);
  } finally {
    input.destroy();
  }
}

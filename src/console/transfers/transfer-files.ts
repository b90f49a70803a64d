import { createReadStream, type ReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../api/errors/errors';
import { createDirectory } from '../../config/directories';
import { Settings } from '../../config/settings';

/** Names of files in TRANSFER_DIR, as jobs accept them. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

export const isFileName = (name: string): boolean => NAME.test(name);

/** A file for imports or of an export. */
export interface TransferFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files in TRANSFER_DIR. */
@Injectable()
export class TransferFiles {
  constructor(private readonly settings: Settings) {}

  get folder(): string {
    return this.settings.transferDir;
  }

  /** Files by name; folders of full exports are omitted. */
  async listFiles(): Promise<TransferFile[]> {
    await createDirectory(this.folder);
    const entries = await readdir(this.folder, { withFileTypes: true });
    const names = entries
      .filter((one) => one.isFile() && isFileName(one.name))
      .map((one) => one.name);
    return Promise.all(
      names
        .sort()
        .map(async (name) => ({ name, bytes: (await stat(join(this.folder, name))).size })),
    );
  }

  /** Opens a file. @throws OperationError 1001 when it does not exist in the folder */
  async openFile(name: string): Promise<{ stream: ReadStream; bytes: number }> {
    const path = join(this.folder, name);
    const real = isFileName(name) ? await realpath(path).catch(() => undefined) : undefined;
    // A symbolic link could lead out of the folder.
    if (real === undefined || real !== join(await realpath(this.folder), name))
      throw notFound(`file not found: ${name}`);
    const stats = await stat(real);
    if (!stats.isFile()) throw notFound(`file not found: ${name}`);
    return { stream: createReadStream(real), bytes: stats.size };
  }
}

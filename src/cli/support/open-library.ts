import { type ReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { openImportFile, requireCompleteFile } from '../../import-export/engine/import-file';
import {
  OpenLibraryImport,
  type DumpFile,
} from '../../import-export/open-library/open-library.service';
import { auditedImport } from './audited';
import { Progress } from './progress';
import { logToStderr, withServices } from './bootstrap';
import { print } from './output';

export interface OpenLibraryOptions {
  readonly dryRun?: boolean;
  readonly editions?: string;
  readonly works?: string;
  readonly authors?: string;
}

/** A file, and its size when it was opened. */
interface OpenFile extends DumpFile {
  readonly stream: ReadStream;
  readonly size: number;
}

async function open(name: string): Promise<OpenFile> {
  const { size } = await stat(name);
  return { name, stream: openImportFile(name), size };
}

/** `import open-library`. @throws Error when a file is missing, cannot be read, or becomes shorter */
export async function importOpenLibrary(options: OpenLibraryOptions): Promise<void> {
  const { editions, works, authors, dryRun } = options;
  if (editions === undefined) throw new Error('import open-library: --editions is required');
  if (dryRun === true) throw new Error('import open-library: --dry-run is not supported');
  const files = [editions, works, authors].filter((file) => file !== undefined);
  for (const file of files) await access(file);
  await withServices(async (app) => {
    const progress = new Progress(() => undefined);
    const summary = await auditedImport(app, 'open-library', { files }, async () => {
      const dumps = {
        editions: await open(editions),
        ...(works === undefined ? {} : { works: await open(works) }),
        ...(authors === undefined ? {} : { authors: await open(authors) }),
      };
      const callbacks = { onError: logToStderr, onProgress: progress.report };
      const imported = await app.get(OpenLibraryImport).import(dumps, callbacks);
      progress.finish(imported);
      for (const { name, stream, size } of Object.values(dumps)) {
        requireCompleteFile(name, stream, { size, read: stream.bytesRead });
      }
      return imported;
    });
    print(summary);
    if (summary.failed > 0) process.exitCode = 1;
  });
}

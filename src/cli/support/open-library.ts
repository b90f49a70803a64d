import { access } from 'node:fs/promises';
import { openImportFile } from '../../import-export/engine/import-file';
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

const open = (name: string): DumpFile => ({ name, stream: openImportFile(name) });

/** `import open-library`. @throws Error when a file is missing or cannot be read */
export async function importOpenLibrary(options: OpenLibraryOptions): Promise<void> {
  const { editions, works, authors, dryRun } = options;
  if (editions === undefined) throw new Error('import open-library: --editions is required');
  if (dryRun === true) throw new Error('import open-library: --dry-run is not supported');
  const files = [editions, works, authors].filter((file) => file !== undefined);
  for (const file of files) await access(file);
  await withServices(async (app) => {
    const progress = new Progress(() => undefined);
    const summary = await auditedImport(app, 'open-library', { files }, () =>
      app.get(OpenLibraryImport).import(
        {
          editions: open(editions),
          ...(works === undefined ? {} : { works: open(works) }),
          ...(authors === undefined ? {} : { authors: open(authors) }),
        },
        { onError: logToStderr, onProgress: progress.report },
      ),
    );
    progress.finish(summary);
    print(summary);
    if (summary.failed > 0) process.exitCode = 1;
  });
}

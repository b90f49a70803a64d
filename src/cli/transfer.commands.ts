import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Command, CommandRunner, Option } from 'nest-commander';
import { ExportService } from '../transfer/export.service';
import { ImportService, type ImportSummary } from '../transfer/import.service';
import { Kinds } from '../transfer/kinds';
import {
  syntheticBooks,
  syntheticCollections,
  syntheticUsers,
  type SyntheticVolume,
} from '../transfer/synthetic';
import { importOpenLibrary, type OpenLibraryOptions } from './open-library';
import { Progress } from './progress';
import { openOutput, pour, print, say, withServices } from './session';
import { exportAll, importAll } from './whole';

interface Input {
  readonly name: string;
  readonly stream: Readable;
  readonly size: number | undefined;
}

async function openInput(file: string): Promise<Input> {
  if (file === '-') return { name: 'standard input', stream: process.stdin, size: undefined };
  const { size } = await stat(file);
  return { name: file, stream: createReadStream(file), size };
}

async function importInput(
  imports: ImportService,
  kind: string,
  { name, stream, size }: Input,
  dryRun: boolean,
): Promise<ImportSummary> {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.pause();
  const progress = new Progress(() => (size === undefined ? undefined : bytes / Math.max(size, 1)));
  const summary = await imports.import(kind, name, stream, {
    dryRun,
    onFault: say,
    onProgress: progress.report,
  });
  progress.finish(summary);
  return summary;
}

const sum = (one: ImportSummary, other: ImportSummary): ImportSummary => ({
  imported: one.imported + other.imported,
  updated: one.updated + other.updated,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
});
const NOTHING: ImportSummary = { imported: 0, updated: 0, skipped: 0, failed: 0 };

interface ImportCommandOptions extends OpenLibraryOptions {
  readonly restart?: boolean;
}

@Command({
  name: 'import',
  arguments: '<kind> [files...]',
  description:
    'read files in the service\'s own shapes ("-" is standard input), gzip or not; ' +
    '"import all DIR" reads what "export all" wrote, and goes on where it was interrupted; ' +
    '"import open-library" reads the dumps of that catalogue',
})
export class ImportCommand extends CommandRunner {
  async run([kind = '', ...files]: string[], options: ImportCommandOptions): Promise<void> {
    if (kind === 'all') {
      await importAll(files, options);
      return;
    }
    if (kind === 'open-library') {
      await importOpenLibrary(options);
      return;
    }
    if (files.length === 0) throw new Error('import: say which files');
    await withServices(async (app) => {
      let total = NOTHING;
      const imports = app.get(ImportService);
      // A name that is wrong is said before anything is read.
      app.get(Kinds).named(kind);
      for (const file of files) if (file !== '-') await access(file);
      for (const file of files) {
        const input = await openInput(file);
        total = sum(total, await importInput(imports, kind, input, options.dryRun ?? false));
      }
      print(total);
      // What could be taken is in; that something could not must not go unnoticed.
      if (total.failed > 0) process.exitCode = 1;
    });
  }

  @Option({ flags: '--dry-run', description: 'check everything, change nothing' })
  parseDryRun(): boolean {
    return true;
  }

  @Option({ flags: '--editions <file>', description: 'of "open-library": its editions' })
  parseEditions(value: string): string {
    return value;
  }

  @Option({ flags: '--works <file>', description: 'of "open-library": what they are of' })
  parseWorks(value: string): string {
    return value;
  }

  @Option({ flags: '--authors <file>', description: 'of "open-library": who wrote them' })
  parseAuthors(value: string): string {
    return value;
  }

  @Option({ flags: '--restart', description: 'of "all": begin anew instead of going on' })
  parseRestart(): boolean {
    return true;
  }
}

@Command({
  name: 'export',
  arguments: '<kind>',
  description:
    'write newline-delimited JSON that imports to the same; ' +
    '"export all" writes a packed file a kind and a manifest to a folder',
})
export class ExportCommand extends CommandRunner {
  async run([kind = '']: string[], options: { out?: string }): Promise<void> {
    if (kind === 'all') {
      await exportAll(options.out);
      return;
    }
    await withServices(async (app) => {
      const pieces = app.get(ExportService).export(kind);
      if (options.out === undefined) {
        await pour(pieces, process.stdout);
        return;
      }
      const output = await openOutput(options.out);
      const target = options.out.endsWith('.gz') ? createGzip() : output;
      if (target !== output) (target as Readable).pipe(output);
      await pour(pieces, target);
      await new Promise<void>((resolve, reject) => {
        output.on('finish', resolve).on('error', reject);
        target.end();
      });
      print({ written: options.out });
    });
  }

  @Option({
    flags: '--out <file>',
    description: 'file to write; gzip when it ends in .gz; of "all", the folder',
  })
  parseOut(value: string): string {
    return value;
  }
}

const wholeOption = (value: string): number => {
  if (!/^\d+$/.test(value)) throw new Error(`not a whole number: ${value}`);
  return Number(value);
};

@Command({
  name: 'synthetic',
  description: 'make a volume of invented records, the same for the same seed',
})
export class SyntheticCommand extends CommandRunner {
  async run(_arguments: string[], options: Partial<SyntheticVolume>): Promise<void> {
    const volume = { books: 0, users: 0, collections: 0, seed: 1, ...options };
    if (volume.collections > volume.books * volume.users) {
      throw new Error('there are fewer pairs of a user and a book than collections');
    }
    await withServices(async (app) => {
      const imports = app.get(ImportService);
      let total = NOTHING;
      const make = async (kind: string, lines: Generator<string>): Promise<void> => {
        const input = { name: 'synthetic', stream: toStream(lines), size: undefined };
        total = sum(total, await importInput(imports, kind, input, false));
      };
      await make('user', syntheticUsers(volume));
      await make('book', syntheticBooks(volume));
      await make('collection', syntheticCollections(volume));
      print(total);
    });
  }

  @Option({ flags: '--books <n>', description: 'number of books' })
  parseBooks(value: string): number {
    return wholeOption(value);
  }

  @Option({ flags: '--users <n>', description: 'number of users' })
  parseUsers(value: string): number {
    return wholeOption(value);
  }

  @Option({ flags: '--collections <n>', description: 'number of collections' })
  parseCollections(value: string): number {
    return wholeOption(value);
  }

  @Option({ flags: '--seed <s>', description: 'seed' })
  parseSeed(value: string): number {
    return wholeOption(value);
  }
}

function toStream(lines: Generator<string>): Readable {
  const bytes = function* (): Generator<Buffer> {
    let held = '';
    for (const line of lines) {
      held += line;
      if (held.length < 65_536) continue;
      yield Buffer.from(held);
      held = '';
    }
    if (held !== '') yield Buffer.from(held);
  };
  return Readable.from(bytes());
}

import { access } from 'node:fs/promises';
import { OperationError } from '../api/errors/error-codes';
import { Settings } from '../config/settings';
import { ExportService } from '../import-export/engine/export.service';
import { ImportService } from '../import-export/engine/import.service';
import { EMPTY_SUMMARY, type ImportSummary } from '../import-export/engine/import-options';
import { RecordHandlers } from '../import-export/engine/handlers';
import { chartName, dayOf, type ChartOptions } from '../import-export/movies';
import { CHART_NAMES } from '../movies/chart-names';
import {
  COMMAND_GROWTH_PERCENT,
  limitHeapGrowth,
  limitYoungGeneration,
} from '../process/heap-growth';
import { Command, CommandRunner, Option } from './support/command';
import { importOpenLibrary, type OpenLibraryOptions } from './support/open-library';
import { importInput, openInput, sum, type ImportFlags } from './support/importing';
import { auditedImport } from './support/audited';
import { idOption } from './support/options';
import { printPieces, withServices } from './support/bootstrap';
import { writeExportFile } from './support/export-file';
import { exportAll, importAll } from './support/full';
import { print } from './support/output';

interface ImportOptions extends ChartOptions, ImportFlags, OpenLibraryOptions {
  readonly restart?: boolean;
}

/** Names of the record types, for the help and completion. */
const KINDS = new RecordHandlers().all.map(({ name }) => name);

@Command({
  name: 'import',
  values: { kind: [...KINDS, 'all', 'open-library'] },
  arguments: '<kind> [files...]',
  description:
    'import files in the service\'s own JSON shapes ("-" for standard input), also gzip; ' +
    '"import all DIR" imports a full export and resumes an interrupted import; ' +
    '"import open-library" imports Open Library dumps',
})
export class ImportCommand extends CommandRunner {
  async run([name = '', ...files]: string[], options: ImportOptions): Promise<void> {
    limitHeapGrowth(COMMAND_GROWTH_PERCENT);
    limitYoungGeneration();
    if (name === 'all') {
      await importAll(files, options);
      return;
    }
    if (name === 'open-library') {
      await importOpenLibrary(options);
      return;
    }
    if (files.length === 0) throw new Error('import: a file is required');
    const { dryRun, of, name: chartNamed, date, city } = options;
    const chart = {
      ...(chartNamed === undefined ? {} : { name: chartNamed }),
      ...(date === undefined ? {} : { date }),
      ...(city === undefined ? {} : { city }),
    };
    if (name !== 'chart' && Object.keys(chart).length > 0) {
      throw new Error('--name, --date and --city are for charts');
    }
    await withServices(async (app) => {
      const imports = app.get(ImportService);
      // Report an invalid kind before reading any input.
      const kinds = app.get(RecordHandlers);
      const kind =
        name === 'chart'
          ? kinds.charts({ ...chart, defaultCity: app.get(Settings).DEFAULT_CITY })
          : kinds.named(name);
      for (const file of files) if (file !== '-') await access(file);
      const all = async (): Promise<ImportSummary> => {
        let done: ImportSummary = EMPTY_SUMMARY;
        for (const file of files) {
          const input = await openInput(file);
          done = sum(done, await importInput(imports, kind, input, { dryRun, of }));
        }
        return done;
      };
      const total =
        dryRun === true
          ? await all()
          : await auditedImport(app, name, { files, of, ...chart }, all);
      print(total);
      // Valid records are stored, but the exit status reports the rejected ones.
      if (total.failed > 0) process.exitCode = 1;
    });
  }

  @Option({
    flags: '--name <chart>',
    description: 'chart: its name',
    choices: [...CHART_NAMES],
  })
  parseName(value: string): string {
    return chartName(value);
  }

  @Option({ flags: '--date <day>', description: 'chart: its day, yyyy-MM-dd (default: today)' })
  parseDate(value: string): string {
    return dayOf(value, '--date');
  }

  @Option({ flags: '--city <city>', description: 'chart: id or name of its city' })
  parseCity(value: string): string {
    return value;
  }

  @Option({ flags: '--dry-run', description: 'validate the files without storing records' })
  parseDryRun(): boolean {
    return true;
  }

  @Option({ flags: '--editions <file>', description: 'for "open-library": file of editions' })
  parseEditions(value: string): string {
    return value;
  }

  @Option({ flags: '--works <file>', description: 'for "open-library": file of works' })
  parseWorks(value: string): string {
    return value;
  }

  @Option({ flags: '--authors <file>', description: 'for "open-library": file of authors' })
  parseAuthors(value: string): string {
    return value;
  }

  @Option({ flags: '--restart', description: 'for "all": start over instead of resuming' })
  parseRestart(): boolean {
    return true;
  }

  @Option({
    flags: '--of <id>',
    description:
      'id of the parent for records that omit it: the note of replies, the author of notes',
  })
  parseOf(value: string): number {
    return idOption(value);
  }
}

@Command({
  name: 'export',
  values: { kind: [...KINDS, 'all'] },
  arguments: '<kind>',
  description:
    'export records as newline-delimited JSON, which "import" restores; ' +
    '"export all" writes one compressed file per kind and a manifest to a folder',
})
export class ExportCommand extends CommandRunner {
  async run([kind = '']: string[], options: { out?: string }): Promise<void> {
    if (kind === 'all') {
      if (options.out === '-') throw new OperationError('a full export needs a folder as --out');
      await exportAll(options.out);
      return;
    }
    const { out = '-' } = options;
    await withServices(async (app) => {
      // Report an invalid kind before writing.
      const { name } = app.get(RecordHandlers).named(kind);
      const pieces = app.get(ExportService).export(name);
      if (out === '-') {
        await printPieces(pieces);
        return;
      }
      await writeExportFile(out, pieces);
      print({ written: out });
    });
  }

  @Option({
    flags: '--out <file>',
    description:
      'file to write, compressed if it ends in .gz; - for standard output; for "all", the folder',
  })
  parseOut(value: string): string {
    return value;
  }
}

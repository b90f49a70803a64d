import { Readable } from 'node:stream';
import { type Database } from '../../../src/database/database';
import { ExportService } from '../../../src/import-export/engine/export.service';
import { ImportService } from '../../../src/import-export/engine/import.service';
import {
  type ImportError,
  type ImportOptions,
  type ImportSummary,
} from '../../../src/import-export/engine/import-options';
import { type RecordHandler } from '../../../src/import-export/engine/record-handler';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';

export type Wire = Record<string, unknown>;

/** Result of an import: its counts, and the errors of rejected records. */
export interface Imported {
  readonly summary: ImportSummary;
  readonly faults: readonly ImportError[];
}

/** A line for each record. */
export const toLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Imports into and exports from a database. */
export class Transfer {
  private readonly kinds = new RecordHandlers();
  private database: Database;
  private imports: ImportService;
  private exports: ExportService;

  /** @param database without it, `connect` comes before the other methods */
  constructor(database?: Database) {
    if (database) this.connect(database);
  }

  connect(database: Database): void {
    this.database = database;
    this.imports = new ImportService(database, this.kinds);
    this.exports = new ExportService(database, this.kinds);
  }

  /** Imports records, or the bytes of a file. */
  async import(
    kind: string | RecordHandler,
    content: readonly unknown[] | string | Buffer,
    options: ImportOptions = {},
  ): Promise<Imported> {
    const bytes = Buffer.isBuffer(content)
      ? content
      : Buffer.from(typeof content === 'string' ? content : toLines(content));
    const faults: ImportError[] = [];
    const summary = await this.imports.import(kind, 'file', Readable.from([bytes]), {
      onError: (error) => faults.push(error),
      ...options,
    });
    return { summary, faults };
  }

  /** Imports records without errors. @returns the summary */
  async take(kind: string | RecordHandler, records: readonly unknown[]): Promise<ImportSummary> {
    const { summary, faults } = await this.import(kind, records);
    expect(faults).toEqual([]);
    return summary;
  }

  /** The handler of a chart that its file does not name. */
  charts(options: Parameters<RecordHandlers['charts']>[0]): RecordHandler {
    return this.kinds.charts(options);
  }

  async export(kind: string): Promise<string> {
    let text = '';
    for await (const piece of this.exports.export(kind)) text += piece;
    return text;
  }

  /** The records of an export. */
  async records(kind: string): Promise<Wire[]> {
    const text = await this.export(kind);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Wire);
  }

  /** The rows of a statement. */
  query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.source.query<Row[]>(sql, values);
  }

  /** Deletes all rows, and resets the sequences. */
  async clear(): Promise<void> {
    await this.database.source.transaction(async (manager) => {
      // Thousands of users take longer on a busy machine: many tables refer to them.
      await manager.query('SET LOCAL statement_timeout = 0');
      for (const table of ['users', 'books', 'series']) await manager.query(`DELETE FROM ${table}`);
    });
    await this.query(
      `SELECT setval(pg_get_serial_sequence(name, 'id'), 1, false) FROM unnest($1::text[]) name`,
      [['users', 'series', 'books', 'collections', 'annotations', 'reviews']],
    );
  }

  /** The number of rows of each table. */
  async sizes(): Promise<Record<string, number>> {
    const sizes: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await this.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
      sizes[table] = Number(row?.n);
    }
    return sizes;
  }
}

const TABLES = [
  'users',
  'series',
  'books',
  'book_tags',
  'book_search',
  'collections',
  'annotations',
  'reviews',
] as const;

/** Summary of an import. */
export const summary = (more: Partial<ImportSummary>): ImportSummary => ({
  imported: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  ...more,
});

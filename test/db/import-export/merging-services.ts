import { checkTagCounts } from '../../../src/books/tag-counts';
import { type MergedKind } from '../../../src/merges/merged-records';
import { checkBooks } from '../../../src/import-export/engine/recount';
import { FullTransfer } from './full';
import { simpleSubject } from './movies-records';
import { book } from './records';
import { type Wire } from './transfer';

/** The users of both services. */
export const USERS = [3, 4].map((id) => ({ id: String(id), uid: `u${id}`, name: `User ${id}` }));

const TABLES = `users, books, book_search, book_tags, book_tag_counts, subjects, subject_search,
  subject_tags, celebrities, chart_snapshots, merged_records`;

/** A comment on a film. */
export const commentOf = (subject: number, id: number): Wire => ({
  ...{ id: String(id), subject_id: String(subject), author: USERS[0], content: 'c' },
});

/** Two services; the second one imports full exports of the first one, which has merged records. */
export class MergingServices {
  private exports = 0;

  private constructor(
    readonly first: FullTransfer,
    readonly second: FullTransfer,
  ) {}

  static async open(): Promise<MergingServices> {
    return new MergingServices(await FullTransfer.open(), await FullTransfer.open());
  }

  /** Empties both services, except for their users. */
  async reset(): Promise<void> {
    for (const full of [this.first, this.second]) {
      await full.query(`TRUNCATE ${TABLES} RESTART IDENTITY CASCADE`);
      await full.transfer.take('user', USERS);
    }
  }

  /** Expects exact counters of books in the second service. */
  async expectCounters(): Promise<void> {
    const { database } = this.second.opened;
    expect(await checkBooks(database, { repair: false })).toEqual([]);
    expect(await checkTagCounts(database, { repair: false })).toEqual([]);
  }

  /** Exports the first service. @returns the folder */
  exportFirst(): Promise<string> {
    this.exports += 1;
    return this.first.export(`merges-${this.exports}`);
  }

  /**
   * Imports a full export of the first service into the second.
   * @returns the reasons of rejected records
   */
  async carry(folder?: string): Promise<string[]> {
    return (await this.second.importInPart(folder ?? (await this.exportFirst()))).reasons;
  }

  /** Stores merges of records that nothing refers to. */
  async merge(
    full: FullTransfer,
    kind: MergedKind,
    pairs: readonly (readonly [id: number, into: number])[],
  ): Promise<void> {
    const deleted = kind === 'book' ? 'books SET placeholder = true,' : 'subjects SET';
    for (const [id, into] of pairs) {
      await full.query(`UPDATE ${deleted} deleted_at = '2025-01-01' WHERE id = $1`, [id]);
      await full.query('INSERT INTO merged_records (kind, id, survivor_id) VALUES ($1, $2, $3)', [
        ...[kind, id, into],
      ]);
    }
  }

  /** Takes books with these ids into both services. */
  async haveBooks(ids: readonly number[]): Promise<void> {
    const books = ids.map((id) => book(id, { title: `Book ${id}` }));
    for (const { transfer } of [this.first, this.second]) await transfer.take('book', books);
  }

  /** Takes films with these ids into both services. */
  async haveFilms(ids: readonly number[]): Promise<void> {
    const films = ids.map((id) => simpleSubject(id, `Film ${id}`));
    for (const { transfer } of [this.first, this.second]) await transfer.take('movie', films);
  }

  /** Rows of a table of the second service as texts: the id, and that of the book or film. */
  async ofTable(table: string, column: 'book_id' | 'subject_id'): Promise<string[]> {
    const rows = await this.second.query<{ row: string }>(
      `SELECT id || ' of ' || ${column} AS row FROM ${table} ORDER BY id`,
    );
    return rows.map(({ row }) => row);
  }

  async close(): Promise<void> {
    await this.first.close();
    await this.second.close();
  }
}

/**
 * Opens services for the tests of a file. They are empty before each test, and must have exact
 * counters after it.
 */
export function useMergingServices(use: (services: MergingServices) => void): void {
  let services: MergingServices;
  beforeAll(async () => {
    services = await MergingServices.open();
    use(services);
  });
  beforeEach(() => services.reset());
  afterEach(() => services.expectCounters());
  afterAll(() => services.close());
}

import { Readable } from 'node:stream';
import { type QueryRunner } from 'typeorm';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { type ImportError } from '../../../src/import-export/engine/import-options';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { toLines } from './transfer';
import { WRITTEN, type Written } from './written-texts';

/** Records of a batch, and one of the next one. */
const FIRST = 2701;
const FIRST_ID = 10_000_001;

let opened: TestDatabase;
/** A connection that delays the changes of a sequence by imports. */
let locking: QueryRunner;
beforeEach(async () => {
  opened = await openTestDatabase();
  locking = opened.source.createQueryRunner();
});
afterEach(async () => {
  await locking.release();
  await opened.close();
});

/** Waits until an import waits to advance a sequence. */
async function untilAdvancing(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND query LIKE '%advance_sequence%' AND wait_event = 'advisory'`;
  while ((await opened.source.query<unknown[]>(waiting)).length === 0);
}

/** A text that its author writes while an import waits to advance the sequence past its id. */
class OwnText {
  private constructor(
    private readonly of: Written,
    readonly user: number,
    readonly parent: number,
    /** The id that it is going to have. */
    readonly id: number,
  ) {}

  static async prepare(of: Written): Promise<OwnText> {
    const factories = new Factories(opened.database);
    const { id: user } = await factories.aUser();
    const parent =
      of.kind === 'note-reply'
        ? (await factories.aNote({ author_id: String(user) })).id
        : await factories.aBook();
    return new OwnText(of, user, parent, (await insert(of, user, parent)) + 1);
  }

  /** The record of an older text with the same id and author. */
  record(id = this.id): unknown {
    return this.of.make(id, this.user, this.parent);
  }

  /**
   * Imports records; the author writes the text when the import waits to advance the sequence.
   * @param last records to be read after that
   */
  async importAround(first: unknown[], last: unknown[]): Promise<ImportError[]> {
    const { kind, table } = this.of;
    const key = `'${table}_id_seq'::regclass::oid::bigint`;
    await locking.query(`SELECT pg_advisory_lock(${key})`);
    const writing = untilAdvancing().then(async () => {
      expect(await insert(this.of, this.user, this.parent)).toBe(this.id);
      await locking.query(`SELECT pg_advisory_unlock(${key})`);
    });
    async function* lines(): AsyncGenerator<Buffer> {
      yield Buffer.from(toLines(first));
      // An incomplete batch is only stored when the file ends.
      if (last.length === 0) return;
      await writing;
      yield Buffer.from(toLines(last));
    }
    const errors: ImportError[] = [];
    const imports = new ImportService(opened.database, new RecordHandlers());
    const importing = imports.import(kind, 'file', Readable.from(lines()), {
      onError: (error) => errors.push(error),
    });
    await Promise.all([importing, writing]);
    return errors;
  }

  async isKept(): Promise<boolean> {
    const sql = `SELECT FROM ${this.of.table} WHERE id = $1 AND content = 'own'`;
    return (await opened.source.query<unknown[]>(sql, [this.id])).length === 1;
  }
}

/** Stores a text of a user as the API does. @returns its id */
async function insert({ insert: sql }: Written, user: number, parent: number): Promise<number> {
  const [row] = await opened.source.query<{ id: string }[]>(sql, [user, parent, 'own']);
  return Number(row?.id);
}

describe.each(WRITTEN)(
  'an import of the kind $kind does not replace a text that its author writes while it advances the sequence',
  (of) => {
    it('by a record of the same batch', async () => {
      const text = await OwnText.prepare(of);
      const records = [text.record(), text.record(text.id + 1)];
      const errors = await text.importAround(records, []);
      expect(errors).toMatchObject([
        {
          line: 1,
          reason: `the id ${text.id} belongs to a record that was created during the import`,
        },
      ]);
      expect(await text.isKept()).toBe(true);
    });

    it('by a record of a later batch', async () => {
      const text = await OwnText.prepare(of);
      const records = Array.from({ length: FIRST }, (_, at) => text.record(FIRST_ID + at));
      const errors = await text.importAround(records, [text.record()]);
      expect(errors).toMatchObject([
        {
          line: FIRST + 1,
          reason: `the id ${text.id} belongs to a record that was created during the import`,
        },
      ]);
      expect(await text.isKept()).toBe(true);
    });
  },
);

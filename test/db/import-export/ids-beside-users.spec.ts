import { Readable } from 'node:stream';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { type ImportError } from '../../../src/import-export/engine/import-options';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { NotesRepository } from '../../../src/notes/notes.repository';
import { UsersRepository } from '../../../src/users/users.repository';
import { type Database } from '../../../src/database/database';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { untilBlocked } from '../../until-blocked';
import { note, reply } from './notes-records';
import { collection } from './records';
import { toLines, Transfer, type Wire } from './transfer';
import { WRITTEN } from './written-texts';

/** Records of a batch, and some of the next one. */
const FIRST = 2701;
const FIRST_ID = 10_000_001;

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
});
afterEach(() => opened.close());

/** Imports two batches of records. @param create creates a record after the first batch is stored */
async function importAround(
  kind: string,
  make: (id: number) => Wire,
  create: (database: Database) => Promise<void>,
): Promise<ImportError[]> {
  const { database } = opened;
  const records = Array.from({ length: 2 * FIRST }, (_, at) => make(FIRST_ID + at));
  let stored: () => void = () => undefined;
  const isStored = new Promise<void>((resolve) => (stored = resolve));
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(toLines(records.slice(0, FIRST)));
    await isStored;
    await create(database);
    yield Buffer.from(toLines(records.slice(FIRST)));
  }
  const errors: ImportError[] = [];
  const imports = new ImportService(database, new RecordHandlers());
  await imports.import(kind, 'file', Readable.from(lines()), {
    onProgress: stored,
    onError: (error) => errors.push(error),
  });
  return errors;
}

it('an import does not replace a note that a user writes while it runs', async () => {
  const { id: user } = await new Factories(opened.database).aUser();
  let written = 0;
  const errors = await importAround(
    'note',
    (id) => note(id, { author_id: String(user + 1) }),
    async (database) => {
      const own = { title: 'own', content: 'own text', can_reply: true, moderationFlag: undefined };
      const made = await new NotesRepository(database).insertNote(
        user,
        { ...own, privacy: 'private' },
        [],
      );
      written = Number(made.id);
    },
  );
  expect(errors).toMatchObject([
    { reason: `the id ${written} belongs to a record that was created during the import` },
  ]);
  const rows: unknown = await opened.source.query(
    'SELECT user_id::int, title FROM notes WHERE id = $1',
    [written],
  );
  expect(rows).toEqual([{ user_id: user, title: 'own' }]);
});

it('an import does not replace a note that a user writes before the first record is read', async () => {
  const { database } = opened;
  const make = new Factories(database);
  const [{ id: user }, { id: other }] = [await make.aUser(), await make.aUser()];
  async function* lines(): AsyncGenerator<Buffer> {
    const [written] = await opened.source.query<{ id: number }[]>(
      `INSERT INTO notes (user_id, privacy, content) VALUES ($1, 'private', 'own') RETURNING id::int`,
      [user],
    );
    // The first id of an unused sequence.
    expect(written?.id).toBe(1);
    yield Buffer.from(toLines([note(1, { author_id: String(other) })]));
  }
  const imports = new ImportService(database, new RecordHandlers());
  const summary = await imports.import('note', 'file', Readable.from(lines()));
  expect(summary).toMatchObject({ updated: 0, failed: 1 });
  expect(await opened.source.query('SELECT user_id::int, content FROM notes')).toEqual([
    { user_id: user, content: 'own' },
  ]);
});

it.each(WRITTEN)(
  'nor a $kind that is committed while the import writes the same id',
  async ({ kind, table, make, insert }) => {
    const factories = new Factories(opened.database);
    const [{ id: user }, { id: other }] = [await factories.aUser(), await factories.aUser()];
    const parent =
      kind === 'note-reply'
        ? (await factories.aNote({ author_id: String(other) })).id
        : await factories.aBook();
    let written = 0;
    let committed: Promise<void> | undefined;
    const errors = await importAround(
      kind,
      (id) => make(id, other, parent),
      async () => {
        const runner = opened.source.createQueryRunner();
        await runner.startTransaction();
        const rows = (await runner.query(insert, [user, parent, 'own'])) as { id: string }[];
        written = Number(rows[0]?.id);
        // The import does not see the row when it compares its record, and waits for it to write.
        committed = untilBlocked(opened.source)
          .then(() => runner.commitTransaction())
          .finally(() => runner.release());
      },
    );
    await committed;
    expect(errors).toMatchObject([
      { reason: `the id ${written} belongs to a record that was created during the import` },
    ]);
    const rows: unknown = await opened.source.query(
      `SELECT user_id::int, content FROM ${table} WHERE id = $1`,
      [written],
    );
    expect(rows).toEqual([{ user_id: user, content: 'own' }]);
  },
);

/** Members with times of texts. */
const TIMES = ['time', 'published', 'updated', 'publish_time', 'update_time', 'created'];

/** A time, relative to the clock of the database, as the records of a file have it. */
async function timeAfter(interval: string): Promise<string> {
  const [row] = await opened.source.query<{ time: string }[]>(
    `SELECT to_char(now() + $1::interval, 'YYYY-MM-DD HH24:MI:SS') AS time`,
    [interval],
  );
  return String(row?.time);
}

/**
 * Imports records whose author writes a text with the id of one of them meanwhile, and expects that
 * the text is kept.
 *
 * @param time of the records; undefined for records without a time
 */
async function expectKept(
  { kind, table, make, insert }: (typeof WRITTEN)[number],
  time: string | undefined,
): Promise<void> {
  const factories = new Factories(opened.database);
  const { id: user } = await factories.aUser();
  const parent =
    kind === 'note-reply'
      ? (await factories.aNote({ author_id: String(user) })).id
      : await factories.aBook();
  let written = 0;
  const errors = await importAround(
    kind,
    (id) => {
      const { ...members } = make(id, user, parent) as Record<string, unknown>;
      for (const name of TIMES.filter((one) => one in members)) {
        if (time === undefined) Reflect.deleteProperty(members, name);
        else members[name] = time;
      }
      return members;
    },
    async () => {
      const rows = await opened.source.query<{ id: string }[]>(insert, [user, parent, 'own']);
      written = Number(rows[0]?.id);
    },
  );
  expect(errors).toMatchObject([
    { reason: `the id ${written} belongs to a record that was created during the import` },
  ]);
  const rows: unknown = await opened.source.query(`SELECT content FROM ${table} WHERE id = $1`, [
    written,
  ]);
  expect(rows).toEqual([{ content: 'own' }]);
}

it.each(WRITTEN)(
  'nor a $kind that the author of the records writes, if these have times in the future',
  async (writing) => {
    await expectKept(writing, await timeAfter('8 hours'));
  },
);

it('nor a note of their author by one with a time since the first attempt of the import', async () => {
  const { id: user } = await new Factories(opened.database).aUser();
  const update_time = await timeAfter('-10 minutes');
  const [{ startedAt } = {}] = await opened.source.query<{ startedAt?: string }[]>(
    `SELECT to_json(now() - interval '1 hour') #>> '{}' AS "startedAt"`,
  );
  await opened.source.query(
    `INSERT INTO notes (id, user_id, privacy, content, updated_at)
     SELECT id, $1, 'private', 'own', now() - interval '20 minutes' FROM generate_series(1, 2) id`,
    [user],
  );
  const records = [1, 2].map((id) => note(id, { author_id: String(user), update_time }));
  const firstAttempt = { initialIds: { notes: 1 }, startedAt: String(startedAt) };
  const { faults } = await new Transfer(opened.database).import('note', records, { firstAttempt });
  expect(faults).toMatchObject([
    { line: 2, reason: 'the id 2 belongs to a record that was created during the import' },
  ]);
});

it.each(WRITTEN)(
  'nor a $kind that the author of the records writes, if these have no times',
  (writing) => expectKept(writing, undefined),
);

it('an import of notes completes placeholders of their replies', async () => {
  const { database } = opened;
  const transfer = new Transfer(database);
  await transfer.import('note-reply', [reply(1, 70), reply(2, 71)]);
  const { summary } = await transfer.import('note', [note(70), note(71)]);
  expect(summary).toMatchObject({ imported: 2, failed: 0 });
});

it('nor a user who registers', async () => {
  let registered: number | undefined;
  const errors = await importAround(
    'user',
    (id) => ({ id: String(id), uid: `imported${id}`, name: 'Imported' }),
    async (database) => {
      registered = await new UsersRepository(database).insertUser('visitor', 'Visitor');
    },
  );
  expect(errors).toHaveLength(1);
  const rows: unknown = await opened.source.query('SELECT id::int FROM users WHERE uid = $1', [
    'visitor',
  ]);
  expect(rows).toEqual([{ id: registered }]);
});

describe('an import that would change the uid of a user', () => {
  const take = (id: number, more: Wire) =>
    new Transfer(opened.database).import('user', [
      { id: String(id), uid: 'imported', name: 'Imported', ...more },
      { id: String(id + 1), uid: 'next', name: 'Next' },
    ]);
  const uidOf = async (id: number) =>
    opened.source.query<{ uid: string; name: string }[]>(
      'SELECT uid, name FROM users WHERE id = $1',
      [id],
    );
  const register = async () =>
    (await new UsersRepository(opened.database).insertUser('visitor', 'Visitor')) ?? 0;

  it('fails for a registered user, whose other members it changes', async () => {
    const id = await register();
    const { summary, faults } = await take(id, {});
    expect(summary).toMatchObject({ imported: 1, failed: 1 });
    expect(faults).toMatchObject([
      { line: 1, reason: `the user ${id} is registered here as visitor` },
    ]);
    expect(await uidOf(id)).toEqual([{ uid: 'visitor', name: 'Visitor' }]);
    await take(id, { uid: 'visitor' });
    expect(await uidOf(id)).toEqual([{ uid: 'visitor', name: 'Imported' }]);
  });

  it('fails for a user with a password', async () => {
    await take(70, { uid: 'ann' });
    await opened.source.query(`INSERT INTO passwords (user_id, hash) VALUES (70, '')`);
    expect((await take(70, {})).summary).toMatchObject({ skipped: 1, failed: 1 });
    expect(await uidOf(70)).toEqual([{ uid: 'ann', name: 'Imported' }]);
  });

  it('succeeds for other users', async () => {
    await take(70, { uid: 'ann' });
    expect((await take(70, {})).summary).toMatchObject({ updated: 1, failed: 0 });
    expect(await uidOf(70)).toEqual([{ uid: 'imported', name: 'Imported' }]);
  });

  it('fails for a user who registers at the same time', async () => {
    let id = 0;
    let importing: ReturnType<typeof take> | undefined;
    await opened.source.transaction(async (manager) => {
      const users = await manager.query<{ id: number }[]>(
        `INSERT INTO users (uid, name) VALUES ('visitor', 'Visitor') RETURNING id::int`,
      );
      id = users[0]?.id ?? 0;
      await manager.query(`INSERT INTO registered_uids (folded, user_id) VALUES ('visitor', $1)`, [
        id,
      ]);
      importing = take(id, {});
      await untilBlocked(opened.source);
    });
    expect((await importing)?.summary).toMatchObject({ imported: 1, failed: 1 });
    expect(await uidOf(id)).toEqual([{ uid: 'visitor', name: 'Visitor' }]);
  });
});

it('an imported collection gets a new id when another one has its id', async () => {
  const make = new Factories(opened.database);
  const { id: user } = await make.aUser();
  const books = await make.books(4);
  const collected = (ids: readonly number[], from: number) =>
    ids.map((id, at) => collection(id, user, books[from + at] as number, {}));
  const transfer = new Transfer(opened.database);
  await transfer.import('collection', collected([500], 0));
  const { summary, faults } = await transfer.import('collection', collected([501, 500, 502], 1));
  expect([summary, faults]).toMatchObject([{ imported: 3, failed: 0 }, []]);
  const records = await transfer.records('collection');
  const idOf = new Map(records.map(({ id, book_id }) => [Number(book_id), id]));
  expect(idOf.get(books[0] as number)).toBe(500);
  // The parts of a batch are stored at the same time, so the new id may be 501 or 502; then the record
  // with that id gets another one.
  expect(records.map(({ id }) => id)).toEqual([500, 501, 502, 503]);
  expect(new Set(idOf.keys())).toEqual(new Set(books));
});

import { openTestDatabase, type TestDatabase } from '../../harness';
import { testSettings } from '../../settings';
import { untilBlocked } from '../../until-blocked';
import { book, collection } from './records';
import { RECORDS_WITH_SHARED_PARENTS } from './records-with-shared-parents';
import { Transfer } from './transfer';

const RECORDS = 150;
const ROUNDS = 4;

let opened: TestDatabase;
let transfer: Transfer;
beforeEach(async () => {
  opened = await openTestDatabase(Object.assign(testSettings(), { DATABASE_POOL: 40 }));
  transfer = new Transfer(opened.database);
});
afterEach(() => opened.close());

const user = (id: number, name: string) => ({ id: String(id), uid: `u${id}`, name });

/** Runs work while a transaction has locked a user. */
async function whileLocked(id: number, mode: string, work: () => Promise<void>): Promise<void> {
  const runner = opened.source.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`SELECT 1 FROM users WHERE id = $1 FOR ${mode}`, [id]);
  try {
    await work();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

it('imports of all types at the same time do not deadlock', async () => {
  const imports = (round: number, turn: number) =>
    Object.entries(RECORDS_WITH_SHARED_PARENTS).map(([type, make]) => async () => {
      const records = Array.from({ length: RECORDS }, (_, at) => make(at + 1, round));
      await transfer.take(type, turn % 2 === 0 ? records : records.reverse());
    });
  for (const run of imports(0, 0)) await run();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const runs = [...imports(round, round), ...imports(round, round + 1)];
    await Promise.all(runs.map((run) => run()));
  }
  const [row] = await opened.source.query<{ deadlocks: string }[]>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(Number(row?.deadlocks)).toBe(0);
});

it('an import of users does not wait for writers of what users own', async () => {
  await transfer.take('user', [user(1, 'before'), user(2, 'before')]);
  await whileLocked(1, 'KEY SHARE', async () => {
    const summary = await transfer.take('user', [user(1, 'after'), user(2, 'after')]);
    expect(summary).toMatchObject({ updated: 2 });
  });
});

it('an import locks the users that it refers to in the order of ids', async () => {
  await transfer.take(
    'user',
    [1, 2, 3].map((id) => user(id, 'n')),
  );
  await transfer.take(
    'book',
    [1, 2, 3, 4, 5, 6].map((id) => book(id, { title: 'b' })),
  );
  let importing: Promise<unknown> = Promise.resolve();
  await whileLocked(1, 'UPDATE', async () => {
    // One transaction stores the first two. The user of the first book has the higher id.
    const users = [2, 1, 3, 3, 3, 3];
    importing = transfer.take(
      'collection',
      users.map((id, at) => collection(at + 1, id, at + 1, {})),
    );
    await untilBlocked(opened.source);
    await opened.source.query('SELECT 1 FROM users WHERE id = 2 FOR UPDATE NOWAIT');
  });
  expect(await importing).toMatchObject({ imported: 6 });
});

it('an import survives many conflicts', async () => {
  await opened.source.query(`
    CREATE SEQUENCE conflicts;
    CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('conflicts') <= 20 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40P01'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER conflicting AFTER INSERT ON users EXECUTE FUNCTION conflict();`);
  expect(await transfer.take('user', [user(1, 'n')])).toMatchObject({ imported: 1 });
});

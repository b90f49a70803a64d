import { RegisteredUids1764540000000 } from '../../migrations/1764540000000-registered-uids';
import { AccountsRepository } from '../../src/accounts/accounts.repository';
import { UsersRepository } from '../../src/users/users.repository';
import { openTestDatabase, type TestDatabase } from '../harness';

let opened: TestDatabase;
let accounts: AccountsRepository;
let users: UsersRepository;
beforeAll(async () => {
  opened = await openTestDatabase();
  accounts = new AccountsRepository(opened.database);
  users = new UsersRepository(opened.database);
});
afterAll(() => opened.close());

const uids = async (pattern: string): Promise<string[]> => {
  const rows = await opened.source.query<{ uid: string }[]>(
    'SELECT uid FROM users WHERE uid ILIKE $1 ORDER BY id',
    [pattern],
  );
  return rows.map(({ uid }) => uid);
};

/** Ways to write a name that differ in case alone. */
const spellings = (name: string): string[] =>
  Array.from({ length: name.length }, (_, at) =>
    Array.from(name, (letter, place) => (place === at ? letter.toUpperCase() : letter)).join(''),
  );

it('of concurrent registrations that differ in case, one succeeds', async () => {
  for (const name of ['annabella', 'christian', 'elisabeth']) {
    const made = await Promise.all(
      spellings(name).map((uid) => accounts.insertAccount(uid, 'hash')),
    );
    expect(made.filter((id) => id !== undefined)).toHaveLength(1);
    expect(await uids(name)).toHaveLength(1);
  }
});

it("of concurrent registrations and administrators' accounts that differ in case, one succeeds", async () => {
  const made = await Promise.all(
    spellings('frederick').map((uid, at) =>
      at % 2 === 0 ? accounts.insertAccount(uid, 'hash') : users.insertUser(uid, uid),
    ),
  );
  expect(made.filter((id) => id !== undefined)).toHaveLength(1);
  expect(await users.insertUser('Frederick', 'Frederick')).toBeUndefined();
  expect(await accounts.insertAccount('FREDERICK', 'hash')).toBeUndefined();
});

it('the uid of an imported user cannot be registered in another case', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('Imported', 'x')`);
  expect(await accounts.insertAccount('imported', 'hash')).toBeUndefined();
  expect(await users.insertUser('IMPORTED', 'x')).toBeUndefined();
});

it('imported users keep their uids, also when these differ only in case', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('Twin', 'x'), ('twin', 'y')`);
  expect(await uids('twin')).toEqual(['Twin', 'twin']);
});

it('the migration registers duplicate uids for the oldest account', async () => {
  await opened.source.query('DROP TABLE registered_uids');
  await opened.source.query(`
    WITH made AS (INSERT INTO users (uid, name)
      VALUES ('Old', 'x'), ('old', 'x'), ('single', 'x'), ('nobody', 'x') RETURNING id, uid)
    INSERT INTO passwords (user_id, hash) SELECT id, 'hash' FROM made WHERE uid <> 'nobody'`);
  const runner = opened.source.createQueryRunner();
  await new RegisteredUids1764540000000().up(runner);
  await runner.release();
  const rows = await opened.source.query<object[]>(
    `SELECT r.folded, u.uid FROM registered_uids r JOIN users u ON u.id = r.user_id
     WHERE r.folded IN ('old', 'single', 'nobody') ORDER BY 1`,
  );
  expect(rows).toEqual([
    { folded: 'old', uid: 'Old' },
    { folded: 'single', uid: 'single' },
  ]);
  // Both stay, and sign in as before; a third is refused.
  expect((await accounts.findAccountByUid('old'))?.hash).toBe('hash');
  expect(await accounts.insertAccount('OLD', 'hash')).toBeUndefined();
});

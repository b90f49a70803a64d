import { UsersRepository } from '../../../src/users/users.repository';
import { FullTransfer } from './full';
import { like, note, reply } from './notes-records';
import { collection } from './records';
import { type Wire } from './transfer';

// Two services with users of the same ids.
let here: FullTransfer;
let id: number;
beforeEach(async () => {
  here = await FullTransfer.open();
  id = (await new UsersRepository(here.opened.database).insertUser('visitor', 'Visitor')) ?? 0;
});
afterEach(() => here.close());

const users = (): Wire[] => [
  { id: String(id), uid: 'imported', name: 'Imported' },
  { id: String(id + 1), uid: 'other', name: 'Other' },
];
const CONFLICT = 'registered here as visitor';

/** Private records of the user with the id, who is named by the id alone. */
const records = (): readonly (readonly [kind: string, record: Wire])[] => [
  ['note', note(500, { author_id: String(id), privacy: 'private' })],
  ['friend', { user_id: String(id), friend_id: String(id + 1) }],
  ['collection', collection(500, id, 7, {})],
  ['note-reply', reply(500, 600, 'text', id)],
  ['note-like', like(600, id)],
];

/** Reasons of the records that are rejected, one of each kind. */
async function reasons(all = records()): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const [kind, record] of all) {
    const { faults } = await here.transfer.import(kind, [record]);
    found.push(faults[0]?.reason);
  }
  return found;
}

/** Records of the user with the id, of any kind. */
const owned = (): Promise<{ n: number }[]> =>
  here.query(
    `SELECT (SELECT count(*) FROM notes WHERE user_id = $1)
       + (SELECT count(*) FROM friendships WHERE $1 IN (user_id, friend_id))
       + (SELECT count(*) FROM collections WHERE user_id = $1)
       + (SELECT count(*) FROM note_replies WHERE user_id = $1)
       + (SELECT count(*) FROM note_likes WHERE user_id = $1)
       + (SELECT count(*) FROM reports WHERE user_id = $1) AS n`,
    [id],
  );

it('records of a user whose id somebody has registered here are rejected with the user', async () => {
  const { faults } = await here.transfer.import('user', users());
  expect(faults).toMatchObject([{ line: 1, reason: expect.stringContaining(CONFLICT) as string }]);
  expect(await reasons()).toEqual(records().map(() => expect.stringContaining(CONFLICT) as string));
  expect(await owned()).toEqual([{ n: '0' }]);
  // Other users are imported.
  await here.transfer.take('note', [note(501, { author_id: String(id + 1) })]);
});

it('records that name another uid are rejected, also if the user was not imported', async () => {
  const author = { id: String(id), uid: 'imported', name: 'Imported' };
  const [named] = await reasons([['note', { ...note(500, { author_id: null }), author }]]);
  expect(named).toContain(CONFLICT);
  expect(await owned()).toEqual([{ n: '0' }]);
});

it('records that name two uids of an id are told apart', async () => {
  const named = (noteId: number, uid: string): Wire => ({
    ...note(noteId, { author_id: null }),
    author: { id: String(id), uid, name: uid },
  });
  const { faults } = await here.transfer.import('note', [
    named(500, 'visitor'),
    named(501, 'imported'),
    named(502, 'visitor'),
  ]);
  expect(faults).toMatchObject([{ line: 2, reason: expect.stringContaining(CONFLICT) as string }]);
  expect(await here.query('SELECT id::int FROM notes ORDER BY id')).toEqual([
    { id: 500 },
    { id: 502 },
  ]);
});

it('a user record with the local uid ends the conflict', async () => {
  await here.transfer.import('user', users());
  const author = { id: String(id), uid: 'visitor', name: 'Visitor' };
  await here.transfer.take('note', [{ ...note(501, { author_id: null }), author }]);
  const stored = await here.transfer.records('user');
  // The record of the user is unchanged.
  expect(await here.transfer.take('user', stored)).toMatchObject({ updated: 0, imported: 0 });
  expect(await reasons()).toEqual(records().map(() => undefined));
});

it.each(['a user', 'a placeholder', 'an unnamed placeholder'])(
  'a full import with %s of the id stores nothing for the user who has registered here',
  async (what) => {
    const there = await FullTransfer.open();
    try {
      await there.transfer.take('user', what === 'a user' ? users() : users().slice(1));
      const author = { id: String(id), uid: 'imported', name: 'Imported' };
      const [[, unnamed], ...others] = records() as [[string, Wire], ...[string, Wire][]];
      const named = { ...note(500, { author_id: null }), author };
      const first = what === 'an unnamed placeholder' ? unnamed : named;
      await there.transfer.take('note', [first]);
      for (const [kind, record] of others) await there.transfer.take(kind, [record]);
      await there.query(
        `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ('note', 600, $1, 'spam')`,
        [id],
      );
      const { reasons: found } = await here.importInPart(await there.export('all'));
      expect(found).toHaveLength(2 + records().length);
      for (const reason of found) expect(reason).toContain(CONFLICT);
      expect(await owned()).toEqual([{ n: '0' }]);
    } finally {
      await there.close();
    }
  },
);

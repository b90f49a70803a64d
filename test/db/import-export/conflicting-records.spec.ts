import { type Watch } from '../../../src/import-export/full/full-import';
import { UsersRepository } from '../../../src/users/users.repository';
import { EVENTS } from './events-records';
import { FullTransfer } from './full';
import { like, note, reply } from './notes-records';
import { type Wire } from './transfer';

// Two services with users, notes and events of the same ids.
let here: FullTransfer;
let there: FullTransfer;
let id: number;
beforeEach(async () => {
  here = await FullTransfer.open();
  there = await FullTransfer.open();
  id = (await new UsersRepository(here.opened.database).insertUser('visitor', 'Visitor')) ?? 0;
});
afterEach(() => Promise.all([here.close(), there.close()]));

/** Imports the other service. @returns the reasons of rejected records */
async function importAll(more: Partial<Watch> = {}): Promise<string[]> {
  return (await here.importInPart(await there.export('all'), more)).reasons;
}

const event = (title: string): Wire => ({
  ...EVENTS[0],
  title,
  owner_id: String(id),
  invited: [],
});

/** Records of other users that refer to the private note and event of the user with the id. */
async function referToPrivateContent(): Promise<void> {
  const other = id + 1;
  await there.transfer.take('user', [
    { id: String(id), uid: 'imported', name: 'Imported' },
    { id: String(other), uid: 'other', name: 'Other' },
  ]);
  await there.transfer.take('note', [
    note(500, { author_id: String(id), privacy: 'private', title: 'imported' }),
  ]);
  await there.transfer.take('note-reply', [reply(600, 500, 'private reply', other)]);
  await there.transfer.take('note-like', [like(500, other)]);
  await there.query(
    `INSERT INTO note_versions (note_id, title, content, replaced_at)
     VALUES (500, 'private', 'version', now())`,
  );
  await there.transfer.take('event', [event('imported')]);
  await there.transfer.take('participation', [
    { event_id: '11', user_id: String(other), kind: 'participate' },
  ]);
  await there.query(
    `INSERT INTO reports (kind, target_id, user_id, reason)
     VALUES ('note', 500, $1, 'spam'), ('event', 11, $1, 'spam'), ('user', $2, $1, 'spam')`,
    [other, id],
  );
}

/** A note and an event of the local user with the ids of those of the other service. */
async function writeLocally(): Promise<void> {
  await here.transfer.take('note', [note(500, { author_id: String(id), title: 'local' })]);
  await here.transfer.take('event', [event('local')]);
}

/** A note of the other service of which only the id is known. */
const insertPlaceholder = (noteId: number): Promise<object[]> =>
  there.query(
    `INSERT INTO notes (id, placeholder, title, content, privacy) OVERRIDING SYSTEM VALUE
     VALUES ($1, true, '', '', 'private')`,
    [noteId],
  );

/** Records that refer to the local note, event and user. */
const references = (): Promise<object[]> =>
  here.query(
    `SELECT (SELECT count(*)::int FROM note_replies) AS replies,
       (SELECT count(*)::int FROM note_likes) AS likes,
       (SELECT count(*)::int FROM note_versions) AS versions,
       (SELECT count(*)::int FROM participations) AS participations,
       (SELECT participants FROM events WHERE id = 11) AS participants,
       (SELECT count(*)::int FROM reports) AS reports`,
  );
const NONE = { replies: 0, likes: 0, versions: 0, participations: 0, participants: 0, reports: 0 };

it('records that refer to a rejected note or event are not stored for the local one of its id', async () => {
  await referToPrivateContent();
  await writeLocally();
  const another = expect.stringMatching(
    /^the (note|event) (500|11) of the file was not imported/,
  ) as string;
  const registered = expect.stringContaining('registered here as visitor') as string;
  const expected = [registered, registered, another, another, registered, registered].concat(
    Array<string>(4).fill(another),
  );
  const reasons = await importAll();
  expect(reasons).toHaveLength(expected.length);
  expect(reasons).toEqual(expect.arrayContaining(expected) as string[]);
  expect(await references()).toEqual([NONE]);
  const titles = await here.query('SELECT title FROM notes UNION ALL SELECT title FROM events');
  expect(titles).toEqual([{ title: 'local' }, { title: 'local' }]);
});

it('an import of the local note ends the conflict', async () => {
  await referToPrivateContent();
  await writeLocally();
  await importAll();
  const of = [reply(601, 500, 'local reply', id + 1)];
  expect((await here.transfer.import('note-reply', of)).faults).toHaveLength(1);
  // It is unchanged.
  await here.transfer.take('user', await here.transfer.records('user'));
  await here.transfer.take('note', await here.transfer.records('note'));
  await here.transfer.take('note-reply', of);
});

it('a rejected older version of a stored note is no conflict', async () => {
  await writeLocally();
  const older = note(500, { author_id: String(id), update_time: '2012-12-14 15:14:50' });
  const { faults } = await here.transfer.import('note', [older], {
    firstAttempt: { initialIds: { notes: 499 } },
  });
  expect(faults).toMatchObject([
    { reason: expect.stringContaining('during the import') as string },
  ]);
  await here.transfer.take('note-reply', [reply(600, 500, 'local reply', id + 1)]);
});

it('replies to a note of which only the id is known are not those of a note of a local user', async () => {
  await there.transfer.take('user', [{ id: String(id + 1), uid: 'other', name: 'Other' }]);
  await insertPlaceholder(501);
  await there.transfer.take('note-reply', [reply(600, 501, 'private reply', id + 1)]);
  await here.query(
    `INSERT INTO notes (id, user_id, title, content, privacy) OVERRIDING SYSTEM VALUE
     VALUES (501, $1, 'local', 'written during the import', 'public')`,
    [id],
  );
  await here.query(`SELECT setval('notes_id_seq', 501)`);
  const reasons = await importAll({
    firstAttempt: { initialIds: { notes: 500, note_replies: 0 } },
  });
  expect(reasons).toEqual([
    'the id 501 belongs to a record that was created during the import',
    expect.stringContaining('the note 501 of the file was not imported'),
  ]);
  expect(await references()).toMatchObject([{ replies: 0 }]);
});

describe('replies and likes of a note of which only the id is known', () => {
  beforeEach(async () => {
    await there.transfer.take('user', [{ id: String(id + 1), uid: 'other', name: 'Other' }]);
    await insertPlaceholder(501);
    await there.transfer.take('note-reply', [reply(600, 501, 'private reply', id + 1)]);
    await there.transfer.take('note-like', [like(501, id + 1)]);
  });

  it('are not those of a note that a user has written here before', async () => {
    await here.transfer.take('note', [note(501, { author_id: String(id), title: 'local' })]);
    const another = expect.stringContaining('the note 501 of the file was not imported') as string;
    expect(await importAll()).toEqual([
      'the note 501 here is of another user, who has registered here',
      another,
      another,
    ]);
    expect(await references()).toMatchObject([{ replies: 0, likes: 0 }]);
  });

  it.each([null, '900'])('are those of a note of an import with the author %s', async (author) => {
    await here.transfer.take('note', [note(501, { author_id: author })]);
    expect(await importAll()).toEqual([]);
    expect(await references()).toMatchObject([{ replies: 1, likes: 1 }]);
  });
});

it('an own export from before the import of a note reports its placeholder, and changes nothing', async () => {
  await there.transfer.take('note-reply', [reply(600, 501, 'reply', id + 1)]);
  await here.import(await there.export('all'));
  const folder = await here.export('own');
  await here.transfer.take('note', [note(501, { author_id: String(id) })]);
  expect((await here.importInPart(folder)).reasons).toEqual([
    'the note 501 here is of another user, who has registered here',
  ]);
  expect(await references()).toMatchObject([{ replies: 1 }]);
});

it('ids of placeholders are reserved before anything is stored', async () => {
  const last = (): Promise<object[]> =>
    here.query(
      `SELECT (SELECT last_value::int FROM users_id_seq) AS users,
         (SELECT last_value::int FROM notes_id_seq) AS notes`,
    );
  await there.transfer.take('note', [note(7, { author_id: '900' })]);
  await insertPlaceholder(901);
  let reserved: Promise<object[]> | undefined;
  await importAll({ onProgress: async () => void (await (reserved ??= last())) });
  expect(await reserved).toEqual([{ users: 900, notes: 901 }]);
});

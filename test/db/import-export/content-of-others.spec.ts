import { reviewEdit } from '../../../src/moderation/moderation-queue.repository';
import { UsersRepository } from '../../../src/users/users.repository';
import { FullTransfer } from './full';
import { like, note, reply } from './notes-records';
import { simpleSubject } from './movies-records';
import { annotation, book, collection } from './records';

// Two services that have given the same ids to content of different users.
let here: FullTransfer;
let there: FullTransfer;
let local: number;
let foreign: number;
beforeEach(async () => {
  here = await FullTransfer.open();
  there = await FullTransfer.open();
  local = (await new UsersRepository(here.opened.database).insertUser('local', 'Local')) ?? 0;
  foreign = local + 1;
  const user = { id: String(foreign), uid: 'foreign', name: 'Foreign' };
  await there.transfer.take('user', [user]);
});
afterEach(() => Promise.all([here.close(), there.close()]));

/** Imports an export. @returns the reasons of rejected records */
async function importAll(from: FullTransfer): Promise<string[]> {
  return (await here.importInPart(await from.export('all'))).reasons;
}

const ofOther = (id: number, kind: string): string =>
  `the ${kind} ${id} here is of another user, who has registered here`;
const notImported = (kind: string, id: number): unknown =>
  expect.stringContaining(`the ${kind} ${id} of the file was not imported`);

it('a full import does not replace content of a user who has registered here', async () => {
  await here.transfer.take('note', [
    note(4, { author_id: String(local), privacy: 'private', title: 'local' }),
  ]);
  await here.transfer.take('note-reply', [reply(6, 4, 'private reply', local)]);
  await here.transfer.take('annotation', [annotation(5, local, 1, {})]);
  await there.transfer.take('note', [note(4, { author_id: String(foreign) })]);
  await there.transfer.take('note', [note(7, { author_id: String(foreign) })]);
  await there.transfer.take('note-reply', [
    reply(6, 7, 'other', foreign),
    reply(8, 4, 'to the other note', foreign),
  ]);
  await there.transfer.take('annotation', [annotation(5, foreign, 1, {})]);
  const reasons = await importAll(there);
  expect(reasons.toSorted()).toEqual([
    ofOther(5, 'annotation'),
    ofOther(4, 'note'),
    notImported('note', 4),
    ofOther(6, 'note-reply'),
  ]);
  expect(await here.query(`SELECT user_id::int, title, privacy FROM notes WHERE id = 4`)).toEqual([
    { user_id: local, title: 'local', privacy: 'private' },
  ]);
  expect(await here.query(`SELECT content FROM note_replies`)).toEqual([
    { content: 'private reply' },
  ]);
  expect(await here.query(`SELECT user_id::int FROM annotations`)).toEqual([{ user_id: local }]);
});

describe('a note without an author', () => {
  const authorless = note(4, { author_id: null, title: 'other' });
  const written = (): Promise<object[]> =>
    here.query('SELECT user_id::int, title, privacy FROM notes WHERE id = 4');

  it('does not replace a note of a user who has registered here', async () => {
    const own = note(4, { author_id: String(local), privacy: 'private', title: 'local' });
    await here.transfer.take('note', [own]);
    await there.transfer.take('note', [authorless]);
    await there.transfer.take('note-reply', [reply(8, 4, 'to the other note', foreign)]);
    await there.transfer.take('note-like', [like(4, foreign)]);
    const expected = [ofOther(4, 'note'), notImported('note', 4), notImported('note', 4)];
    expect(await importAll(there)).toEqual(expected);
    const { faults } = await here.transfer.import('note', [authorless]);
    expect(faults).toMatchObject([{ reason: ofOther(4, 'note') }]);
    expect(await written()).toEqual([{ user_id: local, title: 'local', privacy: 'private' }]);
    expect(
      await here.query('SELECT user_id FROM note_replies UNION ALL SELECT user_id FROM note_likes'),
    ).toEqual([]);
    // The author may be named, or the note be the same.
    await here.transfer.take('note', [{ ...own, author_id: undefined }]);
    await here.transfer.import('note', [authorless], { of: local });
    expect(await written()).toEqual([{ user_id: local, title: 'other', privacy: 'public' }]);
  });

  it('replaces a note without an author, or of a user who has not registered here', async () => {
    await there.transfer.take('note', [authorless]);
    const folder = await there.export('all');
    for (const author of [null, 900]) {
      await here.transfer.take('note', [note(4, { author_id: author && String(author) })]);
      await here.import(folder);
      expect(await written()).toEqual([{ user_id: author, title: 'other', privacy: 'public' }]);
    }
  });

  it('is restored from an own export', async () => {
    await here.transfer.take('note', [authorless]);
    await here.transfer.take('note-reply', [reply(8, 4, 'reply', local)]);
    const folder = await here.export('own');
    await here.query(`UPDATE notes SET title = 'changed'`);
    await here.query('DELETE FROM note_replies');
    await here.import(folder);
    expect(await written()).toEqual([{ user_id: null, title: 'other', privacy: 'public' }]);
    expect(await here.query('SELECT id::int FROM note_replies')).toEqual([{ id: 8 }]);
  });
});

it('a comment on a film without an author does not replace one of a user who has registered here', async () => {
  const comment = { id: '4', subject_id: '7', author_id: String(local), content: 'local' };
  await here.transfer.take('movie-comment', [comment]);
  const other = { ...comment, author_id: undefined, content: 'other' };
  const { faults } = await here.transfer.import('movie-comment', [other]);
  expect(faults).toMatchObject([{ reason: ofOther(4, 'movie-comment') }]);
  expect(await here.query('SELECT content FROM movie_comments')).toEqual([{ content: 'local' }]);
});

it('reports about a review of which only a part is known do not concern a complete one here', async () => {
  const author = { id: String(foreign), uid: 'foreign', name: 'Foreign' };
  const review = { id: '91', title: 'other', subject_id: '7', author };
  await there.transfer.take('movie', [{ ...simpleSubject(7, 'Film'), popular_reviews: [review] }]);
  await there.query(
    `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ('movie_review', 91, $1, 'spam')`,
    [foreign],
  );
  const folder = await there.export('all');
  const own = { ...review, author: undefined, author_id: String(local), title: 'local' };
  await here.transfer.take('movie-review', [own]);
  expect((await here.importInPart(folder)).reasons).toEqual([
    ofOther(91, 'movie-review'),
    notImported('movie-review', 91),
  ]);
  expect(await here.query('SELECT id FROM reports')).toEqual([]);
  // A part of the same review is not rejected.
  await here.transfer.take('movie-review', [{ ...own, placeholder: true }]);
  expect(await here.query('SELECT title FROM movie_reviews')).toEqual([{ title: 'local' }]);
});

it('earlier versions of notes do not replace those of other notes', async () => {
  for (const [full, id, author] of [
    [here, 4, local],
    [there, 7, foreign],
  ] as const) {
    await full.transfer.take('note', [note(id, { author_id: String(author) })]);
    await full.query(
      `INSERT INTO note_versions (note_id, title, content, replaced_at)
       VALUES ($1, 't', 'earlier', '2020-01-01')`,
      [id],
    );
  }
  expect(await importAll(there)).toEqual(['the id 1 belongs to another version of a note']);
  expect(await here.query('SELECT note_id::int FROM note_versions')).toEqual([{ note_id: 4 }]);
  // Those of the own export are the same.
  expect(await importAll(here)).toEqual([]);
});

it('queue entries and reports of another collection do not concern the local one of its id', async () => {
  await here.transfer.take('book', [book(1, { title: 'Book' })]);
  await there.transfer.take('book', [book(1, { title: 'Book' })]);
  await here.transfer.take('collection', [collection(5, local, 1, {})]);
  await there.transfer.take('collection', [collection(5, foreign, 1, {})]);
  await there.query(
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
     VALUES ('collection', 5, $1, '{}', 'foreign', 'released', now())`,
    [foreign],
  );
  await there.query(
    `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ('collection', 5, $1, 'spam')`,
    [foreign],
  );
  expect(await importAll(there)).toEqual([ofOther(5, 'collection'), notImported('collection', 5)]);
  expect(
    await here.query('SELECT id FROM moderation_queue UNION ALL SELECT id FROM reports'),
  ).toEqual([]);
});

it('an own export restores content of a placeholder who has got a uid and a password since', async () => {
  await here.transfer.take('note', [note(4, { author_id: '900' })]);
  const folder = await here.export('own');
  await here.transfer.take('user', [{ id: '900', uid: 'bob', name: 'Bob' }]);
  await here.query(`INSERT INTO passwords (user_id, hash) VALUES (900, 'x')`);
  await here.query('DELETE FROM notes');
  await here.import(folder);
  expect(await here.query('SELECT user_id::int FROM notes')).toEqual([{ user_id: 900 }]);
});

it('a decision about a text of another user does not release a rejected text of the same id', async () => {
  const author = { id: String(foreign), uid: 'foreign', name: 'Foreign' };
  await here.transfer.take('user', [author]);
  for (const [user, decision] of [
    [local, 'rejected'],
    [foreign, 'released'],
  ] as const)
    await here.query(
      `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
       VALUES ('note', 500, $1, '{}', 'x', $2, now())`,
      [user, decision],
    );
  const writing = { kind: 'note', id: 500, moderationFlag: undefined, text: 'edited' } as const;
  const { database } = here.opened;
  expect(await reviewEdit(database, { ...writing, userId: local }, true)).toBe(true);
  expect(await reviewEdit(database, { ...writing, userId: foreign }, true)).toBe(false);
});

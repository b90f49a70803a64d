import { isTransactionConflict } from '../../src/database/database-errors';
import { AnnotationsRepository } from '../../src/books/annotations.repository';
import { checkListCounts } from '../../src/database/list-counts';
import { EventListsRepository } from '../../src/events/event-lists.repository';
import { PhotosRepository } from '../../src/movies/photos.repository';
import { ReviewsRepository } from '../../src/movies/reviews.repository';
import { NotesRepository } from '../../src/notes/notes.repository';
import { RepliesRepository } from '../../src/notes/replies.repository';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const below = (limit: number): number => randomInteger() % limit;
const PAGE = { start: 0, count: 1000 };
const CHECK = { repair: false };

interface Records {
  readonly users: readonly number[];
  readonly books: readonly number[];
  readonly notes: readonly number[];
}
let records: Records;

beforeAll(async () => {
  const make = new Factories(opened.database);
  const users = [];
  for (let n = 0; n < 4; n += 1) users.push((await make.aUser()).id);
  const [author, friend, guest] = users as [number, number, number];
  await make.friends(author, friend);
  const books = await make.books(3);
  for (const user of users) {
    for (const book of books) await make.annotations(user, book, 8);
    const { id: city } = await make.aCity();
    await make.events(user, city, 8, (at) => ({ privacy: at % 2 === 0 ? 'public' : 'private' }));
  }
  const notes = [];
  for (let n = 0; n < 12; n += 1) {
    const privacy = ['public', 'friend', 'private'][n % 3];
    const { id } = await make.aNote({ author_id: author, privacy });
    notes.push(id);
    for (const user of users) await make.aReply(id, { author_id: user });
  }
  const { source } = opened;
  await source.query(`INSERT INTO event_invitations (event_id, user_id)
    SELECT id, ${guest} FROM events WHERE id % 4 = 0`);
  await source.query(`INSERT INTO subjects (id, title) VALUES (1, 'Film'), (2, 'Film')`);
  await source.query(`INSERT INTO celebrities (id, name) VALUES (1, 'Person')`);
  for (const [table, column] of [
    ['movie_comments', 'content'],
    ['movie_reviews', 'title'],
    ['photos', 'description'],
  ]) {
    await source.query(`INSERT INTO ${table} (subject_id, user_id, ${column})
      SELECT 1, ${author}, 'text' FROM generate_series(1, 30)`);
  }
  await source.query(`INSERT INTO photos (celebrity_id) SELECT 1 FROM generate_series(1, 5)`);
  records = { users, books, notes };
});

/** Statements that change which lists have a row, and for whom. */
const WRITES = [
  () => `UPDATE annotations SET private = NOT private WHERE id % 7 = ${below(7)}`,
  () => `UPDATE annotations SET hidden = NOT hidden WHERE id % 5 = ${below(5)}`,
  () => `UPDATE annotations SET book_id = ${records.books[below(3)]} WHERE id % 9 = ${below(9)}`,
  () => `DELETE FROM annotations WHERE id % 40 = ${below(40)}`,
  () => `INSERT INTO annotations (user_id, book_id, content, page_no)
    VALUES (${records.users[below(4)]}, ${records.books[below(3)]}, 'text', ${below(3)})`,
  () =>
    `UPDATE notes SET privacy = (ARRAY['public', 'friend', 'private'])[1 + ${below(3)}], hidden = NOT hidden
     WHERE id = ${records.notes[below(12)]}`,
  () => `INSERT INTO note_replies (note_id, user_id, content, hidden)
    VALUES (${records.notes[below(12)]}, ${records.users[below(4)]}, 'text', ${below(2) === 0})`,
  () => `UPDATE note_replies SET hidden = NOT hidden WHERE id % 6 = ${below(6)}`,
  () => `UPDATE events SET private = NOT private WHERE id % 5 = ${below(5)}`,
  () => `UPDATE events SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id % 6 = ${below(6)}`,
  () => `UPDATE movie_comments SET subject_id = 1 + ${below(2)} WHERE id % 3 = ${below(3)}`,
  () => `UPDATE movie_reviews SET subject_id = 1 + ${below(2)} WHERE id % 3 = ${below(3)}`,
  () => `DELETE FROM photos WHERE id = ${1 + below(40)}`,
];

/** Runs writes of all kinds at once; each is a transaction, so that rows of the counts are locked. */
async function writeAtOnce(): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) {
      const write = WRITES[below(WRITES.length)] as () => string;
      await opened.database
        .query({ name: '', text: write() })
        // Statements of a test in random order can wait for each other's rows.
        .catch((error: unknown) => {
          if (!isTransactionConflict((error as Error).cause)) throw error;
        });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

it('the totals of lists are exact for every viewer after concurrent writes', async () => {
  await writeAtOnce();
  const { database } = opened;
  expect(await checkListCounts(database, CHECK)).toEqual([]);
  const annotations = new AnnotationsRepository(database);
  const [notes, replies] = [new NotesRepository(database), new RepliesRepository(database)];
  const events = new EventListsRepository(database);
  const [reviews, photos] = [new ReviewsRepository(database), new PhotosRepository(database)];
  const pages = [];
  for (const book of records.books) {
    for (const order of ['collect', 'rank', 'page'] as const) {
      const input = { order, format: 'text' } as const;
      pages.push(await annotations.listBookAnnotations(book, input, PAGE));
      for (const page of [0, 1])
        pages.push(await annotations.listBookAnnotations(book, { ...input, page }, PAGE));
    }
  }
  for (const viewer of records.users) {
    for (const user of records.users) {
      pages.push(await annotations.listUserAnnotations(user, viewer, PAGE));
      pages.push(await annotations.listUserAnnotations(user, undefined, PAGE));
      pages.push(await notes.listUserNotes(user, viewer, PAGE));
      pages.push(await events.createdBy(user, viewer, PAGE));
      pages.push(await events.createdBy(user, undefined, PAGE));
    }
    for (const note of records.notes) pages.push(await replies.listReplies(note, viewer, PAGE));
  }
  for (const film of [1, 2]) {
    pages.push(await reviews.listSubjectReviews(film, PAGE), await reviews.commentsOn(film, PAGE));
    pages.push(await photos.of('subject', film, PAGE));
  }
  pages.push(await photos.of('celebrity', 1, PAGE));
  const totals = pages.map((page) => page?.total);
  expect(totals).toEqual(pages.map((page) => page?.items.length));
  expect(totals.filter((total) => total).length).toBeGreaterThan(50);
});

it('recount repairs the numbers of elements of lists', async () => {
  const { database, source } = opened;
  const [user] = records.users;
  await source.query(
    'UPDATE list_counts SET elements = elements + 2 WHERE record_id = $1 AND list = 2',
    [user],
  );
  const drift = [{ record_id: user, what: 'userAnnotations' }];
  await source.query('TRUNCATE content_changes');
  expect(await checkListCounts(database, { repair: true })).toMatchObject(drift);
  expect(await checkListCounts(database, CHECK)).toEqual([]);
  // Responses in memory have the former numbers.
  expect(await source.query('SELECT keys FROM content_changes')).toEqual([
    { keys: ['texts', 'movies'] },
  ]);
});

it('the counts of deleted users, books and films are 0', async () => {
  const { database, source } = opened;
  for (const table of ['users', 'books', 'subjects', 'celebrities'])
    await source.query(`DELETE FROM ${table}`);
  expect(await checkListCounts(database, CHECK)).toEqual([]);
});

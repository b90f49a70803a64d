import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';

/** A word in every text that a page must not show. */
const SECRET = 'Unsichtbar';
/** A word in every text that pages show. */
const SHOWN = 'Wahrnehmbar';

let harness: Harness;
/** Pages that lists the hidden content would appear on. */
let lists: readonly string[];
/** Pages of the hidden content itself. */
let hidden: readonly (readonly [what: string, path: string, status?: number])[];

const sql = (text: string, values: readonly unknown[]): Promise<unknown> =>
  harness.source.query(text, [...values]);

const REVIEW = `INSERT INTO reviews (user_id, book_id, title, content, hidden)
  VALUES ($1, $2, $3, $4, $5) RETURNING id::int AS id`;

beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  const films = new MovieFactories(harness.database);
  const { id: user, uid } = await make.aUser({ name: 'Author' });
  const book = await make.aBook({ title: `Book ${SHOWN}` });
  const film = await films.aSubject({ title: `Film ${SHOWN}` });
  const person = await films.aCelebrity({ name: `Person ${SHOWN}` });
  await films.credits(person, [film], () => ({ roles: ['演员'] }));
  const of = (text: string, more: object = {}) => ({
    author_id: user,
    book_id: book,
    content: `${text} ${text}`,
    chapter: text,
    ...more,
  });
  await make.anAnnotation(of(SHOWN));
  const privateAnnotation = await make.anAnnotation(of(SECRET, { privacy: 1 }));
  const hiddenAnnotation = await make.anAnnotation(of(SECRET));
  await sql('UPDATE annotations SET hidden = true WHERE id = $1', [hiddenAnnotation.id]);

  const privateBook = await make.aBook({ title: `Shelf ${SECRET}1` });
  const hiddenBook = await make.aBook({ title: `Shelf ${SECRET}2` });
  const privateOne = await make.aCollection({ user_id: user, book_id: privateBook });
  const hiddenOne = await make.aCollection({ user_id: user, book_id: hiddenBook });
  await sql('UPDATE collections SET private = true WHERE id = $1', [privateOne.id]);
  await sql('UPDATE collections SET hidden = true WHERE id = $1', [hiddenOne.id]);

  await sql(REVIEW, [user, book, SHOWN, `${SHOWN} `.repeat(20), false]);
  const reviews = (await sql(REVIEW, [user, book, SECRET, `${SECRET} `.repeat(20), true])) as {
    id: number;
  }[];

  const note = (text: string, more: object = {}) => ({
    author_id: user,
    title: text,
    content: text,
    ...more,
  });
  const publicNote = await make.aNote(note(SHOWN));
  const privateNote = await make.aNote(note(SECRET, { privacy: 'private' }));
  const friendNote = await make.aNote(note(SECRET, { privacy: 'friend' }));
  const hiddenNote = await make.aNote(note(SECRET));
  await sql('UPDATE notes SET hidden = true WHERE id = $1', [hiddenNote.id]);
  const reply = await make.aReply(publicNote.id, { author_id: user, content: SECRET });
  await sql('UPDATE note_replies SET hidden = true WHERE id = $1', [reply]);

  const city = await make.aCity({ uid: 'here' });
  const event = (text: string, more: object = {}) => ({
    owner_id: user,
    loc_id: city.id,
    title: text,
    content: text,
    ...more,
  });
  await make.anEvent(event(SHOWN));
  const privateEvent = await make.anEvent(event(SECRET));
  const deletedEvent = await make.anEvent(event(SECRET));
  await sql('UPDATE events SET private = true WHERE id = $1', [privateEvent.id]);
  await sql('UPDATE events SET deleted_at = now() WHERE id = $1', [deletedEvent.id]);

  const deletedPrivateEvent = await make.anEvent(event(SECRET));
  await sql('UPDATE events SET private = true, deleted_at = now() WHERE id = $1', [
    deletedPrivateEvent.id,
  ]);
  const deletedBook = await make.aBook({ title: `Book ${SECRET}` });
  await sql('UPDATE books SET placeholder = true, deleted_at = now() WHERE id = $1', [deletedBook]);
  await sql('DELETE FROM book_search WHERE book_id = $1', [deletedBook]);

  const deletedFilm = await films.aSubject({ title: `Film ${SECRET}`, summary: SECRET });
  await sql('UPDATE subjects SET deleted_at = now() WHERE id = $1', [deletedFilm]);
  // As the soft deletion of films does.
  await sql('DELETE FROM subject_search WHERE subject_id = $1', [deletedFilm]);
  const deletedPerson = await films.aCelebrity({ name: `Person ${SECRET}` });
  await sql('UPDATE celebrities SET deleted_at = now() WHERE id = $1', [deletedPerson]);
  // The shelf is the secret: the books are not, but would be found by the same word.
  await sql('DELETE FROM book_search WHERE book_id = ANY($1)', [[privateBook, hiddenBook]]);
  await sql('UPDATE books SET placeholder = true WHERE id = ANY($1)', [[privateBook, hiddenBook]]);

  hidden = [
    ['a private annotation', `/book/annotation/${privateAnnotation.id}/`],
    ['a hidden annotation', `/book/annotation/${hiddenAnnotation.id}/`],
    ['a hidden review', `/review/${reviews[0]?.id}/`],
    ['a hidden review', `/book/review/${reviews[0]?.id}/`],
    ['a private note', `/note/${privateNote.id}/`],
    ['a note for friends', `/note/${friendNote.id}/`],
    ['a hidden note', `/note/${hiddenNote.id}/`],
    ['a chart of a day that does not exist', '/movie/chart/us_box?date=2026-02-30'],
    ['a chart of the year 0', '/movie/chart/top250?date=0000-01-01'],
    ['a private event', `/event/${privateEvent.id}/`],
    ['a deleted event', `/event/${deletedEvent.id}/`, 410],
    ['a placeholder of a book', `/book/${privateBook}/`],
    ['a deleted film', `/movie/subject/${deletedFilm}/`, 410],
    ['reviews of a deleted film', `/movie/subject/${deletedFilm}/reviews/`, 410],
    ['a deleted person', `/movie/celebrity/${deletedPerson}/`, 410],
    ['a deleted book', `/book/${deletedBook}/`, 410],
    ['a private event that was deleted', `/event/${deletedPrivateEvent.id}/`],
    ['a book that never existed', '/book/99999999/'],
  ];
  const views = ['shelf', 'reviews', 'annotations', 'notes', 'events'];
  lists = [
    ...[
      '/',
      '/book/',
      '/movie/',
      '/event/list',
      '/event/list?loc=here',
      `/search?q=${SECRET.toLowerCase()}`,
    ],
    ...[`/book/${book}/`, `/book/${book}/reviews/`, `/book/${book}/annotations/`],
    ...[`/note/${publicNote.id}/`, `/movie/celebrity/${person}/`, `/people/${uid}/`],
    ...views.map((view) => `/people/${uid}/?view=${view}`),
    ...[`/people/${uid}/notes.atom`, `/book/${book}/reviews.atom`, '/event/city/here/events.atom'],
  ];
});
afterAll(() => harness.close());

const open = (path: string) => harness.call(path, { headers: { accept: 'text/html' } });

it('lists, feeds and searches omit private, hidden and deleted content', async () => {
  const shown: string[] = [];
  for (const path of lists) {
    const { status, text } = await open(path);
    expect([path, status]).toEqual([path, 200]);
    const at = text.indexOf(SECRET);
    if (at >= 0) shown.push(`${path}: ${text.slice(at - 80, at + 40)}`);
  }
  expect(shown).toEqual([]);
});

it('the same lists show public content', async () => {
  const silent: string[] = [];
  for (const path of lists) {
    if (path.startsWith('/search') || path.endsWith('view=shelf')) continue;
    if (!(await open(path)).text.includes(SHOWN)) silent.push(path);
  }
  expect(silent).toEqual([]);
});

it('private, hidden and unknown content is 404, and deleted public content 410 (D161)', async () => {
  const found: unknown[] = [];
  for (const [what, path, expected = 404] of hidden) {
    const { status, text, headers } = await open(path);
    const type = headers.get('content-type');
    if (status !== expected || text.includes(SECRET) || type !== 'text/html; charset=utf-8') {
      found.push([what, path, status]);
    }
  }
  expect(found).toEqual([]);
});

it('site maps omit private, hidden and deleted content', async () => {
  const maps: string[] = [];
  for (const kind of ['books', 'movies', 'celebrities', 'events', 'notes', 'people']) {
    maps.push((await harness.call(`/sitemap/${kind}/0.xml`)).text);
  }
  const listed = hidden.filter(([, path]) => maps.some((map) => map.includes(`${path}<`)));
  expect(listed).toEqual([]);
});

import { type Client } from 'pg';
import { COMMON_PUBLISHER, COMMON_TAG } from '../../../src/import-export/synthetic/synthetic';
import { FIRST, largeCollection, largeList, type Catalogue } from './catalogue';

/** Requests of one kind, whose mean cost is compared between sizes. */
export interface ScaleCase {
  readonly name: string;
  readonly paths: readonly string[];
  /** Elements that the request skips; its cost may grow with them. */
  readonly skipped?: number;
}

/** Requests of a case. */
const SAMPLES = 10;
const q = encodeURIComponent;

/** Every read of the specification: of typical records, and of lists that grow with the books. */
export async function casesFor(client: Client, catalogue: Catalogue): Promise<ScaleCase[]> {
  const { books, users, films, celebrities, events, notes } = catalogue;
  const titles = async (table: string, many: number): Promise<string[]> => {
    const ids = Array.from({ length: SAMPLES }, (_, n) => FIRST + Math.floor((many * n) / SAMPLES));
    const text = `SELECT title FROM ${table} WHERE id = ANY($1::bigint[]) ORDER BY id`;
    return (await client.query<{ title: string }>(text, [ids])).rows.map(({ title }) => title);
  };
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM notes WHERE privacy = 'public' AND id > ${FIRST} ORDER BY md5(id::text) LIMIT ${SAMPLES}`,
  );
  const publicNotes = rows.map(({ id }) => id);
  const of = (name: string, many: number, path: (n: number) => string): ScaleCase => ({
    name,
    // Not the first, which has the large lists.
    paths: Array.from({ length: SAMPLES }, (_, n) =>
      path(1 + Math.floor(((many - 1) * n) / SAMPLES)),
    ),
  });
  const one = (name: string, path: string): ScaleCase => ({ name, paths: [path] });
  const deep = (name: string, path: string, list: number): ScaleCase => {
    const start = Math.floor(list * 0.9);
    return { name, paths: [`${path}start=${start}`], skipped: start };
  };
  const collections = '/v2/book/user/scale0/collections';
  const first = `/v2/book/${FIRST}`;
  const film = `/v2/movie/subject/${FIRST}`;
  return [
    of('book', books, (n) => `/v2/book/${FIRST + n}`),
    of('book by ISBN', books, (n) => `/v2/book/isbn/9780${String(n).padStart(9, '0')}`),
    of('tags of a book', books, (n) => `/v2/book/${FIRST + n}/tags`),
    of('annotations of a book', books, (n) => `/v2/book/${FIRST + n}/annotations`),
    ...['collect', 'rank', 'page'].map((order) =>
      one(`annotations, large, by ${order}`, `${first}/annotations?order=${order}`),
    ),
    one('annotations, large, a page', `${first}/annotations?page=77`),
    of('annotation', catalogue.annotations, (n) => `/v2/book/annotation/${n}`),
    of(
      'collection of a book',
      users,
      (n) => `/v2/book/${FIRST + n}/collection?user_id=${FIRST + n}`,
    ),
    of('books of a series', books / 10, (n) => `/v2/book/series/${FIRST + n}/books`),
    {
      name: 'book search, a title',
      paths: (await titles('books', books)).map((title) => `/v2/book/search?q=${q(title)}`),
    },
    one('book search, common words', `/v2/book/search?q=${q(COMMON_PUBLISHER)}`),
    one('book search, a common tag', `/v2/book/search?tag=${q(COMMON_TAG)}`),
    one('book search, words and tag', `/v2/book/search?q=${q('社')}&tag=${q(COMMON_TAG)}`),
    one(
      'book search, words, a rarer tag',
      `/v2/book/search?q=${q(COMMON_PUBLISHER)}&tag=${q('标签7')}`,
    ),
    of('collections of a user', users, (n) => `/v2/book/user/scale${n}/collections`),
    of(
      'collections, by time',
      users,
      (n) => `/v2/book/user/scale${n}/collections?from=2020-01-01T00:00:00%2B08:00`,
    ),
    one('collections, large', collections),
    one('collections, large, a status', `${collections}?status=read`),
    one('collections, large, a rating', `${collections}?rating=5`),
    one('collections, large, a tag', `${collections}?tag=${q('标签7')}`),
    one('collections, large, all three', `${collections}?tag=${q('标签7')}&status=read&rating=5`),
    one('collections, large, by time', `${collections}?from=2020-01-01T00:00:00%2B08:00`),
    deep('collections, large, deep', `${collections}?`, largeCollection(catalogue)),
    of('tags of a user', users, (n) => `/v2/book/user/scale${n}/tags`),
    one('tags of a user, large', '/v2/book/user/scale0/tags'),
    of('annotations of a user', users, (n) => `/v2/book/user/scale${n}/annotations`),
    one('annotations of a user, large', '/v2/book/user/scale0/annotations'),
    of('film', films, (n) => `/v2/movie/subject/${FIRST + n}`),
    ...['comments', 'reviews', 'photos'].flatMap((list) => [
      of(`${list} of a film`, films, (n) => `/v2/movie/subject/${FIRST + n}/${list}`),
      one(`${list} of a film, large`, `${film}/${list}`),
    ]),
    deep('comments of a film, deep', `${film}/comments?`, largeList(catalogue)),
    of('celebrity', celebrities, (n) => `/v2/movie/celebrity/${FIRST + n}`),
    of('works of a celebrity', celebrities, (n) => `/v2/movie/celebrity/${FIRST + n}/works`),
    {
      name: 'film search, a title',
      paths: (await titles('subjects', films)).map((title) => `/v2/movie/search?q=${q(title)}`),
    },
    one('film search, a tag', `/v2/movie/search?tag=${q('标签7')}`),
    ...['top250', 'in_theaters', 'coming_soon', 'weekly', 'us_box', 'new_movies'].map((chart) =>
      one(chart, `/v2/movie/${chart}${chart === 'in_theaters' ? `?city=${FIRST}` : ''}`),
    ),
    of('event', events, (n) => `/v2/event/${FIRST + 50 * Math.floor(n / 50) + 1}`),
    of(
      'participants',
      events,
      (n) => `/v2/event/${FIRST + 50 * Math.floor(n / 50) + 1}/participants`,
    ),
    one('participants, large', `/v2/event/${FIRST}/participants`),
    deep('participants, deep', `/v2/event/${FIRST}/participants?`, largeList(catalogue)),
    one('events of all cities', '/v2/event/list'),
    one('events of a type', '/v2/event/list?type=music'),
    one('events of a week', '/v2/event/list?day_type=week'),
    one('events of a weekend, a type', '/v2/event/list?day_type=weekend&type=music'),
    one('events of a city', `/v2/event/list?loc=${FIRST + 3}`),
    one('events of a city, a type', `/v2/event/list?loc=${FIRST + 3}&type=music`),
    one('events of a city, a week', `/v2/event/list?loc=${FIRST + 3}&day_type=week`),
    one('events near a point', '/v2/event/list?near=31.2,121.5'),
    deep('events of all cities, deep', '/v2/event/list?', events / 2),
    of('events of an owner', users, (n) => `/v2/event/user_created/${FIRST + n}`),
    one('events of an owner, large', `/v2/event/user_created/${FIRST}`),
    of('events of a participant', users, (n) => `/v2/event/user_participated/${FIRST + n}`),
    one('events of a participant, large', `/v2/event/user_participated/${FIRST}`),
    ...['ongoing', 'expired'].map((status) =>
      one(
        `events of a participant, ${status}, large`,
        `/v2/event/user_participated/${FIRST}?status=${status}`,
      ),
    ),
    of('note', notes, (n) => `/v2/note/${publicNotes[n % publicNotes.length]}`),
    of('notes of a user', users, (n) => `/v2/note/user_created/${FIRST + n}`),
    one('notes of a user, large', `/v2/note/user_created/${FIRST}`),
    of(
      'events of a participant, ongoing',
      users,
      (n) => `/v2/event/user_participated/${FIRST + n}?status=ongoing`,
    ),
    of('notes that a user likes', users, (n) => `/v2/note/user_liked/${FIRST + n}`),
    one('notes that a user likes, large', `/v2/note/user_liked/${FIRST}`),
    of('replies', notes, (n) => `/v2/note/${publicNotes[n % publicNotes.length]}/comments`),
    one('replies, large', `/v2/note/${FIRST}/comments`),
    one('cities', '/v2/loc/list'),
  ];
}

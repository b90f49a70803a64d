import { get } from 'node:http';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { atScale } from '../figures';
import { Target } from './target';

/** Texts without words, which take long to parse: the beginning of a text does not tell its end. */
const QUOTES = '<原文开始></原文结束>'.repeat(Math.floor(MAX_CONTENT / 13));

/** A note whose pictures repeat a long caption: the longest form that is stored. */
const CAPTIONS = `[img=1:C]${'c '.repeat(500)}[/img]`.repeat(195);

/** About the longest title that an import accepts, with a match at every other character. */
const TITLE = 'b '.repeat(495_000);
const BOOKS = 2;

/** Clients that read a page at once, and requests of each. */
const READERS = 20;
const REQUESTS = atScale(5, 1);

/** Maximum size of a page in bytes. */
const MAX_PAGE = 8_000_000;

let target: Target;
let book: number;
let titled: number;
let uid: string;
let text: string;
beforeAll(async () => {
  target = await Target.start();
  const { make, opened } = target;
  const user = await make.aUser();
  ({ uid } = user);
  book = await make.aBook();
  // As rows: nobody has to wait for these requests.
  const { source } = opened;
  await source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content, photos, last_photo)
     SELECT $1, $2, '', n, $3, '{}', 0 FROM generate_series(1, 20) n`,
    [user.id, book, QUOTES],
  );
  await source.query(
    `INSERT INTO reviews (user_id, book_id, title, content)
     SELECT $1, $2, 'A review', $3 FROM generate_series(1, 30) n`,
    [user.id, book, QUOTES],
  );
  await source.query(
    `INSERT INTO notes (user_id, title, content, privacy, photos)
     SELECT $1, 'A note', $2, 'public', '{"1": "/pictures/x.jpg"}' FROM generate_series(1, 30) n`,
    [user.id, CAPTIONS],
  );
  const [one] = await source.query<{ id: string }[]>('SELECT max(id)::text AS id FROM annotations');
  text = one?.id ?? '';
  const long = TITLE.slice(0, 2 * MAX_CONTENT);
  const texts = { summary: long, catalog: long, author_intro: long };
  const author = Array<string>(5000).fill('三'.repeat(100));
  titled = (await make.books(BOOKS, () => ({ title: TITLE, author, ...texts })))[0] ?? 0;
});
afterAll(() => target.close());

/** A page, on a connection of its own. @returns the status and the size in bytes */
const read = (path: string): Promise<{ status: number | undefined; bytes: number }> =>
  new Promise((resolve, reject) => {
    get(target.origin + path, { agent: false }, (response) => {
      let bytes = 0;
      response
        .on('data', (piece: Buffer) => (bytes += piece.length))
        .on('end', () => resolve({ status: response.statusCode, bytes }))
        .on('error', reject);
    }).on('error', reject);
  });

/** Reads a page with many clients; each request has an address of its own, which no cache has. */
async function attack(path: string): Promise<void> {
  const separator = path.includes('?') ? '&' : '?';
  const responses = await target.attack(path.replace(/\d{5,}/, 'N'), () =>
    Promise.all(
      Array.from({ length: READERS }, async (_, reader) => {
        const seen = [];
        for (let at = 0; at < REQUESTS; at += 1) {
          seen.push(await read(`${path}${separator}z=${reader}-${at}`));
        }
        return seen;
      }),
    ),
  );
  for (const { status, bytes } of responses.flat()) {
    expect(status).toBe(200);
    expect(bytes).toBeLessThanOrEqual(MAX_PAGE);
  }
}

it.each([
  ['annotations of a book', () => `/book/${book}/annotations`],
  ['a book', () => `/book/${book}/`],
  ['reviews of a book', () => `/book/${book}/reviews`],
  ['reviews of a book as a feed', () => `/book/${book}/reviews.atom`],
  ['annotations of a user', () => `/people/${uid}/?view=annotations`],
  ['notes of a user', () => `/people/${uid}/?view=notes`],
  ['notes of a user as a feed', () => `/people/${uid}/notes.atom`],
  ['a user', () => `/people/${uid}/`],
  ['the front page', () => '/'],
  ['an annotation', () => `/book/annotation/${text}/`],
])('200: other requests are served while many clients read %s', (_, path) => attack(path()));

it.each([
  ['a search for books', () => '/search?q=b&kind=book'],
  ['a search for everything', () => '/search?q=b'],
  ['the page of a book', () => `/book/${titled}/`],
  ['the newest books', () => '/book/'],
])('200: %s is at most 8 MB with titles of the maximum length', (_, path) => attack(path()));

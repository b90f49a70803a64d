import { OwnNumbers1764374700000 } from '../../../migrations/1764374700000-own-numbers';
import { person, photo, reviewOf, simpleSubject } from './movies-records';
import { note, reply } from './notes-records';
import { annotation, book, collection, review } from './records';
import { type Wire } from './transfer';
import { filesOf, FullTransfer } from './full';

/** The largest number that JSON carries exactly. */
const LAST = Number.MAX_SAFE_INTEGER;

let first: FullTransfer;
let second: FullTransfer;
beforeAll(async () => {
  first = await FullTransfer.open();
  second = await FullTransfer.open();
});
beforeEach(async () => {
  const tables = 'users, books, series, subjects, celebrities, cities';
  for (const full of [first, second]) {
    await full.query(`TRUNCATE ${tables} RESTART IDENTITY CASCADE`);
  }
});
afterAll(async () => {
  await first.close();
  await second.close();
});

const user = (id: number): Wire => ({ id: String(id), uid: `u${id}`, name: 'n' });
const loc = (id: number): Wire => ({ id: String(id), uid: `c${id}`, name: 'n' });
const event = (id: number, more: Wire = {}): Wire => ({
  id: String(id),
  title: 't',
  loc_id: '5',
  begin_time: '2014-02-01 10:00:00',
  end_time: '2014-02-02 10:00:00',
  ...more,
});

/** Kinds of records with the largest id, and the tables that they bring it into. */
const BROUGHT: readonly (readonly [string, Wire, readonly string[]])[] = [
  ['user', user(LAST), ['users']],
  [
    'book',
    book(LAST, { title: 't', series: { id: String(LAST), title: 's' } }),
    ['books', 'series'],
  ],
  [
    'collection',
    collection(LAST, LAST, LAST, { status: 'wish' }),
    ['collections', 'users', 'books'],
  ],
  ['annotation', annotation(LAST, LAST, LAST, {}), ['annotations', 'users', 'books']],
  ['review', review(LAST, LAST, LAST, {}), ['reviews', 'users', 'books']],
  ['loc', loc(LAST), ['cities']],
  [
    'event',
    event(LAST, { loc_id: String(LAST), owner: user(LAST) }),
    ['events', 'cities', 'users'],
  ],
  ['note', note(LAST, { author_id: String(LAST) }), ['notes', 'users']],
  ['note-reply', reply(LAST, LAST, 'c', LAST), ['note_replies', 'notes', 'users']],
  [
    'movie',
    simpleSubject(LAST, 't', { casts: [person(LAST, 'n')], photos: [photo(LAST)] }),
    ['subjects', 'celebrities', 'photos'],
  ],
  ['celebrity', person(LAST, 'n'), ['celebrities']],
  ['movie-review', reviewOf(LAST, LAST), ['movie_reviews', 'subjects']],
];

/** The next number that a table gives, whether it is taken, and how many rows have a large one. */
async function nextOf(table: string): Promise<{ next: number; taken: boolean; large: number }> {
  const [row] = await first.query<{ next: string; taken: boolean; large: number }>(
    `SELECT n.next, EXISTS (SELECT 1 FROM ${table} WHERE id = n.next) AS taken,
       (SELECT count(*)::int FROM ${table} WHERE id = ${LAST}) AS large
     FROM (SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS next) n`,
  );
  return { next: Number(row?.next), taken: row?.taken ?? true, large: row?.large ?? 0 };
}

it.each(BROUGHT)(
  'import of %s with the largest id leaves the sequence usable',
  async (kind, record, tables) => {
    await first.transfer.take(kind, [record]);
    for (const table of tables) {
      const { next, taken, large } = await nextOf(table);
      expect([table, next < 100, taken, large]).toEqual([table, true, false, 1]);
    }
  },
);

it('ids that the service assigns follow the largest ordinary id', async () => {
  await first.transfer.take('user', [user(LAST), user(2 ** 52), user(41), user(LAST - 1)]);
  expect(await nextOf('users')).toEqual({ next: 42, taken: false, large: 1 });
});

it('a full export with the largest ids is restored unchanged', async () => {
  for (const [kind, record] of BROUGHT) await first.transfer.take(kind, [record]);
  const folder = await first.export('large');
  await second.import(folder);
  expect(await filesOf(await second.export('again'))).toEqual(await filesOf(folder));
});

it('the migration resets a sequence that was advanced past all ids', async () => {
  const { source } = first.opened.database;
  const migration = new OwnNumbers1764374700000();
  await first.transfer.take('user', [user(41), user(LAST)]);
  const runner = source.createQueryRunner();
  try {
    await migration.down(runner);
    await first.query(`SELECT setval('users_id_seq', ${LAST})`);
    await migration.up(runner);
  } finally {
    await runner.release();
  }
  expect(await nextOf('users')).toEqual({ next: 42, taken: false, large: 1 });
  await first.query(`SELECT setval('users_id_seq', ${LAST})`);
  await expect(nextOf('users')).rejects.toThrow(/maximum value/);
});

import { statement } from '../../../src/database/database';
import { shareRecords } from '../../../src/import-export/engine/record-locks';
import { untilBlocked } from '../../until-blocked';
import { commentOf, useMergingServices, type MergingServices } from './merging-services';
import { collection, review } from './records';

let services: MergingServices;
useMergingServices((opened) => {
  services = opened;
});

/** Waits until an import waits for a transaction; an import that ends does not wait. */
const untilWaiting = (importing: Promise<unknown>): Promise<unknown> =>
  Promise.race([untilBlocked(services.second.opened.source), importing]);

const INSERT_REVIEW = statement(
  'test.insert_review',
  `INSERT INTO reviews (id, user_id, book_id, title, content) VALUES (31, 3, 2, 't', 'c')`,
);

it('a full import moves what another import stores about the book at the same time', async () => {
  await services.haveBooks([1, 2]);
  await services.merge(services.first, 'book', [[2, 1]]);
  const folder = await services.exportFirst();
  let importing: Promise<string[]> = Promise.resolve([]);
  await services.second.opened.database.transaction(async (executor) => {
    await shareRecords(executor, 'book');
    importing = services.carry(folder);
    // The import waits with its merge until the other one has stored what it has resolved.
    await untilWaiting(importing);
    await executor.query(INSERT_REVIEW);
  });
  expect(await importing).toEqual([]);
  expect(await services.ofTable('reviews', 'book_id')).toEqual(['31 of 1']);
});

it('a full import moves what a user writes about the book at the same time', async () => {
  await services.haveBooks([1, 2]);
  await services.haveFilms([1, 2]);
  const insert = { book: 'reviews', movie: 'movie_comments' };
  for (const kind of ['book', 'movie'] as const) {
    const runner = services.second.opened.source.createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      kind === 'book'
        ? INSERT_REVIEW.text
        : `INSERT INTO movie_comments (id, user_id, subject_id, content) VALUES (51, 3, 2, 'c')`,
    );
    await services.merge(services.first, kind, [[2, 1]]);
    const importing = services.carry();
    await untilWaiting(importing);
    await runner.commitTransaction();
    await runner.release();
    expect(await importing).toEqual([]);
    const column = kind === 'book' ? 'book_id' : 'subject_id';
    expect(await services.ofTable(insert[kind], column)).toEqual([
      kind === 'book' ? '31 of 1' : '51 of 1',
    ]);
  }
});

it('a full import checks many finished merges with a constant number of statements', async () => {
  const ids = Array.from({ length: 200 }, (_, at) => at + 1);
  await services.haveBooks(ids);
  await services.second.transfer.take('review', [review(31, 3, 150, {})]);
  await services.merge(
    services.first,
    'book',
    ids.slice(1).map((id) => [id, 1] as const),
  );
  const folder = await services.exportFirst();
  const statements: string[] = [];
  const { database } = services.second.opened;
  const run = database.transaction.bind(database);
  jest.spyOn(database, 'transaction').mockImplementation((work, options) =>
    run((executor) => {
      const query = executor.query.bind(executor);
      executor.query = (sql, values) => {
        const { name } = sql;
        if (name.startsWith('merges.')) statements.push(name);
        return query(sql, values);
      };
      return work(executor);
    }, options),
  );
  expect(await services.carry(folder)).toEqual([]);
  jest.restoreAllMocks();
  expect(await services.ofTable('reviews', 'book_id')).toEqual(['31 of 1']);
  expect(statements.filter((name) => name === 'merges.move_reviews')).toHaveLength(1);
  expect(statements.length).toBeLessThan(40);
});

it('full imports that merge the same records at the same time do not deadlock', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => at + 1);
  await services.haveBooks(ids);
  await services.haveFilms(ids);
  await services.second.transfer.take(
    'collection',
    ids.flatMap((id) => [collection(id, 3, id, {}), collection(100 + id, 4, id, {})]),
  );
  await services.second.transfer.take(
    'movie-comment',
    ids.map((id) => commentOf(id, id)),
  );
  for (const kind of ['book', 'movie'] as const)
    await services.merge(
      services.first,
      kind,
      ids.slice(0, 50).map((id) => [id, 51 + (id % 10)] as const),
    );
  const folder = await services.exportFirst();
  expect(await Promise.all([services.carry(folder), services.carry(folder)])).toEqual([[], []]);
  const owners = async (table: string, column: string) =>
    services.second.query(`SELECT DISTINCT ${column}::int AS id FROM ${table} ORDER BY 1`);
  const survivors = ids.slice(50).map((id) => ({ id }));
  expect(await owners('collections', 'book_id')).toEqual(survivors);
  expect(await owners('movie_comments', 'subject_id')).toEqual(survivors);
  expect(await services.second.query('SELECT count(*)::int AS n FROM collections')).toEqual([
    { n: 20 },
  ]);
  const [row] = await services.second.query<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(row?.deadlocks).toBe(0);
});

import { type Pool } from 'pg';
import { ADD_TAGS, LOCK, RATE } from '../../../src/books/book-counters';
import { OF_BOOK } from '../../../src/books/collections.repository';
import { statement, type Statement } from '../../../src/database/database';

const ADD = statement(
  'collections.add',
  `INSERT INTO collections (user_id, book_id, status, rating, comment, tags, private, hidden)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (user_id, book_id) DO NOTHING RETURNING id::float8 AS id`,
);

/** A new collection in a transaction with a statement for each change, without the service's checks. */
export async function collect(
  pool: Pool,
  userId: number,
  bookId: number,
  form: URLSearchParams,
): Promise<unknown[]> {
  const tags = (form.get('tags') ?? '').split(' ');
  const rating = Number(form.get('rating'));
  const client = await pool.connect();
  const run = async ({ name, text }: Statement, values: unknown[]): Promise<unknown[]> =>
    (await client.query<never>({ name, text, values })).rows;
  try {
    await client.query('BEGIN');
    await run(LOCK, [bookId]);
    await run(ADD, [userId, bookId, form.get('status'), rating, '', tags, false, false]);
    await run(RATE, [bookId, 1, rating]);
    await run(ADD_TAGS, [bookId, tags, tags]);
    const rows = await run(OF_BOOK, [bookId, userId, userId]);
    await client.query('COMMIT');
    return rows;
  } finally {
    client.release();
  }
}

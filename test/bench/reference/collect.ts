import { type Pool } from 'pg';
import { ADD_TAGS, LOCK, RATE } from '../../../src/books/book-counters';
import { ADD, OF_BOOK } from '../../../src/books/collections.repository';
import { type Statement } from '../../../src/database/database';

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

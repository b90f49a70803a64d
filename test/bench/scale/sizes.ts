import { type Client } from 'pg';
import { type Generated } from './generate';
import { type PlanCost } from './plans';

/** Figures of a catalogue. */
export interface SizeFigures {
  readonly books: number;
  readonly generated: readonly Generated[];
  readonly bytes: readonly TableBytes[];
  readonly wal: readonly WriteLog[];
  readonly plans: readonly PlanCost[];
}

/** Bytes of a row with its indexes and TOAST. */
export interface TableBytes {
  readonly table: string;
  readonly rows: number;
  readonly each: number;
}

/** Bytes of the write-ahead log of a write, and of its first one after a checkpoint. */
export interface WriteLog {
  readonly write: string;
  readonly bytes: number;
  readonly afterCheckpoint: number;
}

export async function bytesOf(client: Client): Promise<TableBytes[]> {
  const { rows } = await client.query<TableBytes>(
    `SELECT c.relname AS table, c.reltuples::float8 AS rows,
       (pg_total_relation_size(c.oid) / c.reltuples)::float8 AS each
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.reltuples >= 1000
     ORDER BY pg_total_relation_size(c.oid) DESC`,
  );
  return rows;
}

const WRITES: readonly (readonly [write: string, text: string])[] = [
  ['update of a collection', `UPDATE collections SET comment = comment || '.' WHERE id = $1`],
  [
    'new collection',
    `INSERT INTO collections (user_id, book_id, status, comment) SELECT c.user_id, b.id, 'wish', ''
     FROM (SELECT user_id FROM collections WHERE id = $1) c,
       LATERAL (SELECT id FROM books b WHERE NOT EXISTS (SELECT FROM collections o
         WHERE o.user_id = c.user_id AND o.book_id = b.id) ORDER BY id LIMIT 1) b`,
  ],
  [
    'update of a rating',
    `UPDATE books SET rating_count = rating_count + 1, rating_sum = rating_sum + 5 WHERE id = 100000000 + $1`,
  ],
];
const ROUNDS = 200;

/** Write-ahead log of statements without the rest of their requests; it changes nothing. */
export async function walOfWrites(client: Client): Promise<WriteLog[]> {
  const all: WriteLog[] = [];
  for (const [write, text] of WRITES) {
    await client.query('CHECKPOINT');
    const position = async (): Promise<string> => {
      const { rows } = await client.query<{ lsn: string }>(
        'SELECT pg_current_wal_insert_lsn() AS lsn',
      );
      return String(rows[0]?.lsn);
    };
    const run = async (): Promise<number> => {
      const before = await position();
      await client.query('BEGIN');
      for (let at = 1; at <= ROUNDS; at += 1) await client.query(text, [at * 17]);
      await client.query('ROLLBACK');
      const { rows } = await client.query<{ bytes: number }>(
        'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes',
        [before],
      );
      return (rows[0]?.bytes ?? 0) / ROUNDS;
    };
    // The first write of a page after a checkpoint logs the whole page.
    const afterCheckpoint = await run();
    all.push({ write, bytes: await run(), afterCheckpoint });
  }
  return all;
}

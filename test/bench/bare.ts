import { createServer, type IncomingMessage } from 'node:http';
import { Pool, type PoolClient } from 'pg';
import { BY_ID_FOR, BY_ISBN_FOR } from '../../src/books/books.repository';
import { ADD, OF_BOOK, OF_USER } from '../../src/books/collections.repository';
import { isbnForms } from '../../src/books/isbn';
import { BY_TAG, BY_WORDS } from '../../src/books/search.repository';
import { ADD_TAGS, LOCK, RATE } from '../../src/books/book-counters';
import { type Statement } from '../../src/database/database';
import { eventStatement } from './bare-events';
import { fold } from '../../src/text/fold';
import { searchQuery } from '../../src/text/terms';
import { answerToMovie } from './bare-movies';
import { ADVANCE_TOKEN } from './movie-cases';

/**
 * What the service is measured against: `node:http` and `pg`, one named statement a request, its
 * rows as JSON. The statements are the service's own; everything else is missing.
 */
const [, , url = '', port = '0', user = '0'] = process.argv;
const pool = new Pool({
  connectionString: url,
  max: 10,
  options: '-c TimeZone=Asia/Shanghai',
});

type Answer = readonly [Statement, unknown[]];

function answerTo(path: string, query: URLSearchParams): Answer {
  const parts = path.split('/');
  const start = Number(query.get('start') ?? 0);
  const count = Number(query.get('count') ?? 20);
  if (parts[2] === 'event') return eventStatement(path, query, Number(user));
  if (path === '/v2/book/search') {
    const tag = query.get('tag');
    if (tag !== null) return [BY_TAG, [count, start, Number(user), fold(tag)]];
    const words = searchQuery(query.get('q') ?? '');
    const { phrase, tsquery, patterns } = words ?? { phrase: '', tsquery: '', patterns: [] };
    return [BY_WORDS, [count, start, Number(user), phrase, tsquery, patterns]];
  }
  if (parts[3] === 'isbn') return [BY_ISBN_FOR, [isbnForms(parts[4] ?? ''), Number(user)]];
  if (parts[3] === 'user') {
    const id = Number((parts[4] ?? '').replace('synthetic', '')) + 200_000_000;
    return [OF_USER, [count, start, id, Number(user), null, null, null, null, null]];
  }
  return [BY_ID_FOR, [Number(parts[3]), Number(user)]];
}

type Rows = unknown[];

const run = (client: PoolClient, { name, text }: Statement, values: unknown[]): Promise<Rows> =>
  client.query<never>({ name, text, values }).then(({ rows }) => rows);

/** The service's transaction of a new collection. */
async function collect(request: IncomingMessage, bookId: number): Promise<Rows> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const form = new URLSearchParams(body);
  const userId = 200_000_000 + Number((request.headers.authorization ?? '').replace(/\D/g, ''));
  const tags = (form.get('tags') ?? '').split(' ');
  const rating = Number(form.get('rating'));
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await run(client, LOCK, [bookId]);
    await run(client, ADD, [userId, bookId, form.get('status'), rating, '', tags, false, false]);
    await run(client, RATE, [bookId, 1, rating]);
    await run(client, ADD_TAGS, [bookId, tags, tags]);
    const rows = await run(client, OF_BOOK, [bookId, userId, userId]);
    await client.query('COMMIT');
    return rows;
  } finally {
    client.release();
  }
}

async function answer(request: IncomingMessage): Promise<Rows> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare');
  if (request.method === 'POST') return collect(request, Number(pathname.split('/')[3]));
  const advance = request.headers.authorization === `Bearer ${ADVANCE_TOKEN}`;
  const [{ name, text }, values] = pathname.startsWith('/v2/movie/')
    ? answerToMovie(pathname, searchParams, advance ? 'full' : 'basic')
    : answerTo(pathname, searchParams);
  const { rows } = await pool.query<never>({ name, text, values });
  return rows;
}

createServer((request, response) => {
  answer(request).then(
    (rows) => {
      const body = JSON.stringify(rows);
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Content-Length', Buffer.byteLength(body));
      response.end(body);
    },
    () => {
      response.statusCode = 500;
      response.end();
    },
  );
}).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('bare server is up\n');
});

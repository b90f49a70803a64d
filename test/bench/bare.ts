import { createServer } from 'node:http';
import { Pool } from 'pg';
import { BY_ID_FOR, BY_ISBN_FOR } from '../../src/books/books.repository';
import { OF_USER } from '../../src/books/collections.repository';
import { isbnForms } from '../../src/books/isbn';
import { BY_TAG, BY_WORDS } from '../../src/books/search.repository';
import { type Statement } from '../../src/database/database';
import { fold } from '../../src/text/fold';
import { searchQuery } from '../../src/text/terms';

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

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare');
  const [{ name, text }, values] = answerTo(pathname, searchParams);
  pool.query({ name, text, values }).then(
    ({ rows }) => {
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

import { createServer, type IncomingMessage } from 'node:http';
import { Pool } from 'pg';
import { userOf } from '../tokens';
import { collect } from './collect';
import { queries, type Query } from './statements';

// `node:http` and `pg` by hand: one named statement a request, its rows as JSON. Access, limits, log
// and everything else that the service does is missing.
const { BENCH_DATABASE_URL: url, BENCH_VIEWER, PORT } = process.env;
const viewer = Number(BENCH_VIEWER);
const pool = new Pool({ connectionString: url, max: 10, options: '-c TimeZone=Asia/Shanghai' });

function queryOf(path: string, query: URLSearchParams): Query {
  const [, , area = '', one = '', two = '', three] = path.split('/');
  const page = { start: query.get('start'), count: query.get('count') };
  if (area === 'book') {
    return one === 'user' ? queries.collections(two, viewer, page) : queries.book(one, viewer);
  }
  if (area === 'event') {
    return two === 'participants'
      ? queries.participants(one, viewer, page)
      : queries.event(one, viewer);
  }
  if (one === 'top250') return queries.top250(page);
  return three === 'comments' ? queries.comments(two, page) : queries.film(two);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

async function rowsOf(request: IncomingMessage): Promise<unknown[]> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bare');
  if (request.method === 'POST') {
    const form = new URLSearchParams(await bodyOf(request));
    const user = userOf(request.headers.authorization ?? '');
    return collect(pool, user, Number(pathname.split('/')[3]), form);
  }
  const [{ name, text }, values] = queryOf(pathname, searchParams);
  return (await pool.query<never>({ name, text, values })).rows;
}

createServer((request, response) => {
  rowsOf(request).then(
    (rows) => {
      const body = JSON.stringify(rows);
      const found = request.method === 'POST' ? 201 : 200;
      response.statusCode = rows.length === 0 ? 404 : found;
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Content-Length', Buffer.byteLength(body));
      response.end(body);
    },
    () => {
      response.statusCode = 500;
      response.end();
    },
  );
}).listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write('ready\n');
});

import { createHash } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { collect } from './collect';
import { queries, type Query } from './statements';

// What one would write instead of the service: Fastify with its router, validation, log and error
// handling, `pg` by hand, and a token that is looked up once in ten seconds. Limits, scopes,
// moderation, the members of the contract and everything else is missing.
const { BENCH_DATABASE_URL: url, BENCH_VIEWER, PORT } = process.env;
const TOKEN_CACHE_MS = 10_000;
const TOKEN = `SELECT user_id::float8 AS "user" FROM access_tokens
  WHERE hash = $1 AND revoked_at IS NULL AND expires_at > now()`;

interface Get {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly start?: number; readonly count?: number };
}

const viewer = Number(BENCH_VIEWER);
const pool = new Pool({ connectionString: url, max: 10, options: '-c TimeZone=Asia/Shanghai' });
const tokens = new Map<string, { user: number; until: number }>();

async function userOfToken(token: string): Promise<number | undefined> {
  const cached = tokens.get(token);
  if (cached && cached.until > Date.now()) return cached.user;
  const hash = createHash('sha256').update(token.replace('Bearer ', '')).digest();
  const { rows } = await pool.query<{ user: number }>({
    name: 'token',
    text: TOKEN,
    values: [hash],
  });
  const [row] = rows;
  if (row) tokens.set(token, { user: row.user, until: Date.now() + TOKEN_CACHE_MS });
  return row?.user;
}

const app = fastify({ logger: true });
app.decorateRequest('user', 0);
app.addHook('onRequest', async (request, reply) => {
  const user = await userOfToken(request.headers.authorization ?? '');
  if (user === undefined) return reply.code(401).send({ code: 401, msg: 'unauthorized' });
  (request as FastifyRequest & { user: number }).user = user;
});

const whole = { type: 'integer', minimum: 0 };
const id = { type: 'object', properties: { id: { type: 'string', pattern: '^\\d+$' } } };
const name = { type: 'object', properties: { id: { type: 'string' } } };
const querystring = { type: 'object', properties: { start: whole, count: whole } };

function get(path: string, params: object, queryOf: (request: FastifyRequest<Get>) => Query): void {
  const schema = { params, querystring };
  app.get<Get>(path, { schema }, async (request, reply: FastifyReply) => {
    const [statement, values] = queryOf(request);
    const { rows } = await pool.query<never>({ ...statement, values });
    if (rows.length === 0) reply.code(404);
    return rows;
  });
}

get('/v2/book/:id', id, ({ params }) => queries.book(params.id, viewer));
get('/v2/book/user/:id/collections', name, ({ params, query }) =>
  queries.collections(params.id, viewer, query),
);
get('/v2/movie/subject/:id', id, ({ params }) => queries.film(params.id));
get('/v2/movie/subject/:id/comments', id, ({ params, query }) =>
  queries.comments(params.id, query),
);
get('/v2/movie/top250', {}, ({ query }) => queries.top250(query));
get('/v2/event/:id', id, ({ params }) => queries.event(params.id, viewer));
get('/v2/event/:id/participants', id, ({ params, query }) =>
  queries.participants(params.id, viewer, query),
);

app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  },
);
app.post<{ Params: Get['Params']; Body: URLSearchParams }>(
  '/v2/book/:id/collection',
  { schema: { params: id } },
  async (request, reply) => {
    const { user } = request as unknown as { user: number };
    reply.code(201);
    return collect(pool, user, Number(request.params.id), request.body);
  },
);

app.listen({ port: Number(PORT), host: '127.0.0.1' }).then(
  () => process.stdout.write('ready\n'),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);

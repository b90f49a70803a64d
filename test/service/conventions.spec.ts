import { createHash } from 'node:crypto';
import { BOOK_GETS } from '../contract/book-endpoints';
import { EVENT_GETS } from '../contract/event-endpoints';
import { MOVIE_GETS } from '../contract/movie-endpoints';
import { type Shape } from '../contract/shape';
import { type TestResponse } from '../http';
import { unique } from './client';
import { expectError, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, type Member } from './stage';

const FIFTY = 'aB_9'.repeat(12) + 'cd';
/** A unique word, so that a search is independent of other data. */
const word = unique();
const SEARCH = `/v2/book/search?q=${word}`;

const stage = new Stage();
const { service } = stage;
let member: Member;
let writer: Member;
beforeAll(async () => {
  [member, writer] = await stage.twoMembers();
  await stage.make('/books', { title: `Book ${word}` });
});
afterAll(() => stage.close());

const wrapped = ({ text, headers }: TestResponse, callback: string): unknown => {
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect([text.startsWith(`${callback}(`), text.endsWith(');')]).toEqual([true, true]);
  return JSON.parse(text.slice(callback.length + 1, -2)) as unknown;
};

describe('JSONP (section 1, D6)', () => {
  it.each(['f', '7_', FIFTY])('200: callback=%s wraps the response', async (callback) => {
    const plain = await member.get(SEARCH);
    expect(wrapped(await member.get(`${SEARCH}&callback=${callback}`), callback)).toEqual(
      plain.body,
    );
  });

  it('404: an error is wrapped, and keeps its status', async () => {
    const response = await member.get('/v2/book/0?callback=f');
    expect(response.status).toBe(404);
    expect(wrapped(response, 'f')).toEqual({
      msg: 'book_not_found',
      code: 6000,
      request: 'GET /v2/book/0',
    });
  });

  it.each([`${FIFTY}x`, 'a.b', 'a-b', 'alert(1)', 'f&callback=f'])(
    '400: callback=%s is rejected with plain JSON',
    async (callback) => {
      const response = await member.get(`${SEARCH}&callback=${callback}`);
      expectError(response, 400, 999);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});

describe('errors (section 7, D4, D5)', () => {
  it('400: other methods return 1014, and Allow lists the methods of the path', async () => {
    for (const [method, path, allowed] of [
      ['POST', '/v2/book/1', 'GET'],
      ['POST', '/v2/book/annotation/1', 'PUT'],
      ['PUT', '/v2/notes', 'POST'],
      ['DELETE', '/v2/movie/top250', 'GET'],
      ['PUT', '/v2/event/1/wishers', 'POST'],
    ] as const) {
      const response = await member.send(method, path);
      expectError(response, 400, 1014);
      expect(response.headers.get('allow')?.split(', ')).toContain(allowed);
    }
  });

  it.each(['/v2/nowhere', '/v2/book', '/v2/book/12a', '/v2/book/user/a%20b/tags', '/v3/book/1'])(
    '404: %s returns 1001',
    async (path) => {
      expectError(await member.get(path), 404, 1001);
    },
  );

  it('400: malformed bodies return 999', async () => {
    for (const [type, body] of [
      ['application/json', '{"status"'],
      ['text/plain', 'status=wish'],
      ['multipart/form-data; boundary=x', 'y'],
      ['application/x-www-form-urlencoded; charset=gbk', 'status=wish'],
    ] as const) {
      const headers = { 'content-type': type };
      const { token } = member;
      const path = '/v2/book/1/collection';
      expectError(await service.call(path, { method: 'PUT', token, headers, body }), 400, 999);
    }
  });

  it('400: an error has its detail in a header, and in the body of a problem (RFC 9457)', async () => {
    const path = '/v2/book/search?q=a&count=many';
    const plain = await member.get(path);
    expectError(plain, 400, 999);
    expect(plain.headers.get('x-error-detail')).toMatch(/^[\x20-\x7e]*count[\x20-\x7e]*$/);
    const { token } = member;
    const headers = { accept: 'application/problem+json' };
    const problem = await service.call(path, { token, headers });
    expect(problem.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(problem.body).toMatchObject({ ...plain.body, status: 400, title: expect.any(String) });
  });
});

describe('reads', () => {
  it('200: responses are JSON in UTF-8; HEAD returns no body', async () => {
    const { headers } = await member.get(SEARCH);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const head = await service.call(SEARCH, { method: 'HEAD', token: member.token });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('200: lists have at most 100 elements, and 20 by default (D3)', async () => {
    for (const query of ['start=&count=', 'count=0', 'count=100000', 'start=9007199254740991']) {
      const { status, body } = await member.get(`/v2/book/search?q=a&${query}`);
      expect([query, status]).toEqual([query, 200]);
      expect(body.count).toBe(body.books.length);
      expect(body.count).toBeLessThanOrEqual(query === 'count=100000' ? 100 : 20);
    }
  });

  it('200: reads of public scopes require no token (D12)', async () => {
    const open = [...EVENT_GETS, ...BOOK_GETS, ...MOVIE_GETS].filter(
      (row) => !('scope' in row) || /^(book|movie)_basic_r$/.test(row.scope),
    );
    const lists = open.filter(({ path }) => /\/(list|search|top250)$/.test(path));
    expect(lists).toHaveLength(5);
    for (const { path } of lists) {
      const { status } = await service.call(`${path}?q=a&count=1`);
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

describe('writes (D8)', () => {
  it('201: writes accept forms, multipart and JSON, and ignore unknown members', async () => {
    const note = { title: 'T', content: 'C', privacy: 'private', nobody: 'knows' };
    const parts = new FormData();
    for (const [name, value] of Object.entries(note)) parts.append(name, value);
    const json = { 'content-type': 'application/json' };
    const { token } = member;
    for (const sent of [
      { body: new URLSearchParams(note) },
      { body: parts },
      { body: JSON.stringify(note), headers: json },
    ]) {
      const { status, body } = await service.call('/v2/notes', { method: 'POST', token, ...sent });
      expect([status, body.privacy]).toEqual([201, 'private']);
      expect((await member.send('DELETE', `/v2/note/${body.id}`)).status).toBe(200);
    }
  });
});

describe('Idempotency-Key', () => {
  it('200: a write with an Idempotency-Key is executed once', async () => {
    const headers = { 'idempotency-key': unique() };
    const { token } = member;
    const send = (content: string) =>
      service.call('/v2/notes', {
        ...{ method: 'POST', token, headers },
        body: new URLSearchParams({ title: 'Once', content }),
      });
    const first = await send('x');
    expect(first.status).toBe(201);
    stage.atEnd(() => member.send('DELETE', `/v2/note/${first.body.id}`));
    expect((await send('x')).text).toBe(first.text);
    expectError(await send('y'), 422, 999);
    expect((await member.get(`/v2/note/user_created/${member.id}`)).body.total).toBe(1);
  });
});

describe('limits (section 8, D16)', () => {
  const COUNTERS: Shape = [
    {
      name: 'string',
      limit: 'integer',
      used: 'integer',
      remaining: 'integer',
      window: 'integer',
      reset: 'integer',
    },
  ];
  const pairsOf = ({ headers }: TestResponse): number[] =>
    ['Limit', 'Remaining', 'Limit2', 'Remaining2'].map((name) =>
      Number(headers.get(`X-RateLimit-${name}`)),
    );
  const valueOf = async (name: string): Promise<number> =>
    (await service.admin('GET', `/limits/${name}`)).body.value;

  it('200: every response has the limits of its caller, also without a token', async () => {
    const anonymous = await service.call(SEARCH);
    const [limit, left] = pairsOf(anonymous);
    expect(pairsOf(anonymous)).toEqual([limit, left, limit, left]);
    expect(limit).toBe(await valueOf('LIMIT_ANONYMOUS'));
    expect(anonymous.headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
    const response = await service.call('/v2/rate_limit');
    const [counter] = expectShape(response, 200, COUNTERS, ['limit', 'remaining']);
    expect(counter).toMatchObject({ name: 'address', limit, window: 3600 });
  });

  it('200: an API key, a user and an address have limits of their own (L1)', async () => {
    const client = await stage.application(member);
    const keyed = await service.call(`${SEARCH}&apikey=${client.clientId}`);
    expect(pairsOf(keyed).slice(0, 2)).toEqual([
      await valueOf('LIMIT_APIKEY'),
      (await valueOf('LIMIT_APIKEY')) - 1,
    ]);
    const by = await stage.member(member, client, ['book_basic_r']);
    const all = await valueOf('LIMIT_USER_L1');
    const [limit, left, ofAddress] = pairsOf(await by.get(SEARCH));
    expect([limit, left, ofAddress]).toEqual([all, all - 1, await valueOf('LIMIT_ADDRESS')]);
    // GET /v2/rate_limit is not counted.
    await by.get('/v2/rate_limit');
    expect(pairsOf(await by.get(SEARCH))[1]).toBe(all - 2);
  });

  it('429: a request beyond the limit is rejected (111) until the limit is raised', async () => {
    const client = await stage.application(member);
    const by = await stage.member(member, client, ['book_basic_r']);
    const at = `/applications/${client.clientId}/limit`;
    await service.admin('PUT', at, { per_hour: 2 });
    await service.until(async () => pairsOf(await by.get('/v2/rate_limit'))[0] === 2);
    for (const left of [1, 0]) expect(pairsOf(await by.get(SEARCH))[1]).toBe(left);
    const refused = await by.get(SEARCH);
    expectError(refused, 429, 111);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await service.admin('DELETE', at);
    await service.until(async () => (await by.get(SEARCH)).status === 200);
  });
});

describe('captcha (1007)', () => {
  // Rejected writes are counted, too. The book does not exist, so that nothing is written.
  const write = (more = '') => writer.send('DELETE', `/v2/book/0/collection?${more}`);
  const MAX = 1000;

  it('403: frequent writes require a captcha; a solution allows further writes', async () => {
    let refused: TestResponse | undefined;
    for (let count = 0; !refused && count < MAX; count += 20) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => write()));
      refused = responses.find(({ status }) => status === 403);
    }
    expectError(refused as TestResponse, 403, 1007);
    const response = await service.call('/v2/captcha', { token: writer.token });
    const challenge = expectShape(response, 200, {
      ...{ captcha_id: 'string', algorithm: 'string', challenge: 'string', maxnumber: 'integer' },
      ...{ salt: 'string', signature: 'string', expires_in: 'integer' },
    });
    const hashOf = (number: number): string =>
      createHash('sha256').update(`${challenge.salt}${number}`).digest('hex');
    let number = 0;
    while (hashOf(number) !== challenge.challenge && number < challenge.maxnumber) number += 1;
    const solved = `captcha_id=${challenge.captcha_id}&captcha_solution=`;
    expectError(await write(`${solved}${number + 1}`), 403, 1007);
    expectError(await write(`${solved}${number}`), 404, 6000);
    expectError(await write(), 404, 6000);
  });
});

describe('OpenAPI documents and pages', () => {
  it('200: the OpenAPI documents describe exactly the routes that these tests call', async () => {
    const paths: [string, object][] = [];
    for (const document of ['/v2/openapi.json', '/admin/v1/openapi.json']) {
      const { status, body } = await member.get(document);
      expect([status, body.openapi]).toEqual([200, expect.stringMatching(/^3\.1\./)]);
      paths.push(...Object.entries(body.paths as Record<string, object>));
    }
    const described = paths.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) =>
        `${method.toUpperCase()} ${path}`.replace(/\{\w+\}/g, ':'),
      ),
    );
    const called = Object.values(ROUTES)
      .flat()
      .map(([method, path]) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(described.sort()).toEqual([...called].sort());
  });

  it('200: pages and health checks respond', async () => {
    for (const path of ['/', '/docs', '/healthz', '/readyz', '/service/sign-in']) {
      expect([path, (await service.call(path)).status]).toEqual([path, 200]);
    }
  });
});

itCallsAll(ROUTES.conventions, service);

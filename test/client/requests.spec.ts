import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  ApiError,
  CaptchaError,
  Commonplace,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
} from '../../clients/typescript/src';
import { StubServer, type Received } from './stub-server';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let stub: StubServer;
let baseUrl: string;
let api: Commonplace;
beforeEach(async () => {
  stub = new StubServer();
  baseUrl = await stub.open();
  api = new Commonplace({ baseUrl });
});
afterEach(() => stub.close());

const NOW = { 'Retry-After': '0' };
const keys = (): unknown[] => stub.received.map(({ headers }) => headers['idempotency-key']);
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('requests', () => {
  it('have the parameters of path and query, and the API key', async () => {
    stub.reply = () => ({ json: { id: '1' } });
    const keyed = new Commonplace({ baseUrl: `${baseUrl}/`, apikey: 'k 1' });
    expect(
      await keyed.get('/v2/book/{id}', { path: { id: '1' }, query: { fields: 'id' } }),
    ).toEqual({ id: '1' });
    expect(stub.received[0]?.path).toBe('/v2/book/1?fields=id&apikey=k+1');
  });

  it.each(['', '.', '..'])('have no path variable that removes a segment: %j', async (reply) => {
    const error = await failure(
      api.delete('/v2/note/{id}/comment/{reply}', { path: { id: '1', reply } }),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(stub.received).toEqual([]);
  });

  it.each(['timeout', 'caller'])(
    'whose body stalls end by their %s, also after a garbage collection',
    async (by) => {
      stub.reply = () => ({ text: '{"id":', incomplete: 'silent' });
      const timeout = by === 'timeout' ? 300 : 60_000;
      const caller = new AbortController();
      const client = new Commonplace({ baseUrl, timeout, retries: 0 });
      const path = { id: '1' };
      const failed = failure(client.get('/v2/book/{id}', { path, signal: caller.signal }));
      while (stub.received.length === 0) await new Promise(setImmediate);
      // The response has begun; what nobody refers to is removed.
      for (let turn = 0; turn < 20; turn += 1) {
        collectGarbage();
        await new Promise(setImmediate);
      }
      if (by === 'caller') caller.abort(new Error('enough'));
      const error = await failed;
      if (by === 'timeout') expect(error).toBeInstanceOf(TimeoutError);
      else expect(error).toMatchObject({ message: 'enough' });
    },
  );

  it.each([301, 302, 303, 307, 308])('that write follow no redirect: %i', async (status) => {
    stub.reply = ({ method }) =>
      method === 'GET' ? { json: {} } : { status, headers: { location: `${baseUrl}/v2/notes` } };
    const init = { body: { title: 't', content: 'c' } };
    const error = await failure(api.post('/v2/notes', init));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`was redirected to ${baseUrl}/v2/notes`) as string,
    });
    // It is final: the request is not repeated.
    expect(stub.received.map(({ method }) => method)).toEqual(['POST']);
  });

  it('send pictures as multipart parts beside the members of the body', async () => {
    const picture = new Blob(['bytes'], { type: 'image/jpeg' });
    await api.post('/v2/note/{id}', {
      path: { id: '3' },
      body: { pids: 'p_1' },
      files: { image_1: picture },
    });
    const [{ headers, body } = {} as Received] = stub.received;
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('name="pids"\r\n\r\np_1');
    expect(body).toContain('name="image_1"; filename="image_1.jpg"');
  });

  it('return undefined for a response without a body', async () => {
    stub.reply = () => ({ status: 204 });
    expect(await api.delete('/v2/book/annotation/{id}', { path: { id: '1' } })).toBeUndefined();
  });
});

describe('errors', () => {
  it('have code, status, detail, request and the id of the request', async () => {
    stub.reply = () => ({
      status: 404,
      headers: { 'X-Error-Detail': 'book not found: %E6%B0%B4', 'X-Request-Id': 'r1' },
      json: { msg: 'book_not_found', code: 6000, request: 'GET /v2/book/9' },
    });
    const error = await failure(api.get('/v2/book/{id}', { path: { id: '9' } }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      ...{ code: 6000, status: 404, detail: 'book not found: 水', requestId: 'r1' },
      ...{ request: 'GET /v2/book/9', message: 'book_not_found: book not found: 水' },
    });
    expect(stub.received).toHaveLength(1);
  });

  it('have no query of an address, which contains the API key and texts', async () => {
    const keyed = new Commonplace({ baseUrl, apikey: 'secret-key', retries: 0 });
    const query = { q: 'private words' };
    const headers = { location: '/v2/elsewhere?apikey=secret-key#fragment' };
    stub.reply = ({ method }) => (method === 'GET' ? { broken: true } : { status: 307, headers });
    const broken = (await failure(keyed.get('/v2/book/search', { query }))) as Error;
    expect(broken.message).toBe(`GET ${baseUrl}/v2/book/search failed`);
    const write = { body: { title: 't', content: 'c' } };
    const redirected = (await failure(keyed.post('/v2/notes', write))) as Error;
    expect(stub.received.map(({ path }) => path.includes('secret-key'))).toEqual([true, true]);
    expect(redirected.message).toBe(
      `POST ${baseUrl}/v2/notes was redirected to ${baseUrl}/v2/elsewhere; the base URL may be wrong`,
    );
    headers.location = 'http://[?apikey=secret-key';
    expect(((await failure(keyed.post('/v2/notes', write))) as Error).message).toContain(
      'was redirected to another address',
    );
  });

  it('report a list that is null', async () => {
    stub.reply = () => ({ text: 'null' });
    const elements = api.list('/v2/book/{id}/annotations', { path: { id: '1' } });
    expect(await failure(elements.next())).toBeInstanceOf(InvalidResponseError);
  });

  it('are of a class by code or status, and survive bodies that are not JSON', async () => {
    stub.reply = () => ({ status: 403, json: { msg: 'need_captcha', code: 1007, request: '' } });
    expect(await failure(api.get('/v2/rate_limit'))).toBeInstanceOf(CaptchaError);
    stub.reply = () => ({ status: 418, json: 'teapot' });
    const other = await failure(api.get('/v2/rate_limit'));
    expect(other).toBeInstanceOf(ApiError);
    expect(other).toMatchObject({ code: 0, status: 418 });
    stub.reply = () => ({ status: 404, json: null });
    expect(await failure(api.get('/v2/rate_limit'))).toMatchObject({ code: 0, status: 404 });
  });

  it('have only the members of the body that have the right type', async () => {
    const wrong = { toString: 1 };
    stub.reply = () => ({
      status: 404,
      json: { msg: wrong, code: '6000', request: [], detail: wrong, error: {} },
    });
    const error = await failure(api.get('/v2/rate_limit'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      ...{ message: '404', code: 0, request: '', detail: '', oauthError: '' },
    });
    stub.reply = () => ({ status: 404, json: { msg: 'not_found', code: null, detail: 'gone' } });
    expect(await failure(api.get('/v2/rate_limit'))).toMatchObject({
      ...{ message: 'not_found: gone', code: 0, detail: 'gone' },
    });
  });

  it('report responses that are not JSON, incomplete, or late', async () => {
    stub.reply = () => ({ text: '<html>' });
    expect(await failure(api.get('/v2/rate_limit'))).toBeInstanceOf(InvalidResponseError);
    const once = new Commonplace({ baseUrl, retries: 0 });
    stub.reply = () => ({ text: '{', incomplete: 'broken' });
    expect(await failure(once.get('/v2/rate_limit'))).toBeInstanceOf(NetworkError);
    stub.reply = () => ({ text: '{', incomplete: 'silent' });
    const hasty = new Commonplace({ baseUrl, timeout: 100, retries: 0 });
    expect(await failure(hasty.get('/v2/rate_limit'))).toBeInstanceOf(TimeoutError);
  });
});

describe('retries', () => {
  it('repeat a POST with the same Idempotency-Key after 429, 503 and a broken connection', async () => {
    const replies = [
      { status: 429, headers: NOW },
      { status: 503, headers: NOW },
      { broken: true },
    ];
    stub.reply = (_request, count) => replies[count - 1] ?? { status: 201, json: { id: '7' } };
    const init = { body: { title: 't', content: 'c' }, idempotencyKey: 'mine' };
    expect(await api.post('/v2/notes', init)).toEqual({ id: '7' });
    expect(keys()).toEqual(['mine', 'mine', 'mine', 'mine']);
    expect(new Set(stub.received.map(({ body }) => body)).size).toBe(1);
  });

  it('repeat a request whose response breaks after its head', async () => {
    stub.reply = (_request, count) =>
      count % 2 === 1 ? { text: '{', incomplete: 'broken' } : { json: { id: '7' } };
    expect(await api.get('/v2/book/{id}', { path: { id: '7' } })).toEqual({ id: '7' });
    expect(await api.post('/v2/notes', { body: { title: 't', content: 'c' } })).toEqual({
      id: '7',
    });
    const [, , first, second] = keys();
    expect([stub.received.length, second]).toEqual([4, first]);
  });

  it('give each write a key of its own, and reads none', async () => {
    await api.post('/v2/note/{id}/like', { path: { id: '1' } });
    await api.post('/v2/note/{id}/like', { path: { id: '1' } });
    await api.get('/v2/rate_limit');
    const [one, other, none] = keys();
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect([other === one, none]).toEqual([false, undefined]);
  });

  it('wait while the first request with the key is running (409)', async () => {
    stub.reply = (_request, count) => (count === 1 ? { status: 409, headers: NOW } : {});
    await api.post('/v2/note/{id}/like', { path: { id: '1' } });
    expect(stub.received).toHaveLength(2);
  });

  it('end after the third, or when Retry-After is longer than the maximum', async () => {
    stub.reply = () => ({ status: 503, headers: NOW });
    expect(await failure(api.get('/v2/rate_limit'))).toMatchObject({ status: 503 });
    expect(stub.received).toHaveLength(4);
    stub.reply = () => ({ status: 429, headers: { 'Retry-After': '3600' } });
    const refused = await failure(api.get('/v2/rate_limit'));
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ retryAfter: 3600 });
    expect(stub.received).toHaveLength(5);
  });
});

describe('Retry-After', () => {
  it('has seconds or a date; other values count as missing', async () => {
    // A pause without the header is longer than the maximum.
    const impatient = new Commonplace({ baseUrl, maxRetryAfter: 0 });
    const values = ['1.5', '-5', '+1', '0x10', '1e3', 'Jan 1', '2001-01-01', 'Sun, -5 GMT', 'soon'];
    const dates = [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
    ];
    const outcomes: unknown[] = [];
    for (const value of [...values, ...dates, '0', '2001']) {
      stub.received.length = 0;
      stub.reply = () => ({ status: 503, headers: { 'Retry-After': value } });
      const error = await failure(impatient.get('/v2/rate_limit'));
      outcomes.push([value, (error as ApiError).retryAfter, stub.received.length]);
    }
    expect(outcomes).toEqual([
      ...values.map((value) => [value, undefined, 1]),
      ...dates.map((date) => [date, 0, 4]),
      ['0', 0, 4],
      ['2001', 2001, 1],
    ]);
  });
});

describe('time', () => {
  it('limits each attempt', async () => {
    stub.reply = () => ({ silent: true });
    const hasty = new Commonplace({ baseUrl, timeout: 20, retries: 0 });
    expect(await failure(hasty.get('/v2/rate_limit'))).toBeInstanceOf(TimeoutError);
  });

  it('ends with the signal of the caller, also between attempts', async () => {
    const controller = new AbortController();
    stub.reply = () => {
      controller.abort(new Error('enough'));
      return { status: 503, headers: { 'Retry-After': '30' } };
    };
    const error = await failure(api.get('/v2/rate_limit', { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(stub.received).toHaveLength(1);
  });

  it('reports a service that cannot be reached', async () => {
    stub.close();
    const lonely = new Commonplace({ baseUrl, retries: 0 });
    expect(await failure(lonely.get('/v2/rate_limit'))).toBeInstanceOf(NetworkError);
  });
});

describe('lists', () => {
  it('request page after page until the last element', async () => {
    const all = Array.from({ length: 7 }, (_, at) => ({ id: String(at) }));
    stub.reply = ({ path }) => {
      const query = new URL(path, baseUrl).searchParams;
      const [start, count] = [Number(query.get('start')), Number(query.get('count'))];
      const books = all.slice(start, start + count);
      return { json: { start, count: books.length, total: all.length, books } };
    };
    const ids: string[] = [];
    const query = { q: 'water', count: 3 };
    for await (const { id } of api.list('/v2/book/search', { query })) ids.push(id);
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(stub.received.map(({ path }) => path)).toEqual([
      '/v2/book/search?count=3&q=water&start=0',
      '/v2/book/search?count=3&q=water&start=3',
      '/v2/book/search?count=3&q=water&start=6',
    ]);
  });
});

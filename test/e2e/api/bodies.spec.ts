import { startHarness, type TestResponse, type Harness } from '../../harness';
import { BodiesController } from './probe.bodies';
import { probing } from './probe.module';

type Fields = Record<string, string>;

/** A body of each encoding that writes accept (D8). */
const ENCODINGS = {
  form: (fields: Fields) => ({ body: new URLSearchParams(fields) }),
  multipart: (fields: Fields) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return { body };
  },
  json: (fields: Fields) => ({
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  }),
};
const NAMES = Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[];

const FIELDS = {
  title: '围城 & “100%” + ü=\u{1f4da}\n第二行',
  content: 'sixteen letters.',
  comment: 'ok',
  page: '42',
  status: 'done',
  at: '2013-12-25T22:09:04+08:00',
};
const READ = {
  ...FIELDS,
  page: 42,
  status: 'read',
  at: '2013-12-25T14:09:04.000Z',
};

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await startHarness({ root: probing(BodiesController) });
  token = await harness.token();
});
afterAll(() => harness.close());

const send = (
  encoding: keyof typeof ENCODINGS,
  fields: Fields,
  method = 'POST',
  path = 'writes',
): Promise<TestResponse> =>
  harness.call(`/v2/probe/${path}`, { method, token, ...ENCODINGS[encoding](fields) });

describe('bodies of writes (D8)', () => {
  it.each(NAMES)('are accepted as %s, for POST and PUT', async (encoding) => {
    const created = await send(encoding, FIELDS);
    expect(created.status).toBe(201);
    expect(created.body).toEqual(READ);
    const changed = await send(encoding, FIELDS, 'PUT');
    expect(changed.status).toBe(202);
    expect(changed.body).toEqual(READ);
  });

  it.each(NAMES)('may hold unknown parameters: %s', async (encoding) => {
    const more = { unknown: '1', __proto__x: '2', constructor: '3', toString: '4' };
    const { status, body } = await send(encoding, { ...FIELDS, ...more });
    expect(status).toBe(201);
    expect(body).toEqual(READ);
  });

  it('may use JSON types for numbers', async () => {
    const { status, body } = await harness.call('/v2/probe/writes', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify({ ...FIELDS, page: 42, comment: null }),
    });
    expect(status).toBe(201);
    expect(body).toEqual({ ...READ, comment: undefined });
  });

  it.each([
    ['POST', 'loose', 200],
    ['DELETE', 'loose', 204],
  ])('may be absent, with any Content-Type: %s %s', async (method, path, expected) => {
    const { status, text } = await harness.call(`/v2/probe/${path}`, { method, token });
    expect(status).toBe(expected);
    expect(text).toBe(expected === 204 ? '' : '{}');
  });

  it.each(NAMES)('may be empty: %s', async (encoding) => {
    expect((await send(encoding, {}, 'POST', 'loose')).status).toBe(200);
  });

  it('that are absent lack required parameters: 1002', async () => {
    const { status, body } = await harness.call('/v2/probe/writes', { method: 'POST', token });
    expect([status, body.code]).toEqual([400, 1002]);
  });

  it('are not read from the query', async () => {
    const query = new URLSearchParams(FIELDS).toString();
    const { body } = await harness.call(`/v2/probe/writes?${query}`, { method: 'POST', token });
    expect(body.code).toBe(1002);
  });

  it.each(['a=1&note=x&note=y', 'note[a]=1&note[b]=2'])(
    'with a repeated or nested text are malformed or ignored: %s',
    async (form) => {
      const { status, body } = await harness.call('/v2/probe/loose', {
        method: 'POST',
        token,
        body: new URLSearchParams(form),
      });
      expect(form.includes('[') ? [200, undefined] : [400, 999]).toEqual([status, body.code]);
      expect(body.note).toBeUndefined();
    },
  );

  it.each(['{"note":{"a":1}}', '{"note":["a"]}'])(
    'with a JSON object for a text are malformed: %s',
    async (json) => {
      const { status, body } = await harness.call('/v2/probe/loose', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: json,
      });
      expect([status, body.code]).toEqual([400, 999]);
    },
  );
});

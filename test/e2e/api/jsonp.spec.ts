import { runInNewContext } from 'node:vm';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { ListsController } from './probe.lists';
import { probing } from './probe.module';

const LINES = '/v2/probe/lines';
const FIFTY = 'aB_9'.repeat(12) + 'cd';

describe('callback (specification section 1, D6)', () => {
  let harness: Harness;
  let token: string;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(ListsController) });
    token = await harness.token();
  });
  afterAll(() => harness.close());

  const expectScript = ({ headers, text }: TestResponse, callback: string): unknown => {
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(text.startsWith(`${callback}(`)).toBe(true);
    expect(text.endsWith(');')).toBe(true);
    return JSON.parse(text.slice(callback.length + 1, -2)) as unknown;
  };

  it.each(['f', '7', '_', 'cb_1', FIFTY])('"%s" wraps the response', async (callback) => {
    const plain = await harness.call('/v2/probe/items?count=1');
    const response = await harness.call(`/v2/probe/items?count=1&callback=${callback}`);
    expect(response.status).toBe(200);
    expect(expectScript(response, callback)).toEqual(plain.body);
  });

  it('keeps the script one statement for any data', async () => {
    const response = await harness.call(`${LINES}?callback=f`);
    expect(response.text).not.toMatch(/[\u2028\u2029]/);
    const expected = { number: 1, name: 'a\u2028b\u2029c</script>' };
    expect(expectScript(response, 'f')).toEqual(expected);
    const seen: string[] = [];
    runInNewContext(response.text, { f: (value: unknown) => seen.push(JSON.stringify(value)) });
    expect(seen).toEqual([JSON.stringify(expected)]);
  });

  it.each(['', '&callback='])('is ignored when empty: "%s"', async (query) => {
    const { headers, body } = await harness.call(`${LINES}?a=1${query}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.number).toBe(1);
  });

  it.each([
    ['51 characters', `callback=${FIFTY}x`],
    ['a dot', 'callback=a.b'],
    ['a hyphen', 'callback=a-b'],
    ['a dollar sign', 'callback=$'],
    ['a bracket', 'callback=a[0]'],
    ['a parenthesis', 'callback=alert(1)'],
    ['a space', 'callback=a%20b'],
    ['a space before', 'callback=%20a'],
    ['a newline after', 'callback=a%0A'],
    ['a NUL', 'callback=a%00'],
    ['markup', 'callback=%3Cscript%3E'],
    ['Chinese', 'callback=%E5%9B%9E%E8%B0%83'],
    ['full-width letters', 'callback=%EF%BD%81'],
    ['a letter with an accent', 'callback=%C3%A9'],
    ['two of them', 'callback=a&callback=b'],
    ['the same twice', 'callback=a&callback=a'],
    ['one and an empty one', 'callback=a&callback='],
  ])('with %s is 400, code 999, as plain JSON', async (_, query) => {
    for (const path of [LINES, '/v2/probe/items']) {
      const { status, body, headers } = await harness.call(`${path}?${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({ msg: 'unknow_v2_error', code: 999, request: `GET ${path}` });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    ['/v2/nowhere', 404, 1001, {}],
    ['/v2/probe/items?count=x', 400, 999, {}],
    [LINES, 401, 103, { authorization: 'Bearer wrong' }],
    [`${LINES}?apikey=wrong`, 401, 104, {}],
  ])('wraps errors, and keeps their status: %s', async (path, status, code, headers) => {
    const mark = path.includes('?') ? '&' : '?';
    const response = await harness.call(`${path}${mark}callback=f`, { headers });
    expect(response.status).toBe(status);
    expect(expectScript(response, 'f')).toMatchObject({ code });
  });

  it('wraps problem documents as scripts, too', async () => {
    const headers = { accept: 'application/problem+json' };
    const response = await harness.call('/v2/nowhere?callback=f', { headers });
    expect(expectScript(response, 'f')).toMatchObject({ code: 1001, status: 404 });
  });

  it.each(['callback=f', 'callback=a.b', 'callback=a&callback=b'])(
    'is ignored on POST: %s',
    async (query) => {
      const { status, body, headers } = await harness.call(`${LINES}?${query}`, {
        method: 'POST',
        token,
      });
      expect(status).toBe(201);
      expect(body).toEqual({ number: 1, name: 'written' });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('is ignored on errors of a POST', async () => {
    const { body } = await harness.call(`${LINES}?callback=f`, { method: 'POST' });
    expect(body.code).toBe(1000);
  });
});

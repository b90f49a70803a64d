import { startHarness, type Harness } from '../../harness';
import { probing } from './probe.module';
import { RefusalsController, SECRET } from './probe.errors';

const PROBLEM = 'application/problem+json';

describe('errors (specification section 7, D4)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(RefusalsController) });
  });
  afterAll(() => harness.close());

  it('are exactly msg, code and request', async () => {
    const { status, text, headers } = await harness.call('/v2/probe/bare');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toStrictEqual({
      msg: 'book_not_found',
      code: 6000,
      request: 'GET /v2/probe/bare',
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('contain the path without the query', async () => {
    const { body } = await harness.call('/v2/probe/bare?start=1&apikey=#x');
    expect(body.request).toBe('GET /v2/probe/bare');
  });

  it('contain the path as it was sent', async () => {
    const { body } = await harness.call('/v2/nowhere/%E5%8C%97%e4%ba%ac/?q=1');
    expect(body.request).toBe('GET /v2/nowhere/%E5%8C%97%e4%ba%ac/');
  });

  it('have no detail in the body', async () => {
    const { status, body } = await harness.call('/v2/probe/chinese');
    expect(status).toBe(400);
    expect(body).toEqual({
      msg: 'unknow_v2_error',
      code: 999,
      request: 'GET /v2/probe/chinese',
    });
  });

  it('have their detail in an ASCII header, for any text', async () => {
    const { headers } = await harness.call('/v2/probe/chinese');
    const detail = headers.get('x-error-detail') ?? '';
    expect(detail).toMatch(/^[\x20-\x7e]+$/);
    expect(decodeURIComponent(detail)).toContain('没有这样的城市：\u{1f3d9} "北京"');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('have no detail header without a detail', async () => {
    expect((await harness.call('/v2/probe/bare')).headers.get('x-error-detail')).toBeNull();
  });

  it("of the framework use codes of the table, and none of the framework's messages", async () => {
    const { status, text } = await harness.call('/v2/probe/nest');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: 1001 });
    expect(text).not.toContain(SECRET);
  });

  describe.each([PROBLEM, `text/html, ${PROBLEM};q=0.9`])('with Accept: %s', (accept) => {
    it('are RFC 9457 problems with the three members', async () => {
      const { status, headers, body } = await harness.call('/v2/probe/chinese?a=1', {
        headers: { accept },
      });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(body).toStrictEqual({
        type: expect.stringMatching(/^\w+:/),
        title: expect.any(String),
        status: 400,
        detail: expect.stringContaining('没有这样的城市'),
        msg: 'unknow_v2_error',
        code: 999,
        request: 'GET /v2/probe/chinese',
      });
    });

    it('are problem documents also for unknown paths and missing tokens', async () => {
      for (const [path, code] of [
        ['/v2/nowhere', 1001],
        ['/v2/probe/several', 1000],
      ] as const) {
        const method = code === 1000 ? 'POST' : 'GET';
        const { status, body } = await harness.call(path, { method, headers: { accept } });
        expect(body).toMatchObject({ status, code, request: `${method} ${path}` });
      }
    });
  });

  it('are plain JSON for other types', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain', 'image/png']) {
      const { headers } = await harness.call('/v2/probe/bare', { headers: { accept } });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});

describe('a wrong method on a path with other methods (D5)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(RefusalsController) });
  });
  afterAll(() => harness.close());

  it.each(['DELETE', 'PATCH'])('%s returns 1014 and Allow', async (method) => {
    const { status, body, headers } = await harness.call('/v2/probe/several?a=1', { method });
    expect(status).toBe(400);
    expect(body).toEqual({
      msg: 'wrong_method',
      code: 1014,
      request: `${method} /v2/probe/several`,
    });
    const allowed = headers.get('allow')?.split(/,\s*/).sort();
    expect(allowed).toEqual(['GET', 'HEAD', 'POST', 'PUT']);
  });
});

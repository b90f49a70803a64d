import { request } from 'node:http';
import { startHarness, type Harness } from '../../harness';

describe('paths (specification section 1, D5)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  /** Sends the path as it is: `fetch` would mend some. */
  const raw = (path: string, method = 'GET'): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(harness.origin, { path, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', reject);
      sent.end();
    });

  describe('404, code 1001', () => {
    it.each([
      ['/v2'],
      ['/v2/'],
      ['/v2/nowhere'],
      ['/v1/book/1'],
      ['/books/1'],
      ['/V2/book/1'],
      ['/v2/Book/1'],
      ['/v2/book/search/1'],
      ['/v2/book/1/tags/2'],
      ['/v2/book/user/ada'],
      ['/v2/book/../book/1'],
      ['/v2/book/1;a=1'],
    ])('%s is not found', async (path) => {
      const { status, text } = await raw(path);
      expect(JSON.parse(text)).toEqual({
        msg: 'uri_not_found',
        code: 1001,
        request: `GET ${path}`,
      });
      expect(status).toBe(404);
    });

    it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('%s of an unknown path', async (method) => {
      const { status, body } = await harness.call('/v2/nowhere', { method });
      expect([status, body.code, body.request]).toEqual([404, 1001, `${method} /v2/nowhere`]);
    });

    it.each([
      ['/v2/book/abc'],
      ['/v2/book/12a'],
      ['/v2/book/-1'],
      ['/v2/book/+1'],
      ['/v2/book/1.5'],
      ['/v2/book/1e3'],
      ['/v2/book/0x1'],
      ['/v2/book/%20'],
      ['/v2/book/1%20'],
      ['/v2/book/1%0A'],
      ['/v2/book/1%00'],
      ['/v2/book/%EF%BC%91'],
      ['/v2/book/%D9%A1'],
      ['/v2/book/1%2Ftags'],
      ['/v2/book/%2E%2E%2Fsearch'],
      ['/v2/book/abc/tags'],
      ['/v2/book/series/one/books'],
      ['/v2/book/annotation/last'],
    ])('%s is not a number', async (path) => {
      const { status, text } = await raw(path);
      expect(JSON.parse(text)).toMatchObject({ code: 1001, request: `GET ${path}` });
      expect(status).toBe(404);
    });

    it.each([
      ['/v2/book/user/%E5%9B%B4/tags'],
      ['/v2/book/user/a%20b/tags'],
      ['/v2/book/user/a%2Fb/tags'],
      ['/v2/book/user/a+b/tags'],
      ['/v2/book/user/a@b/collections'],
      ['/v2/book/user/%00/annotations'],
      ['/v2/book/isbn/978%207'],
      ['/v2/book/isbn/*'],
    ])('%s is not a name', async (path) => {
      const { status, text } = await raw(path);
      expect(JSON.parse(text)).toMatchObject({ code: 1001, request: `GET ${path}` });
      expect(status).toBe(404);
    });

    it.each([
      ['/v2/book/%'],
      ['/v2/book/%zz'],
      ['/v2/book/%E5%9B'],
      ['/v2/book/user/%ff/tags'],
      ['/%'],
      ['/v2/%zz'],
      ['/docs/assets/%zz'],
      ['/pictures/sample/%E5%9B'],
      ['/v2/book/%C0%AF'],
    ])('%s has a malformed percent-encoding', async (path) => {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await raw(path, method);
        expect(JSON.parse(text)).toEqual({
          msg: 'uri_not_found',
          code: 1001,
          request: `${method} ${path}`,
        });
        expect(status).toBe(404);
      }
    });

    it.each([
      ['/v2/book/1%2Ftags'],
      ['/v2/book/abc'],
      ['/v2%2Fbook%2F1'],
      ['/v2/book/user/a%20b/tags'],
    ])('POST %s is not found, not a wrong method', async (path) => {
      const { status, text } = await raw(path, 'POST');
      expect([status, JSON.parse(text).code]).toEqual([404, 1001]);
    });
  });

  describe('400, code 1014', () => {
    const known = [
      '/v2/book/1',
      '/v2/book/search',
      '/v2/book/isbn/x',
      '/v2/book/1/tags',
      '/healthz',
    ];
    const methods = ['POST', 'PUT', 'DELETE', 'PATCH'];
    it.each(known.flatMap((path) => methods.map((method) => [method, path] as const)))(
      '%s %s',
      async (method, path) => {
        const { status, body, headers } = await harness.call(path, { method, body: 'a=1' });
        expect(body).toEqual({ msg: 'wrong_method', code: 1014, request: `${method} ${path}` });
        expect(status).toBe(400);
        expect(headers.get('allow')?.split(/,\s*/).sort()).toEqual(['GET', 'HEAD']);
      },
    );
  });

  describe('ids without a book, of up to 400 digits', () => {
    it.each(['0', '9007199254740991', '9007199254740992', '9223372036854775808', '9'.repeat(400)])(
      '%s is an unknown book',
      async (id) => {
        const { status, body } = await harness.call(`/v2/book/${id}`);
        expect([status, body.code]).toEqual([404, 6000]);
      },
    );
  });
});

import { startHarness, type Harness } from '../../harness';

describe('errors for clients that cannot read headers or statuses', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const ERROR = { msg: 'missing_args', code: 1002, request: 'GET /v2/movie/search' };
  const get = (query: string, headers: Record<string, string> = {}, path = '/v2/movie/search') =>
    harness.call(`${path}?${query}`, { headers });

  describe('error_detail=1 (D45)', () => {
    it.each(['1', 'true', 'True'])('error_detail=%s adds detail to the body', async (value) => {
      const { status, headers, body } = await get(`error_detail=${value}`);
      expect([status, body]).toEqual([400, { ...ERROR, detail: expect.any(String) }]);
      expect(body.detail).toBe(headers.get('x-error-detail'));
    });

    it.each(['', 'error_detail=', 'error_detail=0', 'error_detail=1&error_detail=1'])(
      'the query "%s" adds no detail',
      async (query) => {
        expect((await get(query)).body).toEqual(ERROR);
      },
    );

    it('adds detail to errors of writes, unknown paths and guards', async () => {
      const write = await harness.call('/v2/notes?error_detail=1', { method: 'POST' });
      expect(Object.keys(write.body)).toEqual(['msg', 'code', 'request', 'detail']);
      const unknown = await get('error_detail=1', {}, '/v2/nowhere');
      expect(Object.keys(unknown.body)).toEqual(['msg', 'code', 'request', 'detail']);
    });

    it('detail in the body is not encoded as in a header', async () => {
      const { body } = await get('apikey=%E9%92%A5&error_detail=1');
      expect([body.code, Object.keys(body)]).toEqual([104, ['msg', 'code', 'request']]);
      const { body: other } = await get('error_detail=1&ids=%E4%B9%A6', {}, '/v2/book/list');
      expect(other.detail).toContain('ids must be');
    });
  });

  describe('suppress_response_codes=1 (D44)', () => {
    it('gives JSONP errors the status 200', async () => {
      const { status, text, headers } = await get('callback=f&suppress_response_codes=1');
      expect([status, text]).toEqual([200, `f(${JSON.stringify(ERROR)});`]);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      ['/v2/book/0', 6000],
      ['/v2/nowhere', 1001],
      ['/v2/movie/weekly', 1000],
      ['/v2/book/search', 1002],
    ])('%s returns status 200 with code %i', async (path, code) => {
      const { status, text } = await get('callback=f&suppress_response_codes=1', {}, path);
      expect(status).toBe(200);
      expect(text).toMatch(new RegExp(`^f\\(\\{.*"code":${code},.*\\}\\);$`));
    });

    it('applies to requests that accept HTML, and combines with error_detail', async () => {
      const query = 'callback=f&suppress_response_codes=1&error_detail=1';
      const { status, text } = await get(query, { accept: 'text/html' });
      expect([status, text.startsWith('f({"msg":"missing_args",')]).toEqual([200, true]);
      expect(text).toContain('"detail":');
    });

    it.each([
      ['suppress_response_codes=1', 1002],
      ['callback=f', 1002],
      ['callback=f&suppress_response_codes=0', 1002],
      ['callback=f-g&suppress_response_codes=1', 999],
    ])('has no effect without a valid callback, or with another value: %s', async (query, code) => {
      const { status, text } = await get(query);
      expect(status).toBe(400);
      expect(text).toContain(`"code":${code}`);
    });

    it('leaves successful responses unchanged', async () => {
      const { status, text } = await get('q=a&callback=f&suppress_response_codes=1');
      expect([status, text.startsWith('f({"start":0,')]).toEqual([200, true]);
    });
  });
});

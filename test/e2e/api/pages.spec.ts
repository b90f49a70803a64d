import Ajv2020 from 'ajv/dist/2020';
import { startHarness, type Harness } from '../../harness';
import { MIGRATIONS } from '../../../src/database/migrations';
import { BASE_URL } from '../../settings';
import { bytesOf, sendBytes } from './bytes';

describe('pages', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('/ describes the service and links to its documents', async () => {
    const { status, text, headers } = await harness.call('/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`${BASE_URL}/v2/book/`);
    for (const link of ['/docs', '/v2/openapi.json', '/healthz', '/readyz']) {
      expect(text).toContain(`href="${link}"`);
      expect((await harness.call(link)).status).toBe(200);
    }
  });

  it('/ shows commands that work', async () => {
    const { text } = await harness.call('/');
    const shown = text.replaceAll('&#39;', "'");
    const commands = [...shown.matchAll(/curl '([^']+)'/g)].map(([, url]) => String(url));
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const url = command.replaceAll('&amp;', '&');
      expect(url.startsWith(BASE_URL)).toBe(true);
      // As a shell's curl sends it: byte for byte. A missing book is a response, too.
      const path = url.slice(BASE_URL.length);
      const response = await sendBytes(harness.origin, bytesOf(`GET ${path}`));
      expect(`${path} ${response}`).toMatch(/HTTP\/1\.1 (200 OK|404 Not Found)\r\n/);
    }
  });

  it('/docs loads all files from the service', async () => {
    const { status, text, headers } = await harness.call('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const addresses = [
      ...text.matchAll(/<(?:script|link)(?! rel="canonical")[^>]* (?:src|href)="([^"]+)"/g),
    ].map(([, to]) => String(to));
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address).toMatch(/^\/(docs\/|service\/|favicon)/);
      expect((await harness.call(address)).status).toBe(200);
    }
    // No inline script may run under the content security policy.
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect((await harness.call('/docs/docs.js')).text).not.toMatch(/https?:/);
  });

  it.each(['s', 'm', 'l'])('/pictures/sample/default/book-%s.jpg is a JPEG', async (size) => {
    const url = `${harness.origin}/pictures/sample/default/book-${size}.jpg`;
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  it.each([
    '/pictures/sample/default/none.jpg',
    '/pictures/sample/',
    '/docs/assets/none.js',
    '/pictures/sample/..%2f..%2fdata%2fbooks.ndjson',
    '/pictures/sample/%2e%2e/data/books.ndjson',
    '/docs/guides/..%2f..%2fpackage.json%00',
  ])('%s is not found: 404, code 1001', async (path) => {
    const { status, body } = await harness.call(path);
    expect([status, body.code]).toEqual([404, 1001]);
  });

  it('/v2/openapi.json is an OpenAPI 3.1 document with the address of the service', async () => {
    const { status, headers, body } = await harness.call('/v2/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.openapi).toMatch(/^3\.1\./);
    // Servers are found from the document's own address, whichever name a reader knows us by.
    const [{ url }] = body.servers;
    const found = new URL(url, `${harness.origin}/v2/openapi.json`);
    expect(found.origin).toBe(harness.origin);
    expect((await harness.call(`${found.pathname.replace(/\/$/, '')}/healthz`)).status).toBe(200);
    expect(new Ajv2020({ strict: false }).validateSchema(body.components.schemas.Book)).toBe(true);
  });

  it('/healthz returns 200', async () => {
    const { status, body } = await harness.call('/healthz');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('/readyz is 503 while a migration is missing', async () => {
    const newest = MIGRATIONS.at(-1)?.name;
    expect((await harness.call('/readyz')).status).toBe(200);
    const [row] = await harness.source.query('SELECT * FROM migrations WHERE name = $1', [newest]);
    await harness.source.query('DELETE FROM migrations WHERE name = $1', [newest]);
    const { status, body, headers, text } = await harness.call('/readyz');
    expect(status).toBe(503);
    expect(body).toEqual({ msg: 'unknow_v2_error', code: 999, request: 'GET /readyz' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(text).not.toContain(newest);
    await harness.source.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      row.timestamp,
      newest,
    ]);
    expect((await harness.call('/readyz')).status).toBe(200);
  });
});

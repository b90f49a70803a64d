import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';

/** Values of wildcards, and queries, that exist in the sample; elsewhere 1 does. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/^(.*\/movie\/subject\/)\{id\}/, '1001'],
  [/^(.*\/movie\/celebrity\/)\{id\}/, '2001'],
  [/^(.*\/loc\/)\{id\}/, '108090'],
  [/^(.*\/isbn\/)\{name\}/, '9787536692930'],
  [/^(.*\/book\/list)$/, '?ids=1'],
  [/^(.*\/movie\/subject\/list)$/, '?ids=1001'],
];

const fill = (path: string): string =>
  VALUES.reduce((filled, [wildcard, value]) => filled.replace(wildcard, `$1${value}`), path)
    .replace('{name}', 'linmo')
    .replace(/\{\w+\}/g, '1');

describe('HEAD (D8)', () => {
  let harness: Harness;
  let token: string;
  let paths: string[];
  beforeAll(async () => {
    harness = await startHarness();
    const sample = harness.app.get(SampleService, { strict: false });
    await sample.load();
    token = String(await sample.issueToken());
    const { body } = await harness.call('/v2/openapi.json');
    const known = Object.entries(body.paths as Record<string, object>);
    paths = known.filter(([, methods]) => 'get' in methods).map(([path]) => fill(path));
    paths.push('/', '/docs', '/docs/docs.js', '/pictures/sample/default/book-s.jpg', '/v2/nowhere');
    paths.push('/v2/book/search?q=a&callback=f', '/v2/book/0?callback=a.b');
  });
  afterAll(() => harness.close());

  it('responds like GET without the body, on all routes', async () => {
    expect(paths.length).toBeGreaterThan(18);
    let found = 0;
    for (const path of paths) {
      const get = await harness.call(path, { token });
      const head = await harness.call(path, { token, method: 'HEAD' });
      if (get.status === 200) found += 1;
      const comparable = ({ status, headers }: typeof get) => ({
        path,
        status,
        type: headers.get('content-type'),
        // An error names the method of its request, which makes it longer by a letter.
        length: status === 200 ? headers.get('content-length') : undefined,
        detail: headers.get('x-error-detail'),
      });
      expect(comparable(head)).toEqual(comparable(get));
      expect(head.text).toBe('');
    }
    // The sample's reader is no administrator.
    const theirs = paths.filter((path) => !path.startsWith('/admin/'));
    expect(found).toBeGreaterThan(theirs.length - 6);
  });

  it('of the liveness probe has the same headers as GET', async () => {
    const headersOf = async (method: string): Promise<object> => {
      const { headers } = await harness.call('/healthz', { method });
      headers.delete('date');
      return Object.fromEntries(headers);
    };
    expect(await headersOf('HEAD')).toEqual(await headersOf('GET'));
  });
});

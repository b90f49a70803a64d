import { ERRORS } from '../../../src/api/errors/error-codes';
import { GUIDES } from '../../../src/docs/content';
import { readReference, membersOf } from '../../../src/docs/reference/api-reference';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';

const CODES = [...new Set(Object.values(ERRORS).map(({ code }) => code))];

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const open = (path: string, language = 'en'): Promise<TestResponse> =>
  harness.call(path, { headers: { accept: 'text/html', 'accept-language': language } });

async function openReference(): Promise<ReturnType<typeof readReference>> {
  const { body } = await harness.call('/v2/openapi.json');
  return readReference(body as object);
}

describe('the documentation', () => {
  it.each(['en', 'zh-CN', 'zh-TW'])('has all pages in %s', async (language) => {
    const { groups } = await openReference();
    const paths = [
      ...['/docs', '/docs/errors', '/docs/search?q=book', '/docs/changelog'],
      ...GUIDES.map((name) => `/docs/guides/${name}`),
      ...groups.map(({ name }) => `/docs/reference/${name}`),
      ...CODES.map((code) => `/docs/errors/${code}`),
    ];
    const titles = new Set<string>();
    for (const path of paths) {
      const { status, text, headers } = await open(path, language);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(
        /<script(?![^>]*\bsrc=)|\son\w+=|style="|\{base\}|undefined|\[object/,
      );
      titles.add(String(/<title>([^<]*)/.exec(text)?.[1]));
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []]);
      // Links within the page, and to other pages of the documentation.
      const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect([path, targets.filter((id) => !ids.includes(id))]).toEqual([path, []]);
    }
    expect(titles.size).toBe(paths.length);
  });

  it('shows every operation with its parameters, errors and examples', async () => {
    const { groups, operations } = await openReference();
    const pages = new Map<string, string>();
    for (const { name } of groups) pages.set(name, (await open(`/docs/reference/${name}`)).text);
    expect(operations.length).toBeGreaterThan(60);
    for (const { id, group, parameters } of operations) {
      const [, part = ''] = pages.get(group)?.split(`id="${id}"`) ?? [];
      const section = part.slice(0, part.indexOf('</section>'));
      const missing = parameters.filter(({ name }) => !section.includes(`<code>${name}</code>`));
      expect([id, missing]).toEqual([id, []]);
      for (const language of ['curl', 'typescript', 'python']) {
        expect(section).toContain(`class="code sample ${language}"`);
      }
    }
  });

  it.each(['en', 'zh-CN'])('finds every operation, member and code (%s)', async (language) => {
    const { operations, objects } = await openReference();
    const queries = [
      ...operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]),
      ...[...objects].flatMap(([name, schema]) =>
        /Error|Problem/.test(name)
          ? []
          : membersOf(schema).map((member) => `${name}.${member.name}`),
      ),
      ...CODES.map(String),
    ];
    const lost: string[] = [];
    for (const query of queries) {
      const { text } = await open(`/docs/search?q=${encodeURIComponent(query)}`, language);
      if (!/<dl class="found">/.test(text)) lost.push(query);
    }
    expect(lost).toEqual([]);
  });

  it('puts the best matches first', async () => {
    const first = async (query: string): Promise<string | undefined> => {
      const { text } = await open(`/docs/search?q=${encodeURIComponent(query)}`);
      return /<dl class="found">\s*<dt>\s*<a href="([^"]+)"/.exec(text)?.[1];
    };
    expect(await first('6000')).toBe('/docs/errors/6000');
    expect(await first('book_not_found')).toBe('/docs/errors/6000');
    expect(await first('/v2/book/search')).toBe('/docs/reference/book#searchBooks');
    expect(await first('PKCE code_challenge')).toMatch(/^\/docs\/guides\/keys-and-tokens/);
    expect(await first('getBook')).toBe('/docs/reference/book#getBook');
    expect(await first('listUserTags')).toBe('/docs/reference/book#listUserTags');
    // Every operation has the first, every list the second.
    for (const [query, guide, most] of [
      ['suppress_response_codes', '/docs/guides/jsonp-and-cors', 5],
      ['count', '/docs/guides/limits#read-your-counters', 12],
    ] as const) {
      const { text } = await open(`/docs/search?q=${query}`);
      const found = [...text.matchAll(/<dt>\s*<a href="([^"]+)"/g)].map(([, href]) => href);
      expect(found.slice(0, most)).toContain(guide);
    }
  });

  it.each(['/docs/guides', '/docs/reference'])('leads from %s to its front page', async (path) => {
    const { status, headers } = await open(path);
    expect([status, headers.get('location')]).toEqual([303, '/docs']);
  });

  it('has working links in the changelog', async () => {
    const { text } = await open('/docs/changelog');
    expect(text).toContain('<a href="/docs/guides/versions">docs/versioning.md</a>');
    expect(text).toMatch(/<link[^>]+rel="alternate"[^>]+type="application\/atom\+xml"/);
  });

  it('shows the query of a search as text', async () => {
    const { text } = await open(`/docs/search?q=${encodeURIComponent('"><img src=x>')}`);
    expect(text).not.toContain('<img src=x>');
    expect(text).toContain('&lt;img src=x&gt;');
  });

  it('has an Atom feed of the changelog', async () => {
    const { status, headers, text } = await harness.call('/docs/changelog.atom');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    expect(text).toMatch(/<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom"/);
    expect(text).toMatch(/<entry>[^]*<title>Commonplace 1\.0\.0<\/title>/);
  });

  it('is where the type of a problem leads (D135)', async () => {
    const headers = { accept: 'application/problem+json' };
    const { body } = await harness.call('/v2/book/999999', { headers });
    expect(body.type).toBe('http://api.test/docs/errors/6000');
    expect((await open('/docs/errors/6000')).text).toContain(String(body.type));
  });
});

describe('credentials for the forms of the reference (D136)', () => {
  const PATH = '/service/docs/credentials';
  /** The cookie with the hashes of the tokens. */
  const TOKENS = 'commonplace_tokens';
  const JSON_ONLY = { accept: 'application/json' };
  let browser: Browser;
  let clientId: string;
  beforeAll(async () => {
    browser = await new Browser(harness).register('dev');
    const { text } = await browser.fillAndFollow(
      '/service/developer',
      '/service/developer/applications',
      {
        name: 'Mine',
        redirect_uris: '',
      },
    );
    clientId = String(/id="client_id"[^>]*>(\w+)</.exec(text)?.[1]);
  });

  const apps = async (who: Browser): Promise<TestResponse['body']> => (await who.open(PATH)).body;
  const issue = async (who: Browser, client: string): Promise<TestResponse> =>
    who.post(
      PATH,
      { form_token: (await apps(who)).form_token as string, client_id: client },
      JSON_ONLY,
    );

  it('are the apps of the signed-in developer', async () => {
    expect(await apps(browser)).toMatchObject({
      signed_in: true,
      apps: [{ name: 'Mine', client_id: clientId }],
    });
    expect(await apps(new Browser(harness))).toMatchObject({ signed_in: false, apps: [] });
  });

  it('include a token for an hour, which acts as the developer', async () => {
    const { status, body } = await issue(browser, clientId);
    expect([status, body.expires_in, body.token_type]).toEqual([200, 3600, 'Bearer']);
    const token = String(body.access_token);
    const notes = await harness.call('/v2/book/user/dev/collections', { token });
    expect(notes.status).toBe(200);
  });

  it('are revoked with the access of the app, which the account page shows', async () => {
    const { body } = await issue(browser, clientId);
    const token = String(body.access_token);
    const { text } = await browser.open('/service/account');
    expect(text).toContain('Mine');
    const form_token = await browser.formToken();
    const revoked = await browser.post('/service/account/revoke', {
      form_token,
      client_id: clientId,
    });
    expect(revoked.status).toBe(303);
    const collections = await harness.call('/v2/book/user/dev/collections', { token });
    expect([collections.status, collections.body.code]).toEqual([401, 103]);
    expect((await browser.open('/service/account')).text).not.toContain('Mine');
  });

  it.each(['/service/sign-out', '/service/account/sign-out-everywhere'])(
    'are revoked by %s in the same browser, and only tokens of its user',
    async (path) => {
      const other = new Browser(harness);
      await other.signIn('dev');
      const statusOf = async (token: string) =>
        (await harness.call('/v2/book/user/dev/collections', { token })).status;
      const tokens: string[] = [];
      for (const who of [other, other, browser])
        tokens.push(String((await issue(who, clientId)).body.access_token));
      expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200]);
      // A browser can send any hashes; those of other users have no effect.
      const stranger = await new Browser(harness).register(`stranger${path.length}`);
      stranger.plant(browser.held(TOKENS), TOKENS);
      for (const who of [stranger, other])
        expect((await who.post(path, { form_token: await who.formToken() })).status).toBe(303);
      expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 200]);
      expect(other.held(TOKENS)).toBe('');
      if (path.endsWith('everywhere')) await browser.signIn('dev');
    },
  );

  it('are refused without sign-in, without the form token, and for apps of others', async () => {
    const other = await harness.app
      .get(ApplicationsService, { strict: false })
      .create({ name: 'Other' });
    const forged = await browser.post(PATH, { form_token: 'none', client_id: clientId }, JSON_ONLY);
    const responses = [
      await issue(new Browser(harness), clientId),
      forged,
      await issue(browser, other.clientId),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 126],
      [403, 126],
      [404, 1001],
    ]);
  });
});

it('pages count in the limit of pages, and are rendered once', async () => {
  const other = await startHarness({ settings: { LIMIT_PAGES: '3' } });
  const tags = new Set<string | null>();
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { status, headers } = await other.call('/docs/reference/movie');
    statuses.push(status);
    if (status === 200) tags.add(headers.get('etag'));
  }
  expect([statuses, tags.size]).toEqual([[200, 200, 200, 429], 1]);
  await other.close();
});

it('the document of administration counts in the limit of pages', async () => {
  const other = await startHarness({ settings: { LIMIT_PAGES: '2' } });
  const responses = [];
  for (const path of ['/docs', '/admin/v1/openapi.json', '/admin/v1/openapi.json'])
    responses.push(await other.call(path));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(responses[1]?.body.openapi).toMatch(/^3\.1\./);
  await other.close();
});

it('pages with long addresses are their own', async () => {
  const query = `?q=${'x'.repeat(3000)}`;
  const movie = await open(`/docs/reference/movie${query}`);
  const errors = await open(`/docs/errors${query}`);
  expect(movie.text).toMatch(/rel="canonical" href="[^"]*\/docs\/reference\/movie"/);
  expect(errors.text).toMatch(/rel="canonical" href="[^"]*\/docs\/errors"/);
});

it('a search for text that looks like a language does not change other searches', async () => {
  const before = await open('/docs/search?q=collection');
  await open('/docs/search?q=publisher?lang=nothing-has-this');
  const after = await open('/docs/search?q=publisher');
  expect(before.text).toContain('/docs/reference/');
  expect(after.text).toContain('/docs/reference/');
  expect(after.text).not.toContain('nothing-has-this');
});

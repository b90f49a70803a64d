import { startHarness, type Harness } from '../../harness';
import { Browser, unescaped } from '../oauth/browser';

const SWITCH = '/service/language';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRUSTED_PROXIES: '1' } });
});
afterAll(() => harness.close());

const langOf = (text: string): string | undefined => /<html lang="([^"]+)">/.exec(text)?.[1];
const title = (text: string): string | undefined => /<title>([^<]+)<\/title>/.exec(text)?.[1];

/** The targets of the language switch of a page, by language. */
const switches = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<a href="([^"]+)" lang="([^"]+)"/g)].map(([, href, lang]) => [
      String(lang),
      unescaped(String(href)),
    ]),
  );

describe.each(['/', '/docs', '/service/sign-in', '/service/register', '/nowhere'])(
  'the page %s',
  (path) => {
    it.each([
      ['en-US,en;q=0.9', 'en'],
      ['zh-CN,zh;q=0.9', 'zh-Hans'],
      ['zh-TW,zh;q=0.9', 'zh-Hant'],
      ['zh-HK', 'zh-Hant'],
      ['fr', 'en'],
    ])('with Accept-Language: %s is in %s', async (language, lang) => {
      const headers = { accept: 'text/html', 'accept-language': language };
      const response = await harness.call(path, { headers });
      expect(langOf(response.text)).toBe(lang);
      expect(response.headers.get('vary')).toMatch(/\bAccept-Language\b.*\bCookie\b/);
      expect(Object.keys(switches(response.text)).length).toBe(2);
    });

    it('changes its language permanently, and redirects back', async () => {
      const browser = new Browser(harness);
      const address = `${path}?x=1`;
      const english = await browser.open(address);
      const link = String(switches(english.text)['zh-Hant']);
      const { status, headers } = await browser.open(link);
      const back = String(headers.get('location'));
      expect([status, back.startsWith(path), back.startsWith('//')]).toEqual([303, true, false]);
      const headersOfEnglish = { 'accept-language': 'en' };
      const traditional = await browser.open(back, headersOfEnglish);
      expect(langOf(traditional.text)).toBe('zh-Hant');
      if (path !== '/') expect(title(traditional.text)).not.toBe(title(english.text));
      await browser.open(String(switches(traditional.text).en));
      const again = await browser.open(back, { 'accept-language': 'zh-TW' });
      expect(langOf(again.text)).toBe('en');
    });
  },
);

it('the switch of the sign-in page keeps the target of the sign-in', async () => {
  const browser = new Browser(harness);
  const { text } = await browser.open('/service/sign-in?return_to=/service/developer?a=b');
  const { headers } = await browser.open(String(switches(text)['zh-Hans']));
  const page = await browser.open(String(headers.get('location')));
  expect(page.text).toContain('name="return_to" value="/service/developer?a=b"');
});

it('the switch after a rejected form redirects to the page of the form', async () => {
  const browser = await new Browser(harness).register('ann');
  const pages = [
    ['/service/account/password', '/service/account', 'zh-Hans'],
    ['/service/developer/applications', '/service/developer', 'zh-Hant'],
  ] as const;
  const form_token = await browser.formToken();
  for (const [action, page, language] of pages) {
    const { status, text } = await browser.post(action, { form_token });
    expect([action, status]).toEqual([action, 400]);
    const { headers } = await browser.open(String(switches(text)[language]));
    expect(headers.get('location')).toBe(page);
  }
});

it.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%0d%0aSet-Cookie:a=b/../..//evil.example',
  'javascript:alert(1)',
  '',
])('the switch does not redirect to %j', async (address) => {
  const query = new URLSearchParams({ to: 'en', return_to: address }).toString();
  const { status, headers } = await harness.call(`${SWITCH}?${query}`);
  expect([status, headers.get('location')]).toEqual([303, '/']);
});

it('the switch rejects unknown languages', async () => {
  for (const query of ['', '?to=fr', '?to=en&to=zh-Hans', '?to=__proto__']) {
    const { status, headers } = await harness.call(SWITCH + query);
    expect([query, status, headers.getSetCookie()]).toEqual([query, 303, []]);
  }
});

it('the cookie has the prefix __Host- over HTTPS (D98)', async () => {
  const path = `${SWITCH}?to=zh-Hans`;
  const secure = await harness.call(path, { headers: { 'x-forwarded-proto': 'https' } });
  expect(secure.headers.getSetCookie()[0]).toMatch(
    /^__Host-commonplace_language=zh-Hans; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
  );
  const plain = await harness.call(path);
  expect(plain.headers.getSetCookie()[0]).toMatch(/^commonplace_language=zh-Hans; .*Path=\/; /);
  expect(plain.headers.getSetCookie()[0]).not.toContain('Secure');
});

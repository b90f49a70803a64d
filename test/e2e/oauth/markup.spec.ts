import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { Browser, unescaped } from './browser';
import { AUTH, authorizationOf, consent, exchange, REDIRECT } from './flows';

/** A name that would be a script, an attribute or a text of its own, of at most 60 characters. */
const NAME = `"'><script>alert(1)</script><img src=x onerror=y>&lt;`;
const ESCAPED =
  '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=y&gt;&amp;lt;';
const ODD = `</textarea></title><svg onload=alert(2)>"'`;

let harness: Harness;
let browser: Browser;
let path: string;
let clientId: string;
let secret: string;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('dev');
  const made = await browser.fillAndFollow(
    '/service/developer',
    '/service/developer/applications',
    {
      name: NAME,
      redirect_uris: REDIRECT,
    },
  );
  clientId = String(/id="client_id">(\w+)</.exec(made.text)?.[1]);
  secret = String(/id="secret">([^<]+)</.exec(made.text)?.[1]);
  path = `/service/developer/applications/${clientId}`;
});
afterAll(() => harness.close());

/** Markup that only a user's text can have introduced. */
const FOREIGN = /<(script|img|svg onload)|onerror=[^y]|<\/textarea><\/title>/;

function expectSafe(text: string): void {
  expect(text).not.toMatch(FOREIGN);
  // Quotation marks of the text cannot end an attribute.
  for (const [, value = ''] of text.matchAll(/ value="([^"]*)"/g))
    expect(value).not.toMatch(/[<>']/);
}

const client = () => ({ id: 0, clientId, secret });

describe('a name with markup is escaped', () => {
  it('in the list and on the page of the application', async () => {
    for (const page of ['/service/developer', path, `${path}/settings`]) {
      const { text } = await browser.open(page);
      expect(text).toContain(ESCAPED);
      expectSafe(text);
    }
    const { text } = await browser.open(path);
    expect(text).toContain(`<title>${ESCAPED} · Commonplace</title>`);
    const { text: settings } = await browser.open(`${path}/settings`);
    expect(settings).toContain(`name="name" value="${ESCAPED}"`);
  });

  it('on the consent page', async () => {
    const { text } = await browser.open(authorizationOf(client(), { state: ODD }));
    expect(text).toContain(`<h1>Allow “${ESCAPED}” to access your account?</h1>`);
    expectSafe(text);
    const response = await consent(browser, authorizationOf(client(), { state: ODD }));
    expect(response.searchParams.get('state')).toBe(ODD);
    const code = String(response.searchParams.get('code'));
    expect((await exchange(harness, client(), code)).status).toBe(200);
  });

  it('in the list of authorized apps', async () => {
    const { text } = await browser.open('/service/account');
    expect(text).toContain(`<strong>${ESCAPED}</strong>`);
    expectSafe(text);
  });

  it('in a rejected form', async () => {
    const { status, text } = await browser.fill(
      '/service/developer',
      '/service/developer/applications',
      { name: `${NAME}${NAME}`, redirect_uris: ODD },
    );
    expect(status).toBe(400);
    expect(unescaped(text)).toContain(`\n${ODD}</textarea>`);
    expectSafe(text);
  });
});

describe('a reason with markup is escaped', () => {
  it('from developers and from administrators', async () => {
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    await browser.fill(path, `${path}/request`, { level: 'L2', reason: NAME });
    const decider = { actor: 'administrator', reason: ODD };
    await approvals.decline(clientId, { scopes: [], level: 'L2' }, decider);
    await approvals.block(clientId, { ...decider, contact: 'help@service.example' });
    const { text } = await browser.open(`${path}/permissions`);
    const odd = '&lt;/textarea&gt;&lt;/title&gt;&lt;svg onload=alert(2)&gt;&quot;&#39;';
    expect(text).toContain(`>${ESCAPED}</td>`);
    expect(text).toContain(`>${odd}</td>`);
    expect(text).toContain(`Reason: ${odd}`);
    expectSafe(text);
    await approvals.unblock(clientId, { actor: 'administrator' });
  });
});

describe('input of a visitor is escaped', () => {
  it.each(['sign-in', 'register'])('on the page to %s', async (page) => {
    const visitor = new Browser(harness);
    const address = `/service/${page}?return_to=${encodeURIComponent(`/service/"><svg>'`)}`;
    expectSafe((await visitor.open(address)).text);
    const { text } = await visitor.fill(address, `/service/${page}`, { uid: ODD, password: 'x' });
    expect(text).toContain('value="&lt;/textarea&gt;');
    expectSafe(text);
  });

  it.each(['client_id', 'redirect_uri', 'scope', 'response_type', 'state', '<svg>'])(
    'on an error page in %s',
    async (name) => {
      const query = `${AUTH}?${new URLSearchParams({ client_id: clientId, [name]: ODD }).toString()}`;
      for (const visitor of [browser, new Browser(harness)]) {
        const { text, headers } = await visitor.open(`${query}&${encodeURIComponent(name)}=2`);
        expectSafe(text);
        expect(headers.get('content-type') ?? '').toMatch(/^text\/html; charset=utf-8$|^$/);
      }
    },
  );

  it('in the path', async () => {
    const address = `/service/developer/applications/${encodeURIComponent(ODD)}`;
    const { status, text } = await browser.open(address);
    expect(status).toBe(404);
    expectSafe(text);
    const { headers } = await new Browser(harness).open(address);
    expect(headers.get('location')).toMatch(/^\/service\/sign-in\?return_to=[\w%.()'-]+$/);
  });
});

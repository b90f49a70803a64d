import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { Browser, hiddenFields } from './browser';
import { aClient, AUTH, authorizationOf, REDIRECT, type TestClient } from './flows';

const OTHER = 'https://other.example/callback';
const NOTE = 'community_basic_note';
const MODERATOR = { actor: 'root', reason: 'because' };

let harness: Harness;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
});
afterAll(() => harness.close());

const approvals = (): ApprovalsService => harness.app.get(ApprovalsService, { strict: false });
const scopes = [NOTE, 'book_basic_r'];

interface Shown {
  readonly client: TestClient;
  /** Sends the form of the page. */
  readonly decide: (page: TestResponse, decision?: string) => Promise<TestResponse>;
  readonly page: TestResponse;
}

/** The consent page of a request without scope and redirect URI. */
async function showConsent(): Promise<Shown> {
  const client = await aClient(harness, { scopes });
  const path = authorizationOf(client, { redirect_uri: undefined });
  return {
    client,
    page: await browser.open(path),
    decide: ({ text }, decision = 'allow') =>
      browser.post(AUTH, { ...hiddenFields(text), decision }),
  };
}
const redirectTo = (client: TestClient, uri: string): Promise<unknown> => {
  const sql = 'UPDATE applications SET redirect_uris = ARRAY[$1] WHERE client_id = $2';
  return harness.source.query(sql, [uri, client.clientId]);
};
const grantedScopes = async ({ clientId }: TestClient): Promise<string[][]> => {
  const rows = await harness.source.query<{ scopes: string[] }[]>(
    `SELECT g.scopes FROM grants g JOIN applications a ON a.id = g.application_id
     WHERE a.client_id = $1`,
    [clientId],
  );
  return rows.map((row) => row.scopes);
};
const target = ({ headers }: TestResponse): string | undefined =>
  headers.get('location')?.split('?')[0];

/** Whether the page was shown again, with the reason. */
const isShownAgain = ({ status, headers, text }: TestResponse): boolean =>
  status === 409 &&
  headers.get('location') === null &&
  text.includes('have changed. Review them again.');

it('a user grants the scopes that the page showed, even if more are approved meanwhile', async () => {
  const { client, page, decide } = await showConsent();
  await approvals().approve(client.clientId, { scopes: ['book_basic_w'] }, MODERATOR);
  expect(page.text).not.toContain('book_basic_w');
  const again = await decide(page);
  expect([isShownAgain(again), await grantedScopes(client)]).toEqual([true, []]);
  expect(again.text).toContain('book_basic_w');
  expect(target(await decide(again))).toBe(REDIRECT);
  expect((await grantedScopes(client)).map((each) => each.toSorted())).toEqual([
    ['book_basic_r', 'book_basic_w', NOTE],
  ]);
});

it('a user sees the page again if an approval was withdrawn meanwhile', async () => {
  const { client, page, decide } = await showConsent();
  await approvals().suspend(client.clientId, { scopes: [NOTE] }, MODERATOR);
  const again = await decide(page);
  expect([isShownAgain(again), again.text.includes(NOTE)]).toEqual([true, false]);
  expect(target(await decide(again))).toBe(REDIRECT);
  expect(await grantedScopes(client)).toEqual([['book_basic_r']]);
});

it.each(['allow', 'deny'])(
  'a browser goes to the address that the page named, even if another is registered: %s',
  async (decision) => {
    const { client, page, decide } = await showConsent();
    await redirectTo(client, OTHER);
    const again = await decide(page, decision);
    expect([isShownAgain(again), await grantedScopes(client)]).toEqual([true, []]);
    expect(again.text).toContain('other.example');
    expect(target(await decide(again, decision))).toBe(OTHER);
  },
);

it('a form without the scopes and redirect URI of the page is shown again', async () => {
  const client = await aClient(harness, { scopes });
  const query = new URLSearchParams(authorizationOf(client).split('?')[1]);
  const form = { ...Object.fromEntries(query), form_token: await browser.formToken() };
  expect(isShownAgain(await browser.post(AUTH, { ...form, decision: 'allow' }))).toBe(true);
});

it('the reason is in the language of the page', async () => {
  const { client, page } = await showConsent();
  await redirectTo(client, OTHER);
  const chinese = { 'accept-language': 'zh-TW' };
  const fields = { ...hiddenFields(page.text), decision: 'allow' };
  expect((await browser.post(AUTH, fields, chinese)).text).toContain('請重新確認');
});

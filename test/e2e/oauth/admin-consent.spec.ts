import { startHarness, type Harness } from '../../harness';
import { makeStale, signedInAdministrator } from '../console/administrator';
import { type Browser } from './browser';
import { aClient, REDIRECT, type TestClient } from './flows';

const AUTHORIZE = '/service/auth2/auth';

let harness: Harness;
let browser: Browser;
let client: TestClient;
let fields: Record<string, string>;
beforeAll(async () => {
  harness = await startHarness();
  browser = await signedInAdministrator(harness, 'root');
  client = await aClient(harness, { scopes: ['admin', 'book_basic_r'] });
  fields = {
    client_id: client.clientId,
    redirect_uri: REDIRECT,
    shown_redirect_uri: REDIRECT,
    response_type: 'code',
    decision: 'allow',
    form_token: await browser.formToken(),
  };
});
afterAll(() => harness.close());

const codeIn = (location: string | null): string | null =>
  location === null ? null : new URL(location).searchParams.get('code');

it('the scope admin needs the password again after 15 minutes, other scopes do not', async () => {
  const admin = { ...fields, scope: 'admin', shown_scope: 'admin' };
  expect(codeIn((await browser.post(AUTHORIZE, admin)).headers.get('location'))).toBeTruthy();
  await makeStale(harness, 'root');
  const books = { ...fields, scope: 'book_basic_r', shown_scope: 'book_basic_r' };
  const other = await browser.post(AUTHORIZE, books);
  expect(codeIn(other.headers.get('location'))).toBeTruthy();
  const query = new URLSearchParams({ ...fields, scope: 'admin' }).toString();
  const shown = await browser.open(`${AUTHORIZE}?${query}`);
  expect(shown.text).toMatch(/name="confirm_password"/);
  for (const password of [undefined, 'not this']) {
    const wrong = password === undefined ? admin : { ...admin, confirm_password: password };
    const asked = await browser.post(AUTHORIZE, wrong);
    expect([asked.status, asked.headers.get('location')]).toEqual([403, null]);
    expect(asked.text).toMatch(/name="confirm_password"/);
    expect(/The password is wrong/.test(asked.text)).toBe(password !== undefined);
  }
  const right = { ...admin, confirm_password: 'correct horse battery' };
  expect(codeIn((await browser.post(AUTHORIZE, right)).headers.get('location'))).toBeTruthy();
  expect(codeIn((await browser.post(AUTHORIZE, admin)).headers.get('location'))).toBeTruthy();
});

it('the approval of the scope admin needs the password, that of other scopes does not', async () => {
  await makeStale(harness, 'root');
  const path = `/admin/applications/${client.clientId}/decide`;
  const { form_token = '' } = fields;
  const decide = async (verb: string, scope: string) =>
    (await browser.post(path, { form_token, verb, scope, reason: 'checked' })).status;
  expect(await decide('approve', 'book_basic_r')).toBe(303);
  expect(await decide('approve', 'admin')).toBe(403);
});

import { DEFAULT_SCOPES } from '../../../src/api/access/access';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields, type Fields } from './browser';
import { aClient, AUTH, authorizationOf, REDIRECT, type TestClient } from './flows';

let harness: Harness;
let ann: Browser;
let eve: Browser;
let client: TestClient;
/** Path of an application of Ann's. */
let own: string;
let current_secret: string;

beforeAll(async () => {
  harness = await startHarness();
  ann = await new Browser(harness).register('ann');
  eve = await new Browser(harness).register('eve');
  client = await aClient(harness);
  const made = await ann.fillAndFollow('/service/developer', '/service/developer/applications', {
    name: 'Own',
    redirect_uris: '',
  });
  own = String(/href="([^"]+)\/settings"/.exec(made.text)?.[1]);
  ({ current_secret = '' } = hiddenFields((await ann.open(`${own}/keys`)).text));
  expect(current_secret).not.toBe('');
});
afterAll(() => harness.close());

/** Every form of `/service`, with valid fields; console/access.spec.ts has those of the console. */
const forms: Readonly<Record<string, () => readonly [action: string, fields: Fields]>> = {
  consent: () => [
    AUTH,
    {
      ...Object.fromEntries(new URLSearchParams(authorizationOf(client).split('?')[1])),
      shown_scope: DEFAULT_SCOPES.join(' '),
      shown_redirect_uri: REDIRECT,
      decision: 'allow',
    },
  ],
  'a new application': () => [
    '/service/developer/applications',
    { name: 'New', redirect_uris: '' },
  ],
  'a new secret': () => [`${own}/secret`, { current_secret }],
  'a test key': () => [`${own}/test`, {}],
  'the deletion of a test key': () => [`${own}/test/delete`, {}],
  'the end of showing a secret': () => [`${own}/keys/stored`, {}],
  'the deletion of an application': () => [`${own}/delete`, { confirm: 'Own' }],
  'other redirect URIs': () => [
    `${own}/settings`,
    { name: 'Own', redirect_uris: 'https://attacker.example' },
  ],
  'a logo': () => [`${own}/logo`, {}],
  'the removal of a logo': () => [`${own}/logo/delete`, {}],
  'asking for scopes': () => [`${own}/request`, { level: 'L2', reason: 'because', agreed: 'yes' }],
  'shutting an application out': () => ['/service/account/revoke', { client_id: client.clientId }],
  'a new password': () => [
    '/service/account/password',
    { current: 'correct horse battery', fresh: 'battery staple horse' },
  ],
  'signing out': () => ['/service/sign-out', {}],
  'signing out everywhere': () => ['/service/account/sign-out-everywhere', {}],
};
const NAMES = Object.keys(forms);
const formOf = (name: string) => (forms[name] as NonNullable<(typeof forms)[string]>)();

/** Everything that a form could change; the same before and after a refused one. */
const state = async (): Promise<string> => {
  const tables = ['applications', 'application_secrets', 'application_decisions', 'grants'];
  const rows = await Promise.all(
    [...tables, 'authorization_codes', 'passwords', 'sessions'].map((table) =>
      harness.source.query(`SELECT t::text AS row FROM ${table} t ORDER BY t::text`),
    ),
  );
  return JSON.stringify(rows);
};

async function expectRefused(name: string, fields: Fields, headers: Record<string, string> = {}) {
  const before = await state();
  const [action, needed] = formOf(name);
  const {
    status,
    headers: resolved,
    body,
  } = await ann.post(action, { ...needed, ...fields }, { accept: '*/*', ...headers });
  expect([status, resolved.get('location'), body.code]).toEqual([403, null, 126]);
  expect(body.msg).toBe('invalid_request_source');
  expect(await state()).toBe(before);
}

describe.each(NAMES)('the form for %s is rejected (126)', (name) => {
  it('without a CSRF token, or with an empty or wrong one', async () => {
    await expectRefused(name, {});
    for (const form_token of ['', 'x', 'x'.repeat(43), [await ann.formToken(), 'x']]) {
      await expectRefused(name, { form_token });
    }
  });

  it('with the token of another session', async () => {
    await expectRefused(name, { form_token: await eve.formToken() });
  });

  it('from another site, with any token', async () => {
    const form_token = await ann.formToken();
    const sources: Record<string, string>[] = [
      { origin: 'https://attacker.example' },
      { origin: 'null' },
      { origin: `${harness.origin}.attacker.example` },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: harness.origin, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of sources) await expectRefused(name, { form_token }, headers);
  });

  it('with the token in the query', async () => {
    const [action, fields] = formOf(name);
    const query = new URLSearchParams({ form_token: await ann.formToken() }).toString();
    const before = await state();
    expect((await ann.post(`${action}?${query}`, fields)).status).toBe(403);
    expect(await state()).toBe(before);
  });
});

describe('forms', () => {
  it('are accepted from a page of the same site', async () => {
    const form_token = await ann.formToken();
    const before = await state();
    const fields = { form_token, name: 'Mine', redirect_uris: '' };
    const headers = { origin: harness.origin, 'sec-fetch-site': 'same-origin' };
    const { status } = await ann.post('/service/developer/applications', fields, headers);
    expect(status).toBe(303);
    expect(await state()).not.toBe(before);
  });

  it('with an expired token show an explanation', async () => {
    const { status, text, headers } = await ann.post('/service/sign-out', { form_token: 'x' });
    expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(text).toContain('has expired, or it was not sent from this site');
  });

  it('of sign-in and registration need a token, too (login CSRF)', async () => {
    const fields = { uid: 'eve', password: 'correct horse battery', return_to: '/service/account' };
    for (const path of ['/service/sign-in', '/service/register']) {
      const victim = new Browser(harness);
      expect((await victim.post(path, fields)).status).toBe(403);
      // A token out of the attacker's own browser.
      const { form_token = '' } = hiddenFields((await new Browser(harness).open(path)).text);
      await victim.open(path);
      expect((await victim.post(path, { ...fields, form_token })).status).toBe(403);
      expect((await victim.open('/service/account')).status).toBe(303);
    }
  });

  it('have another token after sign-in, and the old one is invalid', async () => {
    const browser = new Browser(harness);
    const before = await browser.formToken();
    await browser.signIn('eve');
    const after = await browser.formToken();
    expect(after).not.toBe(before);
    const { status } = await browser.post('/service/sign-out', { form_token: before });
    expect(status).toBe(403);
  });

  it('change nothing when requested with GET', async () => {
    const form_token = await ann.formToken();
    const before = await state();
    for (const name of NAMES.filter((one) => one !== 'consent')) {
      const [action, fields] = formOf(name);
      const query = new URLSearchParams({ ...fields, form_token } as Record<string, string>);
      const { status } = await ann.open(`${action}?${query.toString()}`);
      // Addresses of forms redirect to their pages, or are unknown parameters of pages.
      expect([200, 303, 400]).toContain(status);
    }
    const request = `${authorizationOf(client)}&decision=allow&form_token=${form_token}`;
    expect((await ann.open(request)).status).toBe(200);
    expect(await state()).toBe(before);
  });
});

const form = (bytes: number): URLSearchParams =>
  new URLSearchParams({ form_token: 'x'.repeat(bytes) });

function fileForm(): FormData {
  const body = new FormData();
  body.append('file', new Blob(['x']), 'books.json');
  return body;
}

it.each([
  ['/service/sign-out', form(10), 403],
  ['/service/developer/applications/1/logo', form(10), 403],
  ['/admin/users/1/block', form(10), 403],
  ['/admin/transfers/upload', fileForm(), 403],
  ['/admin/words/add', form(80_000), 400],
])(
  'a form of another site, with which browsers send no cookie, gets none: %s',
  async (path, body, expected) => {
    const { status, headers } = await harness.call(path, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
      body,
    });
    expect(status).toBe(expected);
    expect(headers.get('set-cookie')).toBeNull();
  },
);

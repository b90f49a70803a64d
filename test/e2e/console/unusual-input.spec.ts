import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { Browser, formBody, hiddenFields } from '../oauth/browser';
import { aClient } from '../oauth/flows';
import { signedInAdministrator } from './administrator';
import { CONSOLE_FORMS, CONSOLE_PAGES } from './routes';

let harness: Harness;
let administrator: Browser;
let form_token: string;
let clientId: string;
let user: number;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  ({ clientId } = await aClient(harness));
  ({ id: user } = await new Factories(harness.database).aUser());
});
afterAll(() => harness.close());

const NUL = 'a\0b';

it.each([
  ['en', 'Enter at least one word.'],
  ['zh-Hans', '请至少填写一个词。'],
  ['zh-Hant', '請至少填寫一個詞。'],
])('400: the form of words without a word says so (%s)', async (lang, message) => {
  for (const words of ['', ' \r\n\t ', '\0']) {
    const headers = { 'accept-language': lang };
    const fields = { form_token, words, action: 'hold' };
    const { status, text } = await administrator.post('/admin/words/add', fields, headers);
    expect([words, status]).toEqual([words, 400]);
    expect(text).toContain(message);
  }
});

it.each(['%00', 'a%00b', '%ED%A0%80'])(
  'no address of the console with %s causes a 500',
  async (part) => {
    const failed: string[] = [];
    for (const [pattern, isForm] of [
      ...CONSOLE_PAGES.map((path) => [path, false] as const),
      ...CONSOLE_FORMS.map((path) => [path, true] as const),
    ]) {
      if (!pattern.includes(':')) continue;
      const path = pattern.replace(/:\w+/g, part);
      const fields = {
        form_token,
        verb: 'approve',
        level: 'L2',
        reason: 'x',
        contact: 'a@example.org',
      };
      const { status } = isForm
        ? await administrator.post(path, { ...fields, per_hour: '5', sure: 'yes' })
        : await administrator.open(path);
      if (status >= 500) failed.push(`${path}: ${status}`);
    }
    expect(failed).toEqual([]);
  },
);

it('no field of a form of the console with NUL causes a 500', async () => {
  const application = `/admin/applications/${clientId}`;
  const person = `/admin/users/${user}`;
  const forms: [path: string, fields: Record<string, string>][] = [
    [`${application}/decide`, { verb: 'decline', scope: 'movie_premium_r', reason: NUL }],
    [`${application}/decide`, { verb: 'approve', level: 'L2', reason: NUL }],
    [`${application}/decide`, { verb: 'approve', scope: NUL, reason: 'x' }],
    [`${application}/block`, { reason: NUL, contact: `${NUL}@example.org` }],
    [`${person}/block`, { reason: NUL, until: '' }],
    [`${person}/revoke`, { client_id: NUL }],
    ['/admin/words/add', { words: NUL, action: 'hold' }],
    ['/admin/words/preview', { words: NUL }],
    ['/admin/series/create', { title: NUL }],
    ['/admin/showings/write', { subject_id: NUL, city: NUL, from: NUL, until: NUL }],
    ['/admin/charts/write', { name: NUL, date: NUL, entries: NUL }],
    ['/admin/charts/compute', { name: NUL, date: NUL }],
    ['/admin/transfers/start', { type: 'export', kind: NUL, path: NUL }],
    ['/admin/settings/limits/LIMIT_PAGES', { value: NUL }],
    ['/admin/reports/resolve', { id: NUL, decision: 'dismiss', comment: NUL }],
  ];
  const failed: string[] = [];
  for (const [path, fields] of forms) {
    const { status } = await administrator.post(path, { form_token, ...fields });
    if (status >= 500) failed.push(`${path} ${JSON.stringify(fields)}: ${status}`);
  }
  expect(failed).toEqual([]);
  const [row] = await harness.source.query<{ reason: string }[]>(
    'SELECT blocked_reason AS reason FROM users WHERE id = $1',
    [user],
  );
  expect(row?.reason).toBe('ab');
});

it('a lone surrogate in a JSON body of the console causes no 500', async () => {
  const body = JSON.stringify({ form_token, reason: '\ud800', until: '' });
  const { status } = await harness.call(`/admin/users/${user}/block`, {
    method: 'POST',
    headers: {
      cookie: `commonplace_login=${administrator.cookie}`,
      'content-type': 'application/json',
    },
    body,
  });
  expect(status).toBeLessThan(500);
});

it('no form of sign-in, registration, consent and the pages of developers with NUL causes a 500', async () => {
  const dev = await new Browser(harness).register('dev');
  const token = await dev.formToken();
  const made = await dev.post('/service/developer/applications', {
    ...{ form_token: token, name: 'App', redirect_uris: 'https://a.example/cb' },
  });
  const [, path = ''] = /^(.*\/\w+)\/keys/.exec(made.headers.get('location') ?? '') ?? [];
  expect(path).not.toBe('');
  const all = { name: NUL, redirect_uris: NUL, homepage: NUL, description: NUL, kind: NUL };
  const oauth = { client_id: NUL, redirect_uri: NUL, response_type: NUL, scope: NUL, state: NUL };
  const failed: string[] = [];
  for (const [to, fields] of [
    ['/service/developer/applications', all],
    [`${path}/settings`, all],
    [`${path}/request`, { scope: NUL, level: NUL }],
    ['/service/auth2/auth', { ...oauth, consent: NUL }],
    ['/service/auth2/auth', { ...oauth, client_id: clientId, code_challenge: NUL }],
    ['/service/register', { uid: NUL, password: `${NUL}correct horse`, return_to: NUL }],
    ['/service/sign-in', { uid: NUL, password: NUL, return_to: NUL }],
  ] as const) {
    const { status } = await dev.post(to, { form_token: token, ...fields });
    if (status >= 500) failed.push(`${to}: ${status}`);
  }
  for (const bad of ['%00', 'a%00b'])
    for (const page of ['', '/keys', '/settings', '/secret', '/delete', '/test', '/logo']) {
      const to = `/service/developer/applications/${bad}${page}`;
      const opened = await dev.open(to);
      const sent = await dev.post(to, { form_token: token, name: 'x' });
      if (opened.status >= 500 || sent.status >= 500) failed.push(to);
    }
  const query = formBody(oauth).toString();
  const { status } = await dev.open(`/service/auth2/auth?${query}`);
  expect([...failed, status >= 500]).toEqual([false]);
});

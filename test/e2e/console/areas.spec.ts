import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';
import { aClient } from '../oauth/flows';
import { signedInAdministrator } from './administrator';

const ATTACK = '"><script>alert(1)</script>';

let harness: Harness;
let administrator: Browser;
let form_token: string;
let clientId: string;
let annId: number;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  ({ clientId } = await aClient(harness));
  await new Browser(harness).register('ann');
  const [ann] = await harness.database.source.query<{ id: number }[]>(
    `UPDATE users SET name = $1 WHERE uid = 'ann' RETURNING id::float8 AS id`,
    [ATTACK],
  );
  annId = (ann as unknown as { id: number }[])[0]?.id ?? 0;
  await harness.database.source.query('UPDATE applications SET name = $1', [ATTACK]);
});
afterAll(() => harness.close());

const post = async (path: string, fields: Record<string, string | string[]>): Promise<string> => {
  const { status, headers, text } = await administrator.post(path, { form_token, ...fields });
  if (status !== 303) throw new Error(`${path}: ${status} ${text.replace(/<[^>]+>/g, ' ')}`);
  return String(headers.get('location'));
};

const lastAction = async (): Promise<string> => {
  const [row] = await harness.database.source.query<{ action: string; actor: string }[]>(
    'SELECT action, actor FROM audit_log ORDER BY id DESC LIMIT 1',
  );
  return `${row?.actor} ${row?.action}`;
};

it('decides about applications, and logs it', async () => {
  const path = `/admin/applications/${clientId}`;
  const approval = { verb: 'approve', scope: ['movie_premium_r'], level: 'L2', reason: ATTACK };
  expect(await post(`${path}/decide`, approval)).toBe(`${path}?did=decided`);
  expect(await lastAction()).toBe('root application.approve');
  const { text } = await administrator.open(path);
  expect(text).toMatch(/movie_premium_r/);
  expect(text).not.toContain(ATTACK);
  expect(text).toMatch(/&gt;&lt;script&gt;/);
  await post(`${path}/limit`, { per_hour: '77' });
  expect((await administrator.open(path)).text).toMatch(/value="77"/);
  await post(`${path}/block`, { reason: 'spam', contact: 'help@example.org' });
  expect(await lastAction()).toBe('root application.block');
  expect((await administrator.open('/admin/applications?state=blocked')).text).toContain(clientId);
  await post(`${path}/unblock`, {});
  expect(await lastAction()).toBe('root application.unblock');
});

it('blocks users and changes their role, but not the last administrator', async () => {
  const path = `/admin/users/${annId}`;
  expect((await administrator.open('/admin/users?q=ann')).text).not.toContain(ATTACK);
  expect(await post(`${path}/block`, {})).toBe(`${path}?did=blocked`);
  expect(await lastAction()).toBe('root user.block');
  await post(`${path}/unblock`, {});
  await post(`${path}/role`, { role: 'administrator' });
  expect(await lastAction()).toBe('root user.role');
  await post(`${path}/role`, { role: 'member' });
  const [{ id } = { id: 0 }] = await harness.database.source.query<{ id: number }[]>(
    `SELECT id::float8 AS id FROM users WHERE uid = 'root'`,
  );
  const refused = await administrator.post(`/admin/users/${id}/block`, { form_token });
  expect([refused.status, /their own account/.test(refused.text)]).toEqual([400, true]);
});

it('adds and removes words, and lists recent texts with a word', async () => {
  expect(await post('/admin/words/add', { words: 'casino\npoker', action: 'hold' })).toBe(
    '/admin/words?did=word',
  );
  const tried = await administrator.open('/admin/words?text=A%20CASINO%20here');
  expect(tried.text).toMatch(/held for review[^]*<mark>CASINO<\/mark>/);
  const preview = await administrator.post('/admin/words/preview', {
    ...{ form_token, words: 'unheard\nnever', action: 'hold' },
  });
  expect(preview.text).toMatch(/unheard: [^]*0 texts[^]*never: [^]*0 texts[^]*name="words"/);
  const hits = await administrator.open('/admin/words?word=nothing');
  expect(hits.text).toMatch(/0 texts of the last 30 days/);
  const { text } = await administrator.open('/admin/words');
  const id = String(/name="id" value="(\d+)"/.exec(text)?.[1]);
  await post('/admin/words/remove', { id });
  expect(await lastAction()).toBe('root word.remove');
});

it('changes limits, and shows no secret among the settings', async () => {
  await post('/admin/settings/limits/LIMIT_ANONYMOUS', { value: '151' });
  expect(await lastAction()).toBe('root limit.set');
  const { text } = await administrator.open('/admin/settings');
  expect(text).toMatch(/LIMIT_ANONYMOUS[^]*value="151"/);
  expect(text).not.toMatch(/postgres(ql)?:\/\//);
  await post('/admin/settings/limits/LIMIT_ANONYMOUS', { value: '' });
  expect(await lastAction()).toBe('root limit.reset');
});

it('filters and exports the log', async () => {
  const { text } = await administrator.open('/admin/log?actor=root&action=user.block');
  expect(text).toMatch(/user\.block/);
  expect(text).not.toMatch(/<code>limit\.set/);
  const { text: lines } = await administrator.open('/admin/log/export?kind=limit');
  const actions = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { action: string }).action);
  expect(actions).toEqual(['limit.reset', 'limit.set']);
});

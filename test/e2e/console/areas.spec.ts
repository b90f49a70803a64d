import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rememberBackup } from '../../../src/backup/last-backup';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';
import { aClient } from '../oauth/flows';
import { signedInAdministrator } from './administrator';

const ATTACK = '"><script>alert(1)</script>';

let harness: Harness;
let folder: string;
let administrator: Browser;
let form_token: string;
let clientId: string;
let annId: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-areas-'));
  const settings = { TIME_ZONE: 'America/New_York', DATA_DIR: folder };
  harness = await startHarness({ settings });
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
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

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
  await harness.source.query(
    `UPDATE applications SET owner_id = $1, description = 'Shelves', homepage = 'https://a.example/'`,
    [annId],
  );
  await harness.source.query(
    `INSERT INTO application_decisions (application_id, subject, state, actor, reason)
     SELECT id, unnest(ARRAY['movie_premium_r', 'L2']), 'asked', 'ann', 'for a widget' FROM applications`,
  );
  const asked = (await administrator.open(path)).text;
  for (const part of ['Shelves', 'https://a.example/', `/admin/users/${annId}`, 'for a widget'])
    expect(asked.slice(0, asked.indexOf('<fieldset'))).toContain(part);
  const listed = (await administrator.open('/admin/applications')).text;
  expect(listed).toMatch(new RegExp(`/admin/users/${annId}"[^]*for a widget`));
  const bare = { form_token, verb: 'decline', scope: ['movie_premium_r'], reason: ' ' };
  expect((await administrator.post(`${path}/decide`, bare)).status).toBe(400);
  const approval = { verb: 'approve', scope: ['movie_premium_r'], level: 'L2', reason: ATTACK };
  expect(await post(`${path}/decide`, approval)).toBe(`${path}?did=decided`);
  expect(await lastAction()).toBe('root application.approve');
  const { text } = await administrator.open(path);
  expect(text).toMatch(/movie_premium_r/);
  expect(text).not.toContain(ATTACK);
  expect(text).toMatch(/&gt;&lt;script&gt;/);
  await post(`${path}/limit`, { per_hour: '77' });
  const limited = (await administrator.open(path)).text;
  expect(limited).toMatch(/value="77"/);
  expect(limited.slice(limited.lastIndexOf('<table'))).toMatch(
    /Custom limit[^]*<td[^>]*>77[^]*requested/,
  );
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

it('shows the texts of a user with their place, but no private ones', async () => {
  const make = new Factories(harness.database);
  const { id } = await make.aNote({ author_id: annId, content: `${'long '.repeat(60)}${ATTACK}` });
  await make.aNote({ author_id: annId, title: 'Diary', privacy: 'private' });
  const annotation = (await make.anAnnotation({ author_id: annId })).id;
  const { text } = await administrator.open(`/admin/users/${annId}`);
  for (const part of [
    `href="/note/${id}/"`,
    `href="/book/annotation/${annotation}/"`,
    'long ',
    '…',
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/Diary|<script>alert/);
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
  const known = await administrator.post('/admin/words/preview', {
    ...{ form_token, words: 'long\nlong', action: 'hold' },
  });
  expect(known.text).toMatch(
    /1 text of [^]*<a href="\/note\/\d+\/"[^]*<textarea name="words"[^>]*>long\nlong</,
  );
  const hits = await administrator.open('/admin/words?word=nothing');
  expect(hits.text).toMatch(/0 texts of the last 30 days/);
  const { text } = await administrator.open('/admin/words');
  const id = String(/name="id" value="(\d+)"/.exec(text)?.[1]);
  const removed = await post('/admin/words/remove', { id });
  expect((await administrator.open(removed)).text).toMatch(/name="words" value="casino"/);
  expect(await lastAction()).toBe('root word.remove');
});

it('changes limits, and shows no secret among the settings', async () => {
  await post('/admin/settings/limits/LIMIT_ANONYMOUS', { value: '151' });
  expect(await lastAction()).toBe('root limit.set');
  const { text } = await administrator.open('/admin/settings');
  expect(text).toMatch(
    /LIMIT_ANONYMOUS[^]*per hour from an address[^]*value="151"[^]*settings: \d+[^]*LIMIT_MOVIE_BASIC[^]*per minute/,
  );
  // The limits are not listed twice, and derived values are shown.
  expect(text.match(/LIMIT_ANONYMOUS<\/code>/g)).toHaveLength(1);
  expect(text).toMatch(/TRANSFER_DIR<\/code>[^<]*<\/td><td[^>]*>\/[^<]+<\/td><td[^>]*>derived/);
  expect(text).not.toMatch(/postgres(ql)?:\/\//);
  await post('/admin/settings/limits/LIMIT_ANONYMOUS', { value: '' });
  expect(await lastAction()).toBe('root limit.reset');
});

it('filters and exports the log, with days in the time zone of the service', async () => {
  await harness.source.query(
    `INSERT INTO audit_log (at, actor, action, target_kind, target_id)
     SELECT (t || '-05')::timestamptz, 'owl', t, 'user', '1' FROM unnest(ARRAY[
       '2026-03-01 23:30', '2026-03-02 00:30', '2026-03-02 23:30', '2026-03-03 00:00']) t`,
  );
  const day = await administrator.open('/admin/log?actor=owl&from=2026-03-02&to=2026-03-02');
  expect([...day.text.matchAll(/<code[^>]*>(2026[^<]+)/g)].map(([, at]) => at)).toEqual([
    ...['2026-03-02 23:30', '2026-03-02 00:30'],
  ]);
  expect(day.text).toContain('time zone America/New_York');
  const { text } = await administrator.open('/admin/log?actor=root&action=user.block');
  expect(text).toMatch(/user\.block/);
  expect(text).not.toMatch(/<code[^>]*>limit\.set/);
  const { text: lines } = await administrator.open('/admin/log/export?kind=limit');
  const actions = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { action: string }).action);
  expect(actions).toEqual(['limit.reset', 'limit.set']);
});

it('shows the requests of a month by area without those of the console, and the health', async () => {
  await harness.database.source.query(
    `INSERT INTO request_statistics
       (hour, operation, status, refused_by, requests, milliseconds, max_milliseconds)
     SELECT date_trunc('hour', now()) - interval '1 hour' * days * 24, operation, status, refused_by,
       requests, requests * 20, 900
     FROM (VALUES (0, 'GET /v2/book/:id', 200, '', 12345), (20, 'GET /v2/book/search', 503, '', 6),
       (20, 'POST /v2/note', 429, 'address', 7), (0, '*', 404, '', 11),
       (0, 'GET /admin/settings', 200, '', 3333), (0, 'GET /healthz', 200, '', 3333),
       (31, 'GET /v2/note/:id', 200, '', 3333)) AS r (days, operation, status, refused_by, requests)`,
  );
  await rememberBackup(folder);
  const { text } = await administrator.open('/admin?period=month');
  const plain = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(plain).toMatch(/ API: books 12,345 0 0 6 /);
  expect(plain).toMatch(/ API: notes 0 0 7 0 /);
  expect(plain).toMatch(/ Unknown addresses 0 0 11 0 /);
  expect(plain).toMatch(/ GET \/v2\/book\/:id 12,345 20.0 900 /);
  expect(plain).toMatch(/ Limit Requests Per address 7 /);
  expect(plain).not.toMatch(/3,333|\/admin\/settings|healthz/);
  expect(plain).toMatch(/ Requests per day, days in America\/New_York /);
  expect(plain).toMatch(/ Commonplace \d+\.\d+\.\d+ Node.js v.* Migrations all \d+ applied /);
  expect(plain).toMatch(/ Last backup \d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
  expect((await administrator.open('/admin')).text).toMatch(
    /Requests per hour, times in America\/New_York/,
  );
});

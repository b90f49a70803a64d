import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { CORPUS } from '../../browser/corpus';
import { ban } from '../moderation/words';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let token: string;
let reader: string;
let form_token: string;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  token = await harness.token({ userId: (await make.aUser()).id });
  reader = await harness.token({ userId: (await make.aUser()).id });
  await ban(harness, 'hold', 'casino');
});
afterAll(() => harness.close());

async function queueNote(content: string): Promise<string> {
  const body = new URLSearchParams({ title: 'A day', content: `${content} casino` });
  const made = await harness.call('/v2/notes', { method: 'POST', token, body });
  expect(made.status).toBe(201);
  return `/v2/note/${made.body.id}`;
}

const entriesOf = async (state = 'open'): Promise<string[]> => {
  const { text } = await administrator.open(`/admin/queue?state=${state}`);
  return [...text.matchAll(/id="entry-(\d+)"/g)].map(([, id]) => String(id));
};

const decide = (id: string | string[], decision: string) =>
  administrator.post('/admin/queue/decide', { form_token, id, decision });

const statusOf = async (path: string): Promise<number> =>
  (await harness.call(path, { token: reader })).status;

it('shows texts with the words marked, and no text of a user as markup', async () => {
  const path = await queueNote(CORPUS.join('\n'));
  const { text } = await administrator.open('/admin/queue');
  expect(text).toMatch(/<mark>casino<\/mark>/);
  const content = text.slice(text.indexOf('<main'));
  expect(content).not.toMatch(/<script|<img|<iframe|<svg|<style|<form[^>]*evil/);
  const [id = ''] = await entriesOf();
  await decide(id, 'reject');
  expect(await statusOf(path)).toBe(403);
});

it('releases, undoes within a minute, and rejects in bulk; all of it is in the log', async () => {
  const paths = [await queueNote('one'), await queueNote('two')];
  const ids = await entriesOf();
  expect(ids).toHaveLength(2);
  const [first = ''] = ids;
  expect((await decide(first, 'release')).headers.get('location')).toBe(
    `/admin/queue?undo=${first}`,
  );
  const anyone = paths[0] as string;
  expect(await statusOf(anyone)).toBe(200);
  expect((await administrator.open(`/admin/queue?undo=${first}`)).text).toMatch(/value="undo"/);
  await decide(first, 'undo');
  expect(await statusOf(anyone)).toBe(403);
  expect(await entriesOf()).toEqual(ids);
  await decide(ids, 'reject');
  expect(await entriesOf()).toEqual([]);
  expect((await entriesOf('rejected')).sort()).toEqual(expect.arrayContaining([...ids].sort()));
  const rows = await harness.database.source.query<{ action: string }[]>(
    `SELECT action FROM audit_log WHERE target_kind = 'moderation' AND target_id = $1 ORDER BY id`,
    [first],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'moderation.release',
    'moderation.reopen',
    'moderation.reject',
  ]);
});

it('a decision cannot be undone after a minute', async () => {
  await queueNote('late');
  const [id = ''] = await entriesOf();
  await decide(id, 'release');
  await harness.database.source.query(
    `UPDATE moderation_queue SET decided_at = decided_at - interval '2 minutes' WHERE id = $1`,
    [id],
  );
  const { status, text } = await decide(id, 'undo');
  expect([status, /cannot be undone/.test(text)]).toEqual([400, true]);
});

it('resolves a report and hides its content', async () => {
  const body = new URLSearchParams({ title: 'Fine', content: 'words' });
  const made = await harness.call('/v2/notes', { method: 'POST', token, body });
  const report = new URLSearchParams({
    kind: 'note',
    id: String(made.body.id),
    reason: 'spam <b>',
  });
  expect((await harness.call('/v2/report', { method: 'POST', token, body: report })).status).toBe(
    201,
  );
  const { text } = await administrator.open('/admin/reports');
  expect(text).toMatch(/spam &lt;b&gt;/);
  const id = String(/name="id" value="(\d+)"/.exec(text)?.[1]);
  const fields = { form_token, id, action: 'hide', comment: 'indeed' };
  const { headers } = await administrator.post('/admin/reports/resolve', fields);
  expect(headers.get('location')).toBe('/admin/reports?did=report');
  expect(await statusOf(`/v2/note/${made.body.id}`)).toBe(403);
  expect((await administrator.open('/admin/reports?state=hidden')).text).toMatch(/indeed/);
});

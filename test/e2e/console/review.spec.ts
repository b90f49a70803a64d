import { Matcher } from '../../../src/moderation/matcher';
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

it('searches the texts of a page in one pass, also for many words in disguise', async () => {
  const words = Array.from('abcdefghij', (letter) => `badword${letter}`);
  await ban(harness, 'hold', ...words);
  const disguised = words.map((word) => word.replace('o', '0')).join(' ');
  const content = `${'c0c0 '.repeat(900)}${disguised}`;
  for (let made = 0; made < 5; made += 1) await queueNote(content);
  const find = jest.spyOn(Matcher.prototype, 'find');
  const locate = jest.spyOn(Matcher.prototype, 'locate');
  const { text } = await administrator.open('/admin/queue');
  const searched = [...find.mock.calls, ...locate.mock.calls].map(([part]) => part.length);
  jest.restoreAllMocks();
  expect(text.match(/<mark>badw0rd/g)).toHaveLength(5 * words.length);
  expect(searched.reduce((sum, length) => sum + length, 0)).toBeLessThan(6 * content.length);
  await decide(await entriesOf(), 'reject');
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
  // Reject also reaches a released text, and each decision of the last minute can be undone.
  await decide(first, 'reject');
  expect(await statusOf(anyone)).toBe(403);
  await decide(first, 'undo');
  expect(await statusOf(anyone)).toBe(200);
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
    'moderation.reject',
    'moderation.reopen',
    'moderation.reopen',
    'moderation.reject',
  ]);
});

it('a decision can no longer be undone after a minute', async () => {
  await queueNote('late');
  const [id = ''] = await entriesOf();
  await decide(id, 'release');
  await harness.database.source.query(
    `UPDATE moderation_queue SET decided_at = decided_at - interval '2 minutes' WHERE id = $1`,
    [id],
  );
  const { status, text } = await decide(id, 'undo');
  expect([status, /can no longer be undone/.test(text)]).toEqual([400, true]);
});

describe('reports', () => {
  let notes: string[];
  const report = async (id: string | undefined, by: string, reason: string): Promise<void> => {
    const body = new URLSearchParams({ kind: 'note', id: String(id), reason });
    expect((await harness.call('/v2/report', { method: 'POST', token: by, body })).status).toBe(
      201,
    );
  };
  const contentsOf = async (state = 'open'): Promise<string[]> => {
    const { text } = await administrator.open(`/admin/reports?state=${state}`);
    return [...text.matchAll(/id="report-(\d+)"/g)].map(([, id]) => String(id));
  };
  const resolve = async (id: string[], decision: string, comment = '') => {
    const fields = { form_token, id, decision, comment };
    const { headers, text } = await administrator.post('/admin/reports/resolve', fields);
    return headers.get('location') ?? text;
  };
  const statuses = () => Promise.all(notes.map((id) => statusOf(`/v2/note/${id}`)));

  beforeAll(async () => {
    notes = [];
    for (const title of ['One', 'Two']) {
      const body = new URLSearchParams({ title, content: 'words' });
      notes.push(
        (await harness.call('/v2/notes', { method: 'POST', token, body })).body.id as string,
      );
    }
    await report(notes[0], token, 'spam <b>');
    await report(notes[1], reader, 'rude');
    await report(notes[0], reader, 'a lie');
  });

  it('are one entry for a content, with all reporters and a link to its page', async () => {
    const { text } = await administrator.open('/admin/reports');
    const [, first = ''] = text.split('<article');
    for (const part of ['spam &lt;b&gt;', 'a lie', '2 reports', `href="/note/${notes[0]}/"`])
      expect(first).toContain(part);
    expect(await contentsOf()).toHaveLength(2);
    const today = (await administrator.open('/admin')).text;
    expect(today).toMatch(/<a href="\/admin\/reports">2<\/a>/);
  });

  it('are decided in bulk and undone within a minute; all of it is in the log', async () => {
    const ids = await contentsOf();
    const undo = `/admin/reports?undo=${ids.join('%2C')}`;
    expect(await resolve([], 'hide')).toBe('/admin/reports?did=unselected');
    expect(await resolve(ids, 'hide', 'indeed')).toBe(undo);
    expect(await statuses()).toEqual([403, 403]);
    expect((await administrator.open('/admin/reports?state=hidden')).text).toMatch(/indeed/);
    expect((await contentsOf('hidden')).sort()).toEqual(ids);
    expect((await administrator.open(undo)).text).toMatch(/value="undo"/);
    expect(await resolve(ids, 'undo')).toBe('/admin/reports');
    expect(await statuses()).toEqual([200, 200]);
    expect([await contentsOf(), await contentsOf('hidden')]).toEqual([ids, []]);
    expect(await entriesOf('rejected')).not.toContain(notes[0]);
    expect(await resolve(ids.slice(0, 1), 'dismiss')).toBe(`/admin/reports?undo=${ids[0]}`);
    expect(await resolve(ids, 'dismiss')).toBe(`/admin/reports?undo=${ids[1]}&failed=1`);
    expect(await resolve(ids, 'undo')).toBe('/admin/reports');
    const rows = await harness.source.query<{ entry: string }[]>(
      `SELECT action || ' ' || count(*) AS entry FROM audit_log
       WHERE action ~ '^report|hide$' GROUP BY action ORDER BY 1`,
    );
    expect(rows.map(({ entry }) => entry)).toEqual([
      ...['moderation.hide 2', 'moderation.unhide 2', 'report.dismiss 3', 'report.hide 3'],
      'report.reopen 6',
    ]);
  });

  it('stay decided after a minute, or when their content was decided again', async () => {
    const [first = '', second = ''] = await contentsOf();
    await resolve([first, second], 'hide');
    const [entry = ''] = (await entriesOf('rejected')).slice(-1);
    await decide(entry, 'release');
    expect(await resolve([second], 'undo')).toMatch(/Hiding this content cannot be undone/);
    for (const table of ['reports', 'moderation_queue'])
      await harness.source.query(
        `UPDATE ${table} SET decided_at = decided_at - interval '2 minutes'`,
      );
    expect(await resolve([first], 'undo')).toMatch(/Hiding this content cannot be undone/);
    expect(await statuses()).toEqual([403, 200]);
    expect(await contentsOf()).toEqual([]);
  });
});

it('shows the tags of a collection and the chapter of an annotation', async () => {
  const path = `/v2/book/${await new Factories(harness.database).aBook()}`;
  const post = (place: string, fields: Record<string, string>) =>
    harness.call(path + place, { method: 'POST', token, body: new URLSearchParams(fields) });
  await post('/collection', { status: 'read', tags: 'casino-tag fine' });
  await post('/annotations', { chapter: 'casino chapter', content: 'An annotation that is long.' });
  const { text } = await administrator.open('/admin/queue');
  for (const shown of ['<mark>casino</mark>-tag fine', '<mark>casino</mark> chapter']) {
    expect(text).toContain(shown);
  }
  await decide(await entriesOf(), 'reject');
});

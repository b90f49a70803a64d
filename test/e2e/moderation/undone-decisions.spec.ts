import { checkBooks } from '../../../src/import-export/engine/recount';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer, type Writer } from '../books/writes';
import { signedInAdministrator } from '../console/administrator';
import { hiddenFields, type Browser, type Fields } from '../oauth/browser';
import { queuedBehind } from '../oauth/lock-row';
import { ban } from './words';

let harness: Harness;
let make: Factories;
let first: Moderator;
let second: Moderator;
let author: Writer;
let reader: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  [first, second] = [await aModerator('first'), await aModerator('second')];
  reader = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', 'casino');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

interface Moderator {
  readonly browser: Browser;
  readonly form_token: string;
}
async function aModerator(uid: string): Promise<Moderator> {
  const browser = await signedInAdministrator(harness, uid);
  const { form_token = '' } = hiddenFields((await browser.open('/admin')).text);
  return { browser, form_token };
}

interface Entry {
  readonly id: string;
  readonly state: string;
  readonly decided_by: string | null;
  readonly decided: string | null;
}
/** The queue entries of the author's text, oldest first. */
const entries = (): Promise<Entry[]> =>
  harness.source.query(
    `SELECT id::text, coalesce(decision, 'open') AS state, decided_by, decided_at::text AS decided
     FROM moderation_queue WHERE user_id = $1 ORDER BY moderation_queue.id`,
    [author.id],
  );
const decisions = async (): Promise<string[]> =>
  (await entries()).map(({ state, decided_by }) => [state, decided_by ?? 'nobody'].join(' by '));

async function send(path: string, by: Moderator, decision: string, id?: string): Promise<void> {
  const fields = { form_token: by.form_token, decision, id: id ?? '' };
  expect((await by.browser.post(path, fields)).status).toBe(303);
}
/** Decides the last entry of the author's text. */
const decide = async (by: Moderator, decision: string): Promise<void> =>
  send('/admin/queue/decide', by, decision, (await entries()).at(-1)?.id);

/** Changes the times of all decisions about the author's text. */
const passMinutes = (minutes: number): Promise<unknown> =>
  harness.source.query(
    `UPDATE moderation_queue SET decided_at = decided_at - make_interval(mins => $2)
     WHERE user_id = $1`,
    [author.id, minutes],
  );

/** A note of the author. */
async function aNote(content: string) {
  const { status, body } = await author.post('/v2/notes', { title: 'A note', content });
  expect(status).toBe(201);
  const path = `/v2/note/${body.id}`;
  return {
    id: body.id as string,
    edit: async (other: string) => {
      expect((await author.put(path, { title: 'A note', content: other })).status).toBe(202);
    },
    isVisible: async () => (await reader.get(path)).status === 200,
  };
}

/** Hides a note after a report. */
async function hideReported(by: Moderator, id: string): Promise<void> {
  await reader.post('/v2/report', { kind: 'note', id, reason: 'rude' });
  const [report] = await harness.source.query<{ id: string }[]>(
    `SELECT id::text FROM reports WHERE kind = 'note' AND target_id = $1`,
    [id],
  );
  await send('/admin/reports/resolve', by, 'hide', report?.id);
}

/** A note that the second moderator rejected some time ago. */
const REJECTED = {
  'in the queue': async () => {
    const note = await aNote('casino');
    await decide(second, 'reject');
    return note;
  },
  'after a report': async () => {
    const note = await aNote('rude');
    await hideReported(second, note.id);
    return note;
  },
};

describe.each(Object.entries(REJECTED))('a text that was rejected %s', (_where, aRejectedNote) => {
  it('is rejected as before when its release is undone: its next version waits', async () => {
    const note = await aRejectedNote();
    await passMinutes(3);
    const before = await entries();
    await decide(first, 'release');
    expect(await note.isVisible()).toBe(true);
    await decide(first, 'undo');
    expect(await entries()).toEqual(before);
    expect(await note.isVisible()).toBe(false);
    await note.edit('fine');
    expect(await decisions()).toEqual(['rejected by second', 'open by nobody']);
    expect(await note.isVisible()).toBe(false);
  });
});

/** Stores an open entry of a visible note, as an import can do. */
const enqueueVisible = (noteId: string): Promise<unknown> =>
  harness.source.query(
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
     VALUES ('note', $1, $2, '{}', 'rude')`,
    [noteId, author.id],
  );

it.each(['release', 'reject'])(
  'an open entry below a decided one can be decided: %s',
  async (decision) => {
    const note = await aNote('rude');
    await enqueueVisible(note.id);
    await hideReported(first, note.id);
    // Times have whole seconds.
    await harness.source.query(
      `UPDATE moderation_queue SET decided_at = decided_at - interval '5 seconds'
       WHERE target_id = $1 AND decision IS NOT NULL`,
      [note.id],
    );
    const [open, hidden] = await entries();
    await send('/admin/queue/decide', second, decision, open?.id);
    const state = `${decision}${decision === 'reject' ? 'ed' : 'd'}`;
    expect(await decisions()).toEqual([`${state} by second`, 'rejected by first']);
    expect(await note.isVisible()).toBe(decision === 'release');
    // The later decision counts: that of the other entry cannot be changed any more.
    const fields = { form_token: first.form_token, decision: 'release', id: hidden?.id ?? '' };
    expect((await first.browser.post('/admin/queue/decide', fields)).status).toBe(400);
    await send('/admin/queue/decide', second, 'undo', open?.id);
    expect(await decisions()).toEqual(['open by nobody', 'rejected by first']);
    expect(await note.isVisible()).toBe(false);
  },
);

it('a decision is not undone while an earlier entry of the same text is open', async () => {
  const note = await aNote('rude');
  await enqueueVisible(note.id);
  await hideReported(first, note.id);
  const before = await entries();
  expect(before).toMatchObject([{ state: 'open' }, { state: 'rejected', decided_by: 'first' }]);
  const fields = { form_token: first.form_token, decision: 'undo', id: before[1]?.id ?? '' };
  const { status, text } = await first.browser.post('/admin/queue/decide', fields);
  expect(status).toBe(400);
  expect(text).toContain('can no longer be undone');
  expect(await entries()).toEqual(before);
  expect(await note.isVisible()).toBe(false);
});

it('a released text is released as before when its rejection is undone', async () => {
  const path = `/v2/book/${await make.aBook()}/collection`;
  const fields = { status: 'read', rating: 4, tags: 'one', comment: 'casino' };
  expect((await author.post(path, fields)).status).toBe(201);
  const isVisible = async () =>
    (await reader.get(`${path}?user_id=${author.id}`)).status === 200 &&
    (await checkBooks(harness.database, { repair: false })).length === 0;
  await decide(first, 'release');
  const before = await entries();
  await decide(second, 'reject');
  expect(await isVisible()).toBe(false);
  await decide(second, 'undo');
  expect(await entries()).toEqual(before);
  expect(await isVisible()).toBe(true);
});

it('a moderator can undo several decisions about a text, until it is in the queue again', async () => {
  const note = await aNote('casino');
  for (const decision of ['release', 'reject', 'release']) await decide(first, decision);
  const seen: unknown[] = [];
  for (let undone = 0; undone < 3; undone += 1) {
    await decide(first, 'undo');
    seen.push([...(await decisions()), await note.isVisible()]);
  }
  expect(seen).toEqual([
    ['rejected by first', false],
    ['released by first', true],
    ['open by nobody', false],
  ]);
  await note.edit('fine');
  expect(await note.isVisible()).toBe(true);
});

/** The fields of a form on the page of the queue that undoes decisions; the last one undoes all. */
async function undoForm({ browser }: Moderator, at: number): Promise<Fields> {
  const { text } = await browser.open('/admin/queue');
  const forms = [...text.matchAll(/<form[^]*?<\/form>/g)].map(([form]) => form);
  const form = forms.filter((one) => one.includes('value="undo"')).at(at);
  const valuesOf = (name: string) =>
    [...(form ?? '').matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) =>
      String(value),
    );
  return { ...hiddenFields(form ?? ''), id: valuesOf('id'), undone: valuesOf('undone') };
}

it.each([
  ['the last decision', 0, 1],
  ['all decisions', -1, 2],
])(
  'a repeated form that undoes %s does not undo the decision before it',
  async (_what, at, least) => {
    await aNote('casino');
    await decide(first, 'release');
    author = await writer(harness, (await make.aUser()).id);
    const note = await aNote('casino');
    for (const decision of ['release', 'reject']) await decide(first, decision);
    const fields = await undoForm(first, at);
    expect(fields.id?.length).toBeGreaterThanOrEqual(least);
    const undo = async () => (await first.browser.post('/admin/queue/decide', fields)).status;
    expect([await undo(), await undo()]).toEqual([303, 400]);
    expect(await decisions()).toEqual(['released by first']);
    expect(await note.isVisible()).toBe(true);
  },
);

it('a decision is not undone when an import stores an open entry of the text meanwhile', async () => {
  const note = await aNote('casino');
  await decide(first, 'reject');
  const before = await entries();
  const fields = { form_token: first.form_token, decision: 'undo', id: before[0]?.id ?? '' };
  const responses = await queuedBehind(
    harness.url,
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
     VALUES ('note', $1, $2, '{}', 'casino')`,
    [note.id, author.id],
    [() => first.browser.post('/admin/queue/decide', fields)],
  );
  expect(responses.map(({ status }) => status)).toEqual([400]);
  expect(responses[0]?.text).toContain('can no longer be undone');
  expect(await decisions()).toEqual(['rejected by first', 'open by nobody']);
  expect(await note.isVisible()).toBe(false);
});

import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { writer, type Writer } from '../books/writes';
import { ban } from '../moderation/words';
import { hiddenFields, type Browser } from '../oauth/browser';
import { queuedBehind } from '../oauth/lock-row';
import { signedInAdministrator } from './administrator';

interface Moderator {
  readonly uid: string;
  readonly browser: Browser;
  readonly form_token: string;
}

let harness: Harness;
let make: Factories;
let moderator: Moderator;
let colleague: Moderator;
let reporters: Writer[];
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  moderator = await aModerator('first');
  colleague = await aModerator('second');
  reporters = await Promise.all(
    ['one', 'two'].map(async () => writer(harness, (await make.aUser()).id)),
  );
});
afterAll(() => harness.close());

async function aModerator(uid: string): Promise<Moderator> {
  const browser = await signedInAdministrator(harness, uid);
  const { form_token = '' } = hiddenFields((await browser.open('/admin')).text);
  return { uid, browser, form_token };
}

const DONE = 303;
const decide = (decision: string, id: string, by = moderator): Promise<TestResponse> =>
  by.browser.post('/admin/reports/resolve', { form_token: by.form_token, decision, id });

/** Ids that the page offers to undo, last decision first. */
async function offeredTo({ browser }: Moderator): Promise<string[]> {
  const { text } = await browser.open('/admin/reports');
  const forms = [...text.matchAll(/<form[^]*?<\/form>/g)].map(([form]) => form);
  const undo = forms.filter((form) => form.includes('value="undo"'));
  return [...(undo.at(-1) ?? '').matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => String(id));
}

/** A reported note; its reports have names by their order. */
class Reported {
  constructor(readonly note: number) {}

  report(by: number): Promise<TestResponse> {
    const fields = { kind: 'note', id: String(this.note), reason: 'bad' };
    return (reporters[by] as Writer).post('/v2/report', fields);
  }

  /** The states of all reports, oldest first. */
  async states(): Promise<string[]> {
    return (await this.rows()).map(({ state }) => state);
  }

  async ids(): Promise<string[]> {
    return (await this.rows()).map(({ id }) => id);
  }

  /** Reports and decides: `by` are numbers of reporters. @returns the id of the first new report */
  async decided(decision: string, by: readonly number[], who = moderator): Promise<string> {
    const before = (await this.ids()).length;
    for (const one of by) expect((await this.report(one)).status).toBe(201);
    const id = (await this.ids())[before] ?? '';
    expect((await decide(decision, id, who)).status).toBe(DONE);
    return id;
  }

  /** Id of the latest entry of the moderation queue. */
  async latestEntry(): Promise<number> {
    const [entry] = await harness.source.query<{ id: number }[]>(
      `SELECT id::int FROM moderation_queue WHERE kind = 'note' AND target_id = $1
       ORDER BY id DESC LIMIT 1`,
      [this.note],
    );
    return entry?.id ?? 0;
  }

  rows(): Promise<{ id: string; state: string; second: string }[]> {
    return harness.source.query(
      `SELECT r.id::text, coalesce(r.decision, 'open') AS state,
         date_trunc('second', r.decided_at)::text AS second
       FROM reports r WHERE r.kind = 'note' AND r.target_id = $1 ORDER BY r.id`,
      [this.note],
    );
  }
}

const aReportedNote = async (): Promise<Reported> => new Reported((await make.aNote()).id);

/** A note whose author can edit it. */
async function aWrittenNote(): Promise<{ author: Writer; content: Reported }> {
  const author = await writer(harness, (await make.aUser()).id);
  const { body } = await author.post('/v2/notes', { title: 'A note', content: 'content' });
  return { author, content: new Reported(Number(body.id)) };
}

/** Decides about new notes until all decisions about one were in the same second. */
async function inOneSecond(
  decisions: (content: Reported) => Promise<string[]>,
): Promise<{ content: Reported; ids: string[] }> {
  for (;;) {
    const content = await aReportedNote();
    const ids = await decisions(content);
    const seconds = new Set((await content.rows()).map(({ second }) => second));
    if (seconds.size === 1) return { content, ids };
    await harness.source.query('DELETE FROM reports WHERE target_id = $1', [content.note]);
  }
}

it('opens the reports of one decision, not those of another one in the same second', async () => {
  const { content, ids } = await inOneSecond(async (one) => [
    await one.decided('dismiss', [0, 1]),
    await one.decided('dismiss', [0]),
  ]);
  const [first = '', second = ''] = ids;
  const list = (await moderator.browser.open('/admin/reports?state=dismissed')).text;
  expect([...list.matchAll(/id="report-(\d+)"/g)].map(([, id]) => id)).toEqual([second, first]);
  expect(await offeredTo(moderator)).toEqual([second, first]);
  expect((await decide('undo', second)).status).toBe(DONE);
  expect(await content.states()).toEqual(['dismissed', 'dismissed', 'open']);
  // The first reporter has an open report; the report of the other one returns.
  expect((await decide('undo', first)).status).toBe(DONE);
  expect(await content.states()).toEqual(['dismissed', 'open', 'open']);
  expect(await offeredTo(moderator)).toEqual([]);
  const again = await decide('undo', first);
  expect([again.status, /can no longer be undone/.test(again.text)]).toEqual([400, true]);
});

it('opens the reports of a moderator, not those of another one in the same second', async () => {
  const { content, ids } = await inOneSecond(async (one) => [
    await one.decided('dismiss', [0]),
    await one.decided('dismiss', [1], colleague),
  ]);
  const [first = '', second = ''] = ids;
  expect([await offeredTo(moderator), await offeredTo(colleague)]).toEqual([[first], [second]]);
  expect((await decide('undo', second)).status).toBe(400);
  expect((await decide('undo', first)).status).toBe(DONE);
  expect(await content.states()).toEqual(['open', 'dismissed']);
  expect((await decide('undo', second, colleague)).status).toBe(DONE);
  expect(await content.states()).toEqual(['open', 'open']);
});

it('cannot be undone when its reporters have reported the content again', async () => {
  const content = await aReportedNote();
  const id = await content.decided('dismiss', [0]);
  expect((await content.report(0)).status).toBe(201);
  expect(await offeredTo(moderator)).toEqual([]);
  expect((await decide('undo', id)).status).toBe(400);
  expect(await content.states()).toEqual(['dismissed', 'open']);
});

/** Stops new reports of a user: PostgreSQL locks the user's row for their foreign key. */
const REPORTER = 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE';

it('opens the reports of others when a user reports the content again meanwhile', async () => {
  const content = await aReportedNote();
  const id = await content.decided('dismiss', [0, 1]);
  const responses = await queuedBehind(
    harness.url,
    REPORTER,
    [reporters[0]?.id],
    [() => content.report(0), () => decide('undo', id)],
  );
  expect(responses.map(({ status }) => status)).toEqual([201, DONE]);
  expect(await content.states()).toEqual(['dismissed', 'open', 'open']);
});

it('shows hidden content again when a user reports it meanwhile', async () => {
  const content = await aReportedNote();
  const id = await content.decided('hide', [0]);
  // The report of a user who saw the content before it was hidden.
  await harness.source.query(
    `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ('note', $1, $2, 'late')`,
    [content.note, reporters[0]?.id],
  );
  expect(await offeredTo(moderator)).toEqual([id]);
  expect((await decide('undo', id)).status).toBe(DONE);
  expect(await content.states()).toEqual(['hidden', 'open']);
  expect((await reporters[1]?.get(`/v2/note/${content.note}`))?.status).toBe(200);
});

it('follows an edit of the content: hiding cannot be undone after it', async () => {
  const { author, content } = await aWrittenNote();
  const id = await content.decided('hide', [0]);
  // Stops the new queue entry of the author.
  const responses = await queuedBehind(
    harness.url,
    REPORTER,
    [author.id],
    [
      () => author.put(`/v2/note/${content.note}`, { title: 'A note', content: 'other' }),
      () => decide('undo', id),
    ],
  );
  expect(responses.map(({ status }) => status)).toEqual([202, 400]);
  expect(await content.states()).toEqual(['hidden']);
  expect((await reporters[1]?.get(`/v2/note/${content.note}`))?.status).toBe(403);
});

it('cannot be undone when a later version was rejected', async () => {
  const { author, content } = await aWrittenNote();
  const id = await content.decided('hide', [0]);
  for (const text of ['other', 'and another']) {
    await author.put(`/v2/note/${content.note}`, { title: 'A note', content: text });
  }
  const [entry] = await harness.source.query<{ id: number }[]>(
    `SELECT id::int FROM moderation_queue WHERE target_id = $1 AND decision IS NULL`,
    [content.note],
  );
  const queue = harness.app.get(ModerationQueueService, { strict: false });
  await queue.reject(entry?.id ?? 0, moderator.uid);
  expect((await decide('undo', id)).status).toBe(400);
  expect((await reporters[1]?.get(`/v2/note/${content.note}`))?.status).toBe(403);
});

it('cannot be undone when the hidden text was released and rejected again', async () => {
  const content = await aReportedNote();
  const id = await content.decided('hide', [0]);
  const entry = await content.latestEntry();
  const queue = harness.app.get(ModerationQueueService, { strict: false });
  await queue.release(entry, moderator.uid);
  // Decisions have whole seconds, and those of a person are further apart.
  await harness.source.query(
    `UPDATE reports SET decided_at = decided_at - interval '2 seconds' WHERE id = $1`,
    [id],
  );
  await queue.reject(entry, moderator.uid);
  expect((await decide('undo', id)).status).toBe(400);
  expect((await reporters[1]?.get(`/v2/note/${content.note}`))?.status).toBe(403);
});

it('cannot be undone when the released text was edited and rejected', async () => {
  const { author, content } = await aWrittenNote();
  const id = await content.decided('hide', [0]);
  const queue = harness.app.get(ModerationQueueService, { strict: false });
  await queue.release(await content.latestEntry(), moderator.uid);
  await ban(harness, 'hold', 'grobnik');
  await author.put(`/v2/note/${content.note}`, { title: 'A note', content: 'a grobnik' });
  await queue.reject(await content.latestEntry(), moderator.uid);
  expect((await decide('undo', id)).status).toBe(400);
  expect((await reporters[1]?.get(`/v2/note/${content.note}`))?.status).toBe(403);
});

import { checkBooks } from '../../../src/import-export/engine/recount';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { writer, type Fields, type Writer } from '../books/writes';
import { signedInAdministrator } from '../console/administrator';
import { hiddenFields, type Browser } from '../oauth/browser';
import { queuedBehind, untilWaiting, whileLocked } from '../oauth/lock-row';
import { ban } from './words';

/** Stops decisions before COMMIT, when they have changed everything but the audit log. */
const AUDIT_LOG = 'LOCK TABLE audit_log IN SHARE MODE';
/** Stops new queue entries of a user: PostgreSQL locks the user's row for their foreign key. */
const AUTHOR = 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE';
const ENTRY = 'SELECT 1 FROM moderation_queue WHERE id = $1 FOR UPDATE';

let harness: Harness;
let make: Factories;
let moderator: Browser;
let form_token: string;
let author: Writer;
let reader: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  moderator = await signedInAdministrator(harness, 'moderator');
  form_token = hiddenFields((await moderator.open('/admin')).text).form_token ?? '';
  reader = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', 'casino');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

interface Entry {
  readonly id: string;
  readonly state: string;
}
/** The queue entries of the author's text, oldest first. */
const entries = (): Promise<Entry[]> =>
  harness.source.query(
    `SELECT h.id::text, coalesce(h.decision, 'open') AS state FROM moderation_queue h
     WHERE h.user_id = $1 ORDER BY h.id`,
    [author.id],
  );
const states = async (): Promise<string[]> => (await entries()).map(({ state }) => state);
const latest = async (): Promise<string> => (await entries()).at(-1)?.id ?? '';

const decide = (id: string, decision: string): Promise<TestResponse> =>
  moderator.post('/admin/queue/decide', { form_token, id, decision });
const statusesOf = (responses: readonly TestResponse[]): number[] =>
  responses.map(({ status }) => status);
const DONE = 303;

/** A text of the author. */
interface Text {
  readonly write: (content: string) => Promise<TestResponse>;
  readonly remove: () => Promise<TestResponse>;
  /** Whether the reader sees it. */
  readonly isVisible: () => Promise<boolean>;
}

/** Creates a text, and returns requests about it. */
async function aText(list: string, one: string, fields: (content: string) => Fields, table = '') {
  const { status, body } = await author.post(list, fields('casino'));
  expect(status).toBe(201);
  const path = one.replace(':id', body.id as string);
  return {
    write: (content: string) => author.put(path, fields(content)),
    remove: () => author.remove(path),
    isVisible: async () =>
      table === ''
        ? (await reader.get(path)).status === 200
        : (
            await harness.source.query(`SELECT 1 FROM ${table} WHERE id = $1 AND NOT hidden`, [
              body.id,
            ])
          ).length === 1,
  };
}

const TEXTS: Readonly<Record<string, () => Promise<Text>>> = {
  note: () => aText('/v2/notes', '/v2/note/:id', (content) => ({ title: 'A note', content })),
  annotation: async () =>
    aText(`/v2/book/${await make.aBook()}/annotations`, '/v2/book/annotation/:id', (content) => ({
      content: `${content}, in a long enough annotation`,
      page: 3,
    })),
  review: async () => {
    const book = await make.aBook();
    const fields = (content: string) => ({ book, title: 'R', content: content.padEnd(200, '.') });
    // No address of the interface shows reviews of books.
    return aText('/v2/book/reviews', '/v2/book/review/:id', fields, 'reviews');
  },
  collection: async () => {
    const path = `/v2/book/${await make.aBook()}/collection`;
    const fields = (comment: string) => ({ status: 'read', tags: 'one', comment });
    return aText(path, path, fields, 'collections');
  },
};
const KINDS = Object.keys(TEXTS);
const aTextOf = (kind: string): Promise<Text> => (TEXTS[kind] as () => Promise<Text>)();

describe.each(KINDS)('the author of a text edits it (%s)', (kind) => {
  let text: Text;
  let entry: string;
  beforeEach(async () => {
    text = await aTextOf(kind);
    entry = await latest();
  });
  afterEach(async () => {
    expect(await checkBooks(harness.database, { repair: false })).toEqual([]);
  });

  it('while a moderator rejects it: the next version is in the queue', async () => {
    const responses = await queuedBehind(
      harness.url,
      AUDIT_LOG,
      [],
      [() => decide(entry, 'reject'), () => text.write('fine')],
    );
    expect(statusesOf(responses)).toEqual([DONE, 202]);
    expect([await text.isVisible(), await states()]).toEqual([false, ['rejected', 'open']]);
  });

  it('before a moderator rejects it: the moderator learns that it has changed', async () => {
    const responses = await queuedBehind(
      harness.url,
      ENTRY,
      [entry],
      [() => text.write('fine'), () => decide(entry, 'reject')],
    );
    expect(statusesOf(responses)).toEqual([202, 400]);
    expect([await text.isVisible(), await states()]).toEqual([true, ['withdrawn']]);
  });

  it('while a moderator undoes its rejection: the next version replaces the open one', async () => {
    await decide(entry, 'reject');
    const responses = await queuedBehind(
      harness.url,
      AUDIT_LOG,
      [],
      [() => decide(entry, 'undo'), () => text.write('casino again')],
    );
    expect(statusesOf(responses)).toEqual([DONE, 202]);
    expect([await text.isVisible(), await states()]).toEqual([false, ['withdrawn', 'open']]);
  });

  it('before a moderator undoes its rejection: it cannot be undone', async () => {
    await decide(entry, 'reject');
    const responses = await queuedBehind(
      harness.url,
      AUTHOR,
      [author.id],
      [() => text.write('fine'), () => decide(entry, 'undo')],
    );
    expect(statusesOf(responses)).toEqual([202, 400]);
    expect(responses[1]?.text).toMatch(/can no longer be undone/);
    expect([await text.isVisible(), await states()]).toEqual([false, ['rejected', 'open']]);
  });

  it('while a moderator undoes its release: it follows the undoing', async () => {
    await decide(entry, 'release');
    const responses = await queuedBehind(
      harness.url,
      AUDIT_LOG,
      [],
      [() => decide(entry, 'undo'), () => text.write('fine')],
    );
    expect(statusesOf(responses)).toEqual([DONE, 202]);
    expect([await text.isVisible(), await states()]).toEqual([true, ['withdrawn']]);
  });
});

describe.each(KINDS)('the author of a text deletes it (%s)', (kind) => {
  const deleted = kind === 'note' || kind === 'review' ? 200 : 204;

  it('while a moderator undoes its rejection: no entry stays in the queue', async () => {
    const text = await aTextOf(kind);
    const entry = await latest();
    await decide(entry, 'reject');
    const responses = await queuedBehind(
      harness.url,
      AUDIT_LOG,
      [],
      [() => decide(entry, 'undo'), () => text.remove()],
    );
    expect(statusesOf(responses)).toEqual([DONE, deleted]);
    expect(await states()).toEqual(['withdrawn']);
  });

  it('before a moderator undoes its rejection: it cannot be undone', async () => {
    const text = await aTextOf(kind);
    const entry = await latest();
    await decide(entry, 'reject');
    expect((await text.remove()).status).toBe(deleted);
    expect((await decide(entry, 'undo')).status).toBe(400);
    expect(await states()).toEqual(['rejected']);
  });
});

it.each([
  { first: 'release', second: 'reject', isVisible: true, state: 'released' },
  { first: 'reject', second: 'release', isVisible: false, state: 'rejected' },
] as const)(
  'the $second of one moderator does not overrule the $first of another meanwhile',
  async ({ first, second, isVisible, state }) => {
    const text = await aTextOf('note');
    const entry = await latest();
    const decisions = [() => decide(entry, first), () => decide(entry, second)];
    const responses = await queuedBehind(harness.url, ENTRY, [entry], decisions);
    expect(statusesOf(responses)).toEqual([DONE, 400]);
    expect([await text.isVisible(), await states()]).toEqual([isVisible, [state]]);
  },
);

it('a moderator who loses the role decides no further texts', async () => {
  const former = await signedInAdministrator(harness, 'former');
  const token = hiddenFields((await former.open('/admin')).text).form_token ?? '';
  const [first, second] = [await aTextOf('note'), await aTextOf('note')];
  const ids = (await entries()).map(({ id }) => id);
  const [response] = await whileLocked(harness.url, ENTRY, [ids[0]], async (watcher) => {
    const deciding = former.post('/admin/queue/decide', {
      ...{ form_token: token, id: ids, decision: 'release' },
    });
    await untilWaiting(watcher, 1);
    await harness.source.query(`UPDATE users SET role = 'member' WHERE uid = 'former'`);
    return [deciding];
  });
  expect(response?.status).toBe(403);
  expect([await first.isVisible(), await second.isVisible()]).toEqual([true, false]);
});

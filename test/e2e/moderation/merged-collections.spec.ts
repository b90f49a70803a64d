import { checkTagCounts } from '../../../src/books/tag-counts';
import { checkBooks } from '../../../src/import-export/engine/recount';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { anAdministrator, type Administrator } from '../admin/administrators';
import { writer, type Writer } from '../books/writes';
import { queuedBehind } from '../oauth/lock-row';
import { ban } from './words';

/** Stops a merge before COMMIT, when it has locked and changed everything but the audit log. */
const AUDIT_LOG = 'LOCK TABLE audit_log IN SHARE MODE';

let harness: Harness;
let make: Factories;
let administrator: Administrator;
let author: Writer;
let reader: Writer;
let former: number;
let survivor: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  administrator = await anAdministrator(harness);
  reader = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', 'casino');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
  [former, survivor] = (await make.books(2)) as [number, number];
});
afterEach(async () => {
  const check = { repair: false };
  expect(await checkBooks(harness.database, check)).toEqual([]);
  expect(await checkTagCounts(harness.database, check)).toEqual([]);
});
afterAll(() => harness.close());

async function collect(book: number, comment: string, tags = 'one two'): Promise<void> {
  const fields = { status: 'read', rating: 4, tags, comment };
  expect((await author.post(`/v2/book/${book}/collection`, fields)).status).toBe(201);
}

const change = (book: number, comment: string): Promise<TestResponse> =>
  author.put(`/v2/book/${book}/collection`, { status: 'read', tags: 'one two', comment });

/** The id of the author's queue entry. */
async function entry(): Promise<string> {
  const [row] = await harness.source.query<{ id: string }[]>(
    'SELECT id::text FROM moderation_queue WHERE user_id = $1',
    [author.id],
  );
  return String(row?.id);
}

const merge = () => administrator.post(`/books/${former}/merge`, { into: survivor });
/** A merge, and a request that waits for it. */
const duringMerge = async (request: () => Promise<TestResponse>): Promise<number[]> =>
  (await queuedBehind(harness.url, AUDIT_LOG, [], [merge, request])).map(({ status }) => status);
const decide = (id: string, decision: string) => () =>
  administrator.post(`/moderation/queue/${id}/${decision}`);
const seen = async (): Promise<TestResponse> =>
  reader.get(`/v2/book/${survivor}/collection?user_id=${author.id}`);
const tagsOf = async (): Promise<string[]> => {
  const { body } = await harness.call(`/v2/book/${survivor}`);
  return body.tags.map(({ name }: { name: string }) => name).sort();
};

interface Report {
  readonly id: string;
  readonly target_id: string;
}
/** The open report of the reader about the author's collection. */
async function report(book: number): Promise<Report> {
  const { body } = await author.get(`/v2/book/${book}/collection?user_id=${author.id}`);
  const fields = { kind: 'collection', id: body.id, reason: 'rude' };
  expect((await reader.post('/v2/report', fields)).status).toBe(201);
  return openReport();
}
/** The latest open report. */
async function openReport(): Promise<Report> {
  const { reports } = (await administrator.get('/reports?kind=collection&count=100')).body;
  return reports.at(-1);
}
const resolve = (id: string, action: string) => () =>
  administrator.post(`/reports/${id}/resolve`, { action });

describe('during a merge of books', () => {
  it('the tags of a released collection count for the surviving book', async () => {
    await collect(former, 'casino');
    expect(await duringMerge(decide(await entry(), 'release'))).toEqual([200, 200]);
    expect([(await seen()).status, await tagsOf()]).toEqual([200, ['one', 'two']]);
  });

  it('the tags of a collection that is rejected after its release do not count', async () => {
    await collect(former, 'casino');
    const id = await entry();
    await decide(id, 'release')();
    expect(await duringMerge(decide(id, 'reject'))).toEqual([200, 200]);
    expect([(await seen()).status, await tagsOf()]).toEqual([404, []]);
  });

  it('a release follows the text to the collection that stays', async () => {
    await collect(former, 'casino');
    await collect(survivor, 'fine');
    expect(await duringMerge(decide(await entry(), 'release'))).toEqual([200, 200]);
    expect([(await seen()).status, await tagsOf()]).toEqual([200, ['one', 'two']]);
  });

  it('a decision about a report follows the text to the collection that stays', async () => {
    await collect(former, 'rude');
    await collect(survivor, 'fine');
    const { id } = await report(former);
    expect(await duringMerge(resolve(id, 'hide'))).toEqual([200, 200]);
    expect([(await seen()).status, await tagsOf()]).toEqual([404, []]);
  });
});

it.each(['open', 'rejected'])(
  'a merge of a hidden collection whose entry is %s hides the one that stays, until its release',
  async (state) => {
    await collect(former, 'casino');
    if (state === 'rejected') await decide(await entry(), 'reject')();
    // The collection that stays has an entry of an earlier version.
    await collect(survivor, 'casino');
    expect((await change(survivor, 'fine')).status).toBe(202);
    expect([(await seen()).status, await tagsOf()]).toEqual([200, ['one', 'two']]);
    expect((await merge()).status).toBe(200);
    expect([(await seen()).status, await tagsOf()]).toEqual([404, []]);
    const { queue } = (await administrator.get(`/moderation/queue?state=${state}&count=100`)).body;
    const mine = queue.filter(({ user_id }: { user_id: string }) => user_id === String(author.id));
    expect(mine.at(-1)).toMatchObject({ words: ['casino'] });
    expect((await decide(mine.at(-1).id, 'release')()).status).toBe(200);
    expect([(await seen()).status, await tagsOf()]).toEqual([200, ['one', 'two']]);
  },
);

it('an open report follows the text to a collection that its reporter has reported before', async () => {
  await collect(former, 'rude');
  await collect(survivor, 'fine');
  const dismissed = await report(survivor);
  expect((await resolve(dismissed.id, 'dismiss')()).status).toBe(200);
  const { id } = await report(former);
  expect((await merge()).status).toBe(200);
  expect(await openReport()).toMatchObject({ id, target_id: dismissed.target_id });
  expect((await resolve(id, 'hide')()).status).toBe(200);
  expect((await seen()).status).toBe(404);
});

const tags = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);

it.each([
  [20, 0],
  [15, 5],
])(
  'a collection with %i tags takes %i from the other one, and its owner can save it again',
  async (own, taken) => {
    await collect(former, 'fine', tags('earlier', 20).join(' '));
    await collect(survivor, 'fine', tags('later', own).join(' '));
    expect((await merge()).status).toBe(200);
    const merged = (await seen()).body.tags;
    expect(merged).toEqual([...tags('later', own), ...tags('earlier', taken)]);
    const fields = { status: 'read', tags: merged.join(' ') };
    expect((await author.put(`/v2/book/${survivor}/collection`, fields)).status).toBe(202);
  },
);

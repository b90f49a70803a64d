import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { besideTransaction } from '../../until-blocked';
import { anAdministrator, type Administrator } from '../admin/administrators';
import { writer, type Writer } from '../books/writes';
import { ban } from './words';

let harness: Harness;
let make: Factories;
let administrator: Administrator;
let author: Writer;
let former: number;
let survivor: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  administrator = await anAdministrator(harness);
  await ban(harness, 'hold', 'casino');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
  [former, survivor] = (await make.books(2)) as [number, number];
});
afterAll(() => harness.close());

/** @returns the id of the collection */
async function collect(book: number, comment: string): Promise<string> {
  const fields = { status: 'read', comment };
  const { status, body } = await author.post(`/v2/book/${book}/collection`, fields);
  expect(status).toBe(201);
  return String(body.id);
}

const merge = () => administrator.post(`/books/${former}/merge`, { into: survivor });

interface Entry {
  readonly id: string;
  readonly target_id: string;
}
/** The author's entries in a state. */
async function entries(state: string): Promise<Entry[]> {
  const { queue } = (await administrator.get(`/moderation/queue?state=${state}&count=100`)).body;
  return queue.filter(({ user_id }: { user_id: string }) => user_id === String(author.id));
}

/** Adds an open entry of a visible text, as an import can. */
const INSERT_OPEN = `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
  VALUES ('collection', $1, $2, '{}', 'imported')`;

/** Expects one open entry of the remaining collection, with which a moderator can release it. */
async function expectOneOpen(kept: string): Promise<void> {
  const path = `/v2/book/${survivor}/collection?user_id=${author.id}`;
  const reader = await writer(harness, (await make.aUser()).id);
  expect((await reader.get(path)).status).toBe(404);
  const open = await entries('open');
  expect(open).toMatchObject([{ target_id: kept }]);
  const released = await administrator.post(`/moderation/queue/${open[0]?.id}/release`);
  expect(released.status).toBe(200);
  expect((await reader.get(path)).status).toBe(200);
}

it.each(['open', 'rejected'])(
  'a merge of a collection whose entry is %s with one that has an open entry keeps the latter',
  async (state) => {
    await collect(former, 'casino');
    if (state === 'rejected') {
      const [entry] = await entries('open');
      expect((await administrator.post(`/moderation/queue/${entry?.id}/reject`)).status).toBe(200);
    }
    const kept = await collect(survivor, 'fine');
    await harness.source.query(INSERT_OPEN, [kept, author.id]);
    expect((await merge()).status).toBe(200);
    await expectOneOpen(kept);
  },
);

it('a merge succeeds when an import adds an entry of the remaining collection meanwhile', async () => {
  await collect(former, 'casino');
  const kept = await collect(survivor, 'fine');
  const insert = [INSERT_OPEN, [kept, author.id]] as const;
  const { status } = await besideTransaction(harness.source, [insert], merge);
  expect(status).toBe(200);
  await expectOneOpen(kept);
});

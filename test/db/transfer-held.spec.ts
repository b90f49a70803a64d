import { HeldService } from '../../src/moderation/held.service';
import { openTestDatabase, type TestDatabase } from '../harness';
import { Transfer } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;
beforeAll(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});
afterAll(() => opened.close());

const TEXTS = {
  collection: { user_id: '1', book_id: '1', status: 'read', comment: 'Fine.' },
  annotation: { author_id: '1', book_id: '1', page_no: 1, content: 'An annotation.' },
  review: { author_id: '1', book_id: '1', title: 'On it', content: 'Fine.' },
};
const KINDS = ['collection', 'annotation', 'review'] as const;

it.each(KINDS)('a held %s stays held: exports say so, and no import publishes it', async (kind) => {
  const record = { id: 4711, ...TEXTS[kind] };
  const exported = async () => JSON.parse(await transfer.export(kind)) as { held?: boolean };
  const waiting = async () => {
    const { items } = await new HeldService(opened.database).list({ start: 0, count: 100 });
    return items.filter((row) => row.kind === kind).map(({ target_id }) => target_id);
  };
  await transfer.import(kind, JSON.stringify(record));
  expect([(await exported()).held, await waiting()]).toEqual([undefined, []]);
  await transfer.import(kind, JSON.stringify({ ...record, held: true }));
  expect([(await exported()).held, await waiting()]).toEqual([true, [4711]]);
  await transfer.import(kind, JSON.stringify(await exported()));
  await transfer.import(kind, JSON.stringify(record));
  expect([(await exported()).held, await waiting()]).toEqual([true, [4711]]);
});

import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { writer, type Fields, type Writer } from '../books/writes';
import { withRowLocked } from '../oauth/lock-row';

type Write = (id: string) => Promise<TestResponse>;

let harness: Harness;
let make: Factories;
let book: number;
let owner: Writer;
let other: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  book = await make.aBook();
  owner = await writer(harness, (await make.aUser()).id);
  other = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

const TEXT = 'x'.repeat(200);

async function aText(path: string, fields: Fields): Promise<string> {
  const made = await owner.post(path, fields);
  expect(made.status).toBe(201);
  return String(made.body.id);
}

/** Writes, with the table and the row that another transaction deletes meanwhile. */
const TARGETS: Record<string, readonly [string, () => Promise<string>, Record<string, Write>]> = {
  note: [
    'notes',
    () => aText('/v2/notes', { title: 'A note', content: 'content' }),
    {
      'a like': (id) => other.post(`/v2/note/${id}/like`),
      'an unlike': (id) => other.remove(`/v2/note/${id}/like`),
      'a comment': (id) => other.post(`/v2/note/${id}/comments`, { content: 'A comment' }),
      'an edit': (id) => owner.put(`/v2/note/${id}`, { title: 'New', content: 'New content' }),
      'its deletion': (id) => owner.remove(`/v2/note/${id}`),
    },
  ],
  annotation: [
    'annotations',
    () => aText(`/v2/book/${book}/annotations`, { content: TEXT, page: 1 }),
    {
      'an edit': (id) => owner.put(`/v2/book/annotation/${id}`, { content: TEXT, page: 2 }),
      'its deletion': (id) => owner.remove(`/v2/book/annotation/${id}`),
    },
  ],
  review: [
    'reviews',
    () => aText('/v2/book/reviews', { book, title: 'A review', content: TEXT }),
    {
      'an edit': (id) => owner.put(`/v2/book/review/${id}`, { title: 'New', content: TEXT }),
      'its deletion': (id) => owner.remove(`/v2/book/review/${id}`),
    },
  ],
  book: [
    'books',
    async () => String(await make.aBook()),
    {
      'a collection': (id) => owner.post(`/v2/book/${id}/collection`, { status: 'wish' }),
      'a change of a collection': (id) =>
        owner.put(`/v2/book/${id}/collection`, { status: 'read' }),
      'an annotation': (id) => owner.post(`/v2/book/${id}/annotations`, { content: TEXT, page: 1 }),
      'a review': (id) => owner.post('/v2/book/reviews', { book: id, title: 'x', content: TEXT }),
    },
  ],
  event: [
    'events',
    async () => String((await make.anEvent()).id),
    {
      'a participant': (id) => owner.post(`/v2/event/${id}/participants`),
      'a participant who leaves': (id) => owner.remove(`/v2/event/${id}/participants`),
      'a wisher': (id) => owner.post(`/v2/event/${id}/wishers`),
    },
  ],
};

const CASES = Object.entries(TARGETS).flatMap(([name, [table, create, writes]]) =>
  Object.entries(writes).map(([by, write]) => ({ name, by, table, create, write })),
);

it.each(CASES)('the target of a write, a $name, is deleted meanwhile: $by', async (one) => {
  const id = await one.create();
  const sql = `DELETE FROM ${one.table} WHERE id = $1`;
  const meanwhile = await withRowLocked(harness.url, sql, [id], () => one.write(id), 1);
  expect([400, 404]).toContain(meanwhile.status);
  // The response is the one for a target that never existed.
  const later = await one.write(id);
  expect([meanwhile.status, meanwhile.body.code]).toEqual([later.status, later.body.code]);
});

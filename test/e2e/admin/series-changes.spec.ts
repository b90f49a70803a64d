import { startHarness, type Harness } from '../../harness';
import { queuedBehind } from '../oauth/lock-row';
import { anAdministrator, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
});
afterAll(() => harness.close());

/** A series with a book, whose summary is edited while the series is changed. */
async function editDuring(change: (path: string) => Promise<unknown>): Promise<string> {
  const created = await admin.post('/series', { title: 'First title' });
  const { id } = created.body as { id: string };
  const book = await admin.post('/books', { title: 'Book', series: { id, title: 'First title' } });
  const path = `/books/${(book.body as { id: string }).id}`;
  await queuedBehind(
    harness.url,
    'SELECT 1 FROM series WHERE id = $1 FOR UPDATE',
    [id],
    [() => change(`/series/${id}`), () => admin.put(path, { summary: 'A new summary.' })],
  );
  return `/series/${id}`;
}

it('an edit of one of its books does not undo a new title of a series', async () => {
  const path = await editDuring((series) => admin.put(series, { title: 'Second title' }));
  expect((await admin.get(path)).body).toMatchObject({ title: 'Second title', books: 1 });
});

it('an edit of one of its books does not create a deleted series again', async () => {
  const path = await editDuring((series) => admin.remove(series));
  expect((await admin.get(path)).status).toBe(404);
});

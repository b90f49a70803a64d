import {
  AuthenticationError,
  Commonplace,
  memoryStorage,
  NotFoundError,
  PermissionError,
  type Book,
  type TokenStorage,
} from '../../clients/typescript/src';
import { consent, REDIRECT } from '../e2e/oauth/protocol';
import { somePicture } from './pictures';
import { unique } from './client';
import { Stage } from './stage';

/** The published TypeScript client, as a partner's page uses it, against the service. */
const stage = new Stage();
const word = unique();
let storage: TokenStorage;
let api: Commonplace;
let books: string[];

beforeAll(async () => {
  const person = await stage.person();
  const { clientId } = await stage.application(person, 'public');
  await stage.service.admin('PUT', `/applications/${clientId}/limit`, { per_hour: 0 });
  books = [];
  for (const title of ['One', 'Two', 'Three']) {
    books.push(await stage.make('/books', { title: `${title} ${word}` }));
  }
  storage = memoryStorage();
  api = new Commonplace({ baseUrl: String(process.env.SERVICE_URL), clientId, storage });
  const scopes = ['book_basic_r', 'book_basic_w', 'community_basic_note'];
  const pending = await api.prepareSignIn(REDIRECT, scopes);
  const { pathname, search } = new URL(pending.url);
  const back = await consent(person.browser, pathname + search);
  const tokens = await api.finishSignIn(back.href, pending);
  expect(tokens).toMatchObject({ user_name: person.uid, user_id: expect.any(String) });
});

afterAll(() => stage.close());

const bookOf = (at: number): { id: string } => ({ id: String(books[at]) });

describe('the TypeScript client', () => {
  it('collects a book, reads it with the collection, and deletes the collection', async () => {
    const path = bookOf(0);
    const body = { status: 'reading', rating: 4, tags: 'a b' } as const;
    const made = await api.post('/v2/book/{id}/collection', { path, body });
    expect(made).toMatchObject({ status: 'reading', rating: { value: '4' }, tags: ['a', 'b'] });
    const book: Book = await api.get('/v2/book/{id}', { path });
    expect(book.current_user_collection?.id).toBe(made.id);
    expect(await api.delete('/v2/book/{id}/collection', { path })).toBeUndefined();
    const missing = api.get('/v2/book/{id}/collection', { path });
    await expect(missing).rejects.toBeInstanceOf(NotFoundError);
    await expect(missing).rejects.toMatchObject({ code: 1001, status: 404 });
  });

  it('reads every page of a list', async () => {
    const titles: (string | undefined)[] = [];
    const query = { q: word, count: 2, fields: 'title' };
    for await (const { title } of api.list('/v2/book/search', { query })) titles.push(title);
    expect(titles.sort()).toEqual([`One ${word}`, `Three ${word}`, `Two ${word}`]);
  });

  it('repeats a write with the same key without a second effect', async () => {
    const init = {
      path: bookOf(1),
      body: { content: 'A remark that is long enough.', page: 3 },
      idempotencyKey: unique(),
    };
    const first = await api.post('/v2/book/{id}/annotations', init);
    const second = await api.post('/v2/book/{id}/annotations', init);
    expect(second).toEqual(first);
    const { total } = await api.get('/v2/book/{id}/annotations', { path: bookOf(1) });
    expect(total).toBe(1);
  });

  it('uploads the picture of a note', async () => {
    const bytes = await somePicture();
    const note = await api.post('/v2/notes', {
      body: { title: `Note ${word}`, content: '<图片p_1>', pids: 'p_1', privacy: 'private' },
      files: { image_1: new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }) },
    });
    expect(Object.keys(note.photos)).toEqual(['1']);
    await api.delete('/v2/note/{id}', { path: { id: note.id } });
  });

  it('reports a missing scope as an error of a class', async () => {
    const refused = api.get('/v2/movie/weekly');
    await expect(refused).rejects.toBeInstanceOf(PermissionError);
    await expect(refused).rejects.toMatchObject({ code: 1000, status: 403 });
  });

  it('refreshes its tokens once for parallel requests, and revokes them', async () => {
    const tokens = await storage.get();
    if (!tokens) throw new Error('nobody is signed in');
    await storage.set({ ...tokens, expires_at: 0 });
    const path = bookOf(2);
    const all = await Promise.all([1, 2, 3].map(() => api.get('/v2/book/{id}', { path })));
    expect(all.map(({ id }) => id)).toEqual([path.id, path.id, path.id]);
    const refreshed = await storage.get();
    expect(refreshed?.access_token).not.toBe(tokens.access_token);

    await api.signOut();
    expect(await storage.get()).toBeUndefined();
    await storage.set(refreshed);
    await expect(api.get('/v2/book/{id}', { path })).rejects.toBeInstanceOf(AuthenticationError);
  });
});

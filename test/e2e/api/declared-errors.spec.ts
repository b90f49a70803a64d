import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type CallOptions, type Harness } from '../../harness';
import { NO_PICTURES } from '../../service/pictures';

/** Errors of the OpenAPI documents that the specs of the areas do not cause. */
let harness: Harness;
let token: string;
let admin: string;
let annotation: number;
let note: number;
/** Creates a record of each type. */
let records: Record<string, () => Promise<number>>;
let magazine: number;

beforeAll(async () => {
  harness = await startHarness();
  const factories = new Factories(harness.database);
  const { id: userId } = await factories.aUser();
  token = await harness.token({ userId });
  const { id: adminId } = await factories.aUser();
  await harness.source.query("UPDATE users SET role = 'administrator' WHERE id = $1", [adminId]);
  const scopes = ['admin'];
  admin = await harness.token({ userId: adminId, scopes, approved: scopes });
  ({ id: annotation } = await factories.anAnnotation({ author_id: userId }));
  ({ id: note } = await factories.aNote({ author_id: userId }));
  const movies = new MovieFactories(harness.database);
  records = {
    books: () => factories.aBook(),
    celebrities: () => movies.aCelebrity(),
    events: async () => (await factories.anEvent()).id,
    locs: async () => (await factories.aCity()).id,
    photos: async () => {
      const subject_id = await movies.aSubject();
      const body = JSON.stringify({ subject_id, image: '/p.jpg' });
      const headers = { 'content-type': 'application/json' };
      const options = { method: 'POST', token: admin, headers, body };
      return (await harness.call('/admin/v1/photos', options)).body.id as number;
    },
    subjects: () => movies.aSubject(),
  };
  magazine = await factories.aBook();
  await harness.source.query("UPDATE books SET kind = 'magazine' WHERE id = $1", [magazine]);
});
afterAll(() => harness.close());

const codeOf = async (path: string, options: CallOptions): Promise<[number, number]> => {
  const { status, body } = await harness.call(path, { token, ...options });
  return [status, body.code];
};

describe.each(NO_PICTURES)('a picture that is %s', (_what, bytes, code) => {
  const send = (method: string, path: string, fields: Record<string, string>, part: string) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append(part, new Blob([Uint8Array.from(bytes)]), 'picture.jpg');
    return codeOf(path, { method, body });
  };

  it(`is ${code} in updates of annotations and notes, and in uploads to notes`, async () => {
    const content = { content: 'A remark that is long enough. <图片 n="5">', page: '1' };
    expect(await send('PUT', `/v2/book/annotation/${annotation}`, content, '5')).toEqual([
      400,
      code,
    ]);
    const fields = { title: 'T', content: '<图片p_1>', pids: 'p_1' };
    expect(await send('PUT', `/v2/note/${note}`, fields, 'image_1')).toEqual([400, code]);
    expect(await send('POST', `/v2/note/${note}`, { pids: 'p_1' }, 'image_1')).toEqual([400, code]);
  });
});

describe('annotations', () => {
  it('have a chapter of at most 100 characters after an update, too (6013)', async () => {
    const fields = { content: 'A remark that is long enough.', chapter: 'x'.repeat(101) };
    const body = new URLSearchParams(fields);
    const path = `/v2/book/annotation/${annotation}`;
    expect(await codeOf(path, { method: 'PUT', body })).toEqual([400, 6013]);
  });
});

describe('collections of an entry that is not a book', () => {
  it('are not updated and not deleted (6007)', async () => {
    const path = `/v2/book/${magazine}/collection`;
    const body = new URLSearchParams({ status: 'wish' });
    expect(await codeOf(path, { method: 'PUT', body })).toEqual([403, 6007]);
    expect(await codeOf(path, { method: 'DELETE' })).toEqual([403, 6007]);
  });
});

describe('administrators', () => {
  it('get 1006 for showings in an unknown city', async () => {
    const path = '/admin/v1/showings?city=Atlantis';
    expect(await codeOf(path, { token: admin })).toEqual([400, 1006]);
  });

  it.each([
    ['books', 'title'],
    ['celebrities', 'name'],
    ['events', 'title'],
    ['locs', 'name'],
    ['photos', 'subject_id'],
  ])('cannot empty a required member of records of %s (1002)', async (type, member) => {
    const headers = { 'content-type': 'application/json' };
    const path = `/admin/v1/${type}`;
    const id = await records[type]?.();
    const body = JSON.stringify({ [member]: type === 'celebrities' ? ' ' : null });
    const options = { method: 'PUT', token: admin, headers, body };
    expect(await codeOf(`${path}/${id}`, options)).toEqual([400, 1002]);
  });
});

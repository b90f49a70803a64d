import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { statementsOf } from '../guarantees';
import { writer, type Writer } from '../books/writes';

describe('GET /v2/note/user_liked/:name (D121)', () => {
  let harness: Harness;
  let make: Factories;
  let liker: Writer;
  let reader: Writer;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    liker = await writer(harness, (await make.aUser({ uid: 'liker' })).id);
    reader = await writer(harness, (await make.aUser()).id);
  });
  afterAll(() => harness.close());

  it('200: has the user, and the liked notes that the caller may see', async () => {
    const open = (await make.aNote()).id;
    const own = (await make.aNote({ author_id: liker.id, privacy: 'private' })).id;
    await make.aNote();
    for (const id of [open, own]) await liker.post(`/v2/note/${id}/like`);
    for (const name of ['liker', liker.id]) {
      const { status, body } = await reader.get(`/v2/note/user_liked/${name}`);
      expect([status, Object.keys(body)]).toEqual([
        200,
        ['start', 'count', 'total', 'notes', 'user'],
      ]);
      expect(body).toMatchObject({ count: 1, total: 1, user: { uid: 'liker' } });
      expect(body.notes).toMatchObject([{ id: String(open) }]);
    }
    expect((await liker.get('/v2/note/user_liked/liker')).body.total).toBe(2);
    const { body } = await liker.get('/v2/note/user_liked/liker?start=1&format=html_full');
    expect([body.start, body.count, body.total]).toEqual([1, 1, 2]);
  });

  it('200: is empty for a user without likes, in one statement besides that of the token', async () => {
    const token = await harness.token({ userId: reader.id });
    const path = `/v2/note/user_liked/${reader.id}`;
    expect((await harness.call(path, { token })).body).toMatchObject({ total: 0, notes: [] });
    expect((await statementsOf(harness, path, token)).names).toEqual([
      'oauth.token',
      'notes.liked_by',
    ]);
  });

  it('400, 403: rejects unknown users (1006) and callers without a user (1000)', async () => {
    for (const name of ['nobody', '999999999999', '9007199254740993']) {
      const { status, body } = await reader.get(`/v2/note/user_liked/${name}`);
      expect([status, body.code]).toEqual([400, 1006]);
    }
    const { status, body } = await harness.call('/v2/note/user_liked/liker');
    expect([status, body.code]).toEqual([403, 1000]);
  });
});

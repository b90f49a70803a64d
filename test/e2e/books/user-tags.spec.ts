import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itNeedsScope,
  itRefusesMalformedPages,
  itSelectsFields,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { membersOf, TAG } from './shapes';

describe('GET /v2/book/user/:name/tags', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    const { id } = await make.aUser({ uid: 'tagger' });
    // 105 tags, a third of them used twice: long runs of ties.
    const tags = Array.from({ length: 105 }, (_, at) => `标签${at}`);
    const [one, other] = await make.books(2);
    await make.aCollection({ user_id: id, book_id: one, tags });
    await make.aCollection({ user_id: id, book_id: other, tags: tags.filter((_, at) => at % 3) });
  });
  afterAll(() => harness.close());

  const get = (name: string | number, token?: string) =>
    harness.call(`/v2/book/user/${name}/tags`, { token });
  const path = '/v2/book/user/tagger/tags';
  const list = () => ({ harness, path, member: 'tags', total: 105 });

  describe('200', () => {
    itIsPaged(list);

    it('has tags of section 2.3, by uid and by numeric id alike', async () => {
      const { id, uid } = await make.aUser({ uid: 'A-b_c.9' });
      await make.aCollection({ user_id: id, tags: ['小说'] });
      for (const name of [id, uid]) {
        const { status, body } = await get(name);
        expect(status).toBe(200);
        expect(membersOf(body.tags[0])).toEqual(TAG);
        const tags = [{ count: 1, title: '小说' }];
        expect(body).toEqual({ start: 0, count: 1, total: 1, tags });
      }
    });

    it('sorts by count, then by name (D23)', async () => {
      const { id } = await make.aUser();
      for (const tags of [
        ['b', 'often', 'Z', 'a'],
        ['often', 'twice'],
        ['twice', 'often'],
      ]) {
        await make.aCollection({ user_id: id, tags });
      }
      const tags = await walk({ harness, path: `/v2/book/user/${id}/tags`, member: 'tags' });
      expect(tags).toEqual([
        { count: 3, title: 'often' },
        { count: 2, title: 'twice' },
        { count: 1, title: 'Z' },
        { count: 1, title: 'a' },
        { count: 1, title: 'b' },
      ]);
    });

    it("counts the user's own uses only", async () => {
      const { user_id, book_id } = await make.aCollection({ tags: ['mine', 'both'] });
      await make.aCollection({ book_id, tags: ['theirs', 'both'] });
      expect((await get(user_id)).body.tags).toEqual([
        { count: 1, title: 'both' },
        { count: 1, title: 'mine' },
      ]);
    });

    it('shows tags of private collections to their owner only (D21)', async () => {
      const { id } = await make.aUser();
      await make.aCollection({ user_id: id, tags: ['open', 'shared'] });
      await make.aCollection({ user_id: id, tags: ['secret', 'shared'], privacy: 'private' });
      const stranger = await harness.token({ userId: (await make.aUser()).id });
      for (const token of [undefined, await harness.token(), stranger]) {
        const { body } = await get(id, token);
        expect(body.total).toBe(2);
        expect(body.tags).toEqual([
          { count: 1, title: 'open' },
          { count: 1, title: 'shared' },
        ]);
      }
      const { body } = await get(id, await harness.token({ userId: id }));
      expect(body.total).toBe(3);
      expect(body.tags).toEqual([
        { count: 2, title: 'shared' },
        { count: 1, title: 'open' },
        { count: 1, title: 'secret' },
      ]);
    });

    it('is empty for a user without tags', async () => {
      const { status, body } = await get((await make.aUser()).uid);
      expect(status).toBe(200);
      expect(body).toEqual({ start: 0, count: 0, total: 0, tags: [] });
    });

    itSelectsFields(() => ({ ...list(), members: TAG, two: ['title', 'count'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path }));
  });

  describe('404', () => {
    it.each([...UNKNOWN_IDS, 'nobody', 'TAGGER', '-', '_', '9'.repeat(400), 'NaN', '1e3'])(
      'returns 6008 for the unknown user %s',
      async (name) => expectError(await get(name), 404, 6008, 'people_not_found'),
    );
    it.each(['a+b', '%E4%B9%A6', 'a%2Fb', '%00', 'a%20', "a'"])(
      'returns 1001 for %s, which is not a valid :name (section 1)',
      async (name) => expectError(await get(name), 404, 1001, 'uri_not_found'),
    );
  });
});

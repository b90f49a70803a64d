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

describe('GET /v2/book/:id/tags', () => {
  let harness: Harness;
  let make: Factories;
  let book: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    // 60 tags in groups of five with the same count.
    const tags = Array.from({ length: 60 }, (_, at) => ({
      name: `标签${at}`,
      count: 1 + Math.floor(((at * 7) % 60) / 5),
    }));
    book = await make.aBook({ tags });
  });
  afterAll(() => harness.close());

  const list = () => ({ harness, path: `/v2/book/${book}/tags`, member: 'tags', total: 50 });
  const get = (id: number | string, token?: string) =>
    harness.call(`/v2/book/${id}/tags`, { token });

  describe('200', () => {
    itIsPaged(list);

    it('has tags of section 2.3', async () => {
      const id = await make.aBook({ tags: [{ name: '小说', count: 3 }] });
      const { status, body } = await get(id);
      expect(status).toBe(200);
      expect(membersOf(body.tags[0])).toEqual(TAG);
      const tags = [{ count: 3, title: '小说' }];
      expect(body).toEqual({ start: 0, count: 1, total: 1, tags });
    });

    it('has the 50 most frequent tags, most frequent first (section 8)', async () => {
      const tags = await walk(list());
      const counts = tags.map(({ count }) => count as number);
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
      // Sixty tags have the counts 12 to 1, five each: the last ten are not among the top.
      expect(counts).toEqual(Array.from({ length: 50 }, (_, at) => 12 - Math.floor(at / 5)));
    });

    it('adds public uses to the imported count immediately (D20)', async () => {
      const id = await make.aBook({ tags: [{ name: '经典', count: 2 }] });
      await make.aCollection({ book_id: id, tags: ['经典', '新'] });
      await make.aCollection({ book_id: id, tags: ['经典'] });
      expect((await get(id)).body.tags).toEqual([
        { count: 4, title: '经典' },
        { count: 1, title: '新' },
      ]);
    });

    it('shows tags of private collections to no user (D21)', async () => {
      const wire = { tags: ['secret', 'open'], privacy: 'private' };
      const { book_id } = await make.aCollection(wire);
      await make.aCollection({ book_id, tags: ['open'] });
      for (const token of [undefined, await harness.token()]) {
        const { body } = await get(book_id, token);
        expect(body).toMatchObject({ total: 1, tags: [{ count: 1, title: 'open' }] });
      }
    });

    it('is empty for a book without tags', async () => {
      const { status, body } = await get(await make.aBook());
      expect(status).toBe(200);
      expect(body).toEqual({ start: 0, count: 0, total: 0, tags: [] });
    });

    itSelectsFields(() => ({ ...list(), members: TAG, two: ['title', 'count'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('403', () => {
    it('returns 6007 for a magazine without tags (D27)', async () => {
      expectError(await get(await make.aBook({ kind: 'magazine' })), 403, 6007, 'not_book_request');
    });
    it('returns 6007 for a magazine with tags (D27)', async () => {
      const tags = [{ name: '周刊', count: 9 }];
      const response = await get(await make.aBook({ kind: 'magazine', tags }));
      expectError(response, 403, 6007, 'not_book_request');
    });
    itNeedsScope('book_basic_r', () => ({ harness, path: `/v2/book/${book}/tags` }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 6000 for the unknown book %s', async (id) => {
      expectError(await get(id), 404, 6000, 'book_not_found');
    });
    it('returns 6000 for an unknown book past the first page too', async () => {
      const response = await harness.call('/v2/book/999999999/tags?start=20');
      expectError(response, 404, 6000, 'book_not_found');
    });
  });
});

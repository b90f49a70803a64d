import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectError, itNeedsScope, itSelectsFields, UNKNOWN_IDS } from '../guarantees';
import { BOOK, COLLECTION, membersOf } from './shapes';

describe('GET /v2/book/:id/collection', () => {
  let harness: Harness;
  let make: Factories;
  let user: number;
  let book: number;
  let id: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    user = (await make.aUser({ uid: 'collector' })).id;
    const wire = { status: 'reading', rating: 3, comment: '慢慢读', tags: ['小说', '经典'] };
    const updated = '2013-12-25 22:09:04';
    ({ id, book_id: book } = await make.aCollection({ ...wire, updated, user_id: user }));
  });
  afterAll(() => harness.close());

  const get = (of: number | string, query = '', token?: string) =>
    harness.call(`/v2/book/${of}/collection?${query}`, { token });
  const privately = () => make.aCollection({ privacy: 'private', comment: 'mine' });

  describe('200', () => {
    it("has the caller's own collection of section 2.4, with the complete book", async () => {
      const { status, body } = await get(book, '', await harness.token({ userId: user }));
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(COLLECTION);
      expect(membersOf(body.book).filter((name) => name !== 'current_user_collection')).toEqual(
        BOOK,
      );
      expect(body).toMatchObject({
        book: { id: String(book), rating: { numRaters: 1, average: '6.0' } },
        book_id: String(book),
        comment: '慢慢读',
        id,
        rating: { max: 5, min: 0, value: '3' },
        status: 'reading',
        tags: ['小说', '经典'],
        updated: '2013-12-25 22:09:04',
        user_id: String(user),
      });
    });

    it('user_id returns the public collection of a user, by id or uid (D22)', async () => {
      const own = await make.aCollection({ book_id: book });
      const callers = [undefined, await harness.token()];
      callers.push(await harness.token({ userId: own.user_id }));
      for (const token of callers) {
        for (const name of [user, 'collector', '%20collector%20']) {
          const { status, body } = await get(book, `user_id=${name}`, token);
          expect(status).toBe(200);
          expect(body).toMatchObject({ id, user_id: String(user) });
        }
      }
    });

    it('ignores an empty user_id', async () => {
      const token = await harness.token({ userId: user });
      expect((await get(book, 'user_id=', token)).body.id).toBe(id);
    });

    it("has the caller's own private collection, with or without user_id (D21)", async () => {
      const { id: hidden, user_id, book_id } = await privately();
      const token = await harness.token({ userId: user_id });
      for (const query of ['', `user_id=${user_id}`, `user_id=reader${user_id}`]) {
        const { status, body } = await get(book_id, query, token);
        expect([status, body.id]).toEqual([200, hidden]);
      }
    });

    it('writes unset members as in D10', async () => {
      const { user_id, book_id } = await make.aCollection({ status: 'wish' });
      const { body } = await get(book_id, `user_id=${user_id}`);
      const rating = { max: 5, min: 0, value: '0' };
      expect(body).toMatchObject({ comment: '', tags: [], status: 'wish', rating });
    });

    itSelectsFields(() => ({
      harness,
      path: `/v2/book/${book}/collection?user_id=${user}`,
      members: COLLECTION,
      two: ['id', 'tags'],
    }));
  });

  describe('400', () => {
    it('rejects user_id given twice', async () => {
      const response = await get(book, `user_id=${user}&user_id=${user}`);
      expectError(response, 400, 999, 'unknow_v2_error');
    });
  });

  describe('403', () => {
    it('requires a user or user_id: rejects anonymous and application-only callers (D12)', async () => {
      for (const token of [undefined, await harness.token()]) {
        for (const query of ['', 'user_id=']) {
          const response = await get(book, query, token);
          expectError(response, 403, 1000, 'need_permission');
          expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
        }
      }
    });
    it('returns 6007 for a magazine, collected or not (D27)', async () => {
      const magazine = await make.aBook({ kind: 'magazine' });
      expectError(await get(magazine, `user_id=${user}`), 403, 6007, 'not_book_request');
      await make.aCollection({ book_id: magazine, user_id: user });
      expectError(await get(magazine, `user_id=${user}`), 403, 6007, 'not_book_request');
      const token = await harness.token({ userId: user });
      expectError(await get(magazine, '', token), 403, 6007, 'not_book_request');
    });
    itNeedsScope('book_basic_r', () => {
      return { harness, path: `/v2/book/${book}/collection?user_id=${user}` };
    });
  });

  describe('404', () => {
    it('returns 1001 when the user has not collected the book (section 4.1)', async () => {
      const other = await make.aBook();
      const own = await harness.token({ userId: user });
      for (const response of [await get(other, '', own), await get(other, `user_id=${user}`)]) {
        expect(response.status).toBe(404);
        expect(response.body).toEqual({
          msg: 'uri_not_found',
          code: 1001,
          request: `GET /v2/book/${other}/collection`,
        });
      }
    });

    it("returns 1001 for another user's private collection, as if it did not exist (D21)", async () => {
      const { user_id, book_id } = await privately();
      const callers = [undefined, await harness.token(), await harness.token({ userId: user })];
      const none = await get(book_id, `user_id=${user}`);
      for (const token of callers) {
        const response = await get(book_id, `user_id=${user_id}`, token);
        expectError(response, 404, 1001, 'uri_not_found');
        expect(response.text).toBe(none.text);
        expect(response.headers.get('x-error-detail')).toBe(none.headers.get('x-error-detail'));
      }
    });

    it.each([...UNKNOWN_IDS, 'nobody', 'no%20uid', '%27', 'a%00b', '%E4%B9%A6', '-1'])(
      'returns 6008 for user_id=%s, an unknown user (D22)',
      async (name) => {
        expectError(await get(book, `user_id=${name}`), 404, 6008, 'people_not_found');
      },
    );

    it.each(UNKNOWN_IDS)('returns 6000 for the unknown book %s (D22)', async (unknown) => {
      expectError(await get(unknown, `user_id=${user}`), 404, 6000, 'book_not_found');
      const token = await harness.token({ userId: user });
      expectError(await get(unknown, '', token), 404, 6000, 'book_not_found');
    });
  });
});

import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { BASE_URL, WEB_URL } from '../../settings';
import {
  expectError,
  expectMalformed,
  itNeedsScope,
  itSelectsFields,
  UNKNOWN_IDS,
} from '../guarantees';
import { BOOK, EMBEDDED_COLLECTION, membersOf } from './shapes';

describe('GET /v2/book/:id', () => {
  let harness: Harness;
  let make: Factories;
  let plain: number;
  let magazine: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    plain = await make.aBook({ title: '围城' });
    magazine = await make.aBook({ kind: 'magazine', title: '读书' });
  });
  afterAll(() => harness.close());

  const get = (id: number | string, token?: string) => harness.call(`/v2/book/${id}`, { token });

  describe('200', () => {
    it('has every member of section 2.1, unset ones empty (D10)', async () => {
      const { status, headers, body } = await get(plain);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(membersOf(body)).toEqual(BOOK);
      const unset = ['isbn10', 'isbn13', 'origin_title', 'alt_title', 'subtitle', 'publisher'];
      unset.push('pubdate', 'binding', 'price', 'pages', 'author_intro', 'summary', 'catalog');
      for (const name of unset) expect([name, body[name]]).toEqual([name, '']);
      expect(body).toMatchObject({ title: '围城', author: [], translator: [], tags: [] });
      expect(body.rating).toEqual({ max: 10, min: 0, numRaters: 0, average: '0.0' });
    });

    it('writes stored values in the types of section 2.1', async () => {
      const known = {
        isbn10: '7020024750',
        isbn13: '9787020024759',
        title: '围城',
        origin_title: 'Fortress Besieged',
        alt_title: 'Wei Cheng',
        subtitle: '小说',
        author: ['钱锺书', '杨绛'],
        translator: ['Jeanne Kelly'],
        publisher: '人民文学出版社',
        pubdate: '1991-2-1',
        binding: '平装',
        price: '19.00元',
        pages: '359',
        author_intro: '钱锺书（1910-1998）',
        summary: '红海早过了。',
        catalog: '一\n二\n三',
        ebook_url: 'https://read.test/ebook/1/',
        ebook_price: '6.00',
      };
      const images = { small: 'https://i.test/s', large: 'https://i.test/l' };
      const wire = { ...known, images: { ...images, medium: 'https://i.test/m' } };
      const id = await make.aBook({ ...wire, series: { id: 7001, title: '中国现代长篇小说' } });
      const { body } = await get(id);
      expect(body).toEqual({
        ...wire,
        id: String(id),
        url: `${BASE_URL}/v2/book/${id}`,
        alt: `${WEB_URL}/book/${id}/`,
        image: 'https://i.test/m',
        rating: { max: 10, min: 0, numRaters: 0, average: '0.0' },
        tags: [],
        series: { id: '7001', title: '中国现代长篇小说' },
      });
    });

    it('has absolute picture addresses, and a default cover for books without a cover (D11)', async () => {
      const own = await make.aBook({
        images: { small: '/p/s.jpg', large: '/p/l', medium: '/p/m' },
      });
      const { body } = await get(own);
      expect(body.image).toBe(`${BASE_URL}/p/m`);
      expect(body.images.small).toBe(`${BASE_URL}/p/s.jpg`);
      const { body: bare } = await get(plain);
      expect(membersOf(bare.images)).toEqual(['large', 'medium', 'small']);
      for (const picture of [bare.image, ...Object.values(bare.images)]) {
        expect(picture).toMatch(/^http:\/\/api\.test\/./);
      }
    });

    it('has ebook_price if and only if it has ebook_url (D10)', async () => {
      const free = await make.aBook({ ebook_url: 'https://read.test/2/' });
      expect((await get(free)).body).toMatchObject({ ebook_price: '' });
      const none = await make.aBook({ ebook_price: '5.00' });
      expect(membersOf((await get(none)).body)).toEqual(BOOK);
    });

    it('average includes imported ratings and every collection, of 10, with one decimal (D20)', async () => {
      const rated = async (numRaters: number, average: string, ...stars: number[]) => {
        const book_id = await make.aBook({ rating: { numRaters, average } });
        for (const rating of stars) await make.aCollection({ book_id, rating });
        return (await get(book_id)).body.rating;
      };
      const of = (numRaters: number, average: string) => ({ max: 10, min: 0, numRaters, average });
      expect(await rated(10, '8.5')).toEqual(of(10, '8.5'));
      // (3 * 9.0 + 2 * 1) / 4 = 7.25, a half rounded up.
      expect(await rated(3, '9.0', 1)).toEqual(of(4, '7.3'));
      expect(await rated(0, '', 5, 5)).toEqual(of(2, '10.0'));
      expect(await rated(0, '', 4, 5, 5)).toEqual(of(3, '9.3'));
      expect(await rated(1, '2.0', 1)).toEqual(of(2, '2.0'));
    });

    it('numRaters includes private ratings, and excludes collections without a rating (D20)', async () => {
      const book_id = await make.aBook();
      await make.aCollection({ book_id, privacy: 'private', rating: 4 });
      await make.aCollection({ book_id, status: 'wish' });
      expect((await get(book_id)).body.rating).toMatchObject({ numRaters: 1, average: '8.0' });
    });

    it('has its 8 most frequent tags, most frequent first', async () => {
      const counts = [3, 90, 7, 41, 12, 5, 66, 1, 20, 30];
      const tags = counts.map((count) => ({ count, name: `标签${count}` }));
      const book_id = await make.aBook({ tags });
      for (let at = 0; at < 2; at += 1) await make.aCollection({ book_id, tags: ['标签90', '新'] });
      const top = [92, 66, 41, 30, 20, 12, 7, 5];
      expect((await get(book_id)).body.tags).toEqual(
        top.map((count) => ({ count, name: count === 92 ? '标签90' : `标签${count}` })),
      );
    });

    it('shows tags of private collections to no user (D21)', async () => {
      const { book_id } = await make.aCollection({ tags: ['hidden'], privacy: 'private' });
      await make.aCollection({ book_id, tags: ['open'] });
      const tags = [{ count: 1, name: 'open' }];
      expect((await get(book_id)).body.tags).toEqual(tags);
      expect((await get(book_id, await harness.token())).body.tags).toEqual(tags);
    });

    it("includes the caller's collection if it exists", async () => {
      const wire = { rating: 4, status: 'reading', updated: '2013-12-25 22:09:04' };
      const { id, user_id, book_id } = await make.aCollection({ ...wire, privacy: 'private' });
      const { body } = await get(book_id, await harness.token({ userId: user_id }));
      expect(membersOf(body)).toEqual([...BOOK, 'current_user_collection'].sort());
      expect(membersOf(body.current_user_collection)).toEqual(EMBEDDED_COLLECTION);
      expect(body.current_user_collection).toEqual({
        status: 'reading',
        rating: { max: 5, min: 0, value: '4' },
        updated: '2013-12-25 22:09:04',
        user_id: String(user_id),
        book_id: String(book_id),
        id,
      });
      const stranger = await make.aUser();
      for (const token of [
        undefined,
        await harness.token(),
        await harness.token({ userId: stranger.id }),
      ]) {
        expect(membersOf((await get(book_id, token)).body)).toEqual(BOOK);
      }
    });

    it('writes "0" in a collection without a rating (D10)', async () => {
      const { user_id, book_id } = await make.aCollection({ status: 'wish' });
      const { body } = await get(book_id, await harness.token({ userId: user_id }));
      expect(body.current_user_collection.rating).toEqual({ max: 5, min: 0, value: '0' });
    });

    it('treats an empty Bearer as an anonymous caller (D12)', async () => {
      const headers = { authorization: 'Bearer ' };
      expect((await harness.call(`/v2/book/${plain}`, { headers })).status).toBe(200);
    });

    it('ignores leading zeros of an id', async () => {
      expect((await get(`000${plain}`)).body.id).toBe(String(plain));
    });

    it('returns JSONP for a callback (D6)', async () => {
      for (const callback of ['cb_1', 'x'.repeat(50)]) {
        const { status, headers, text } = await get(
          `${plain}?fields=id,title&callback=${callback}`,
        );
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(text).toBe(`${callback}({"id":"${plain}","title":"围城"});`);
      }
    });

    it('HEAD returns the headers of GET without a body (D8)', async () => {
      const response = await harness.call(`/v2/book/${plain}`, { method: 'HEAD' });
      expect(response).toMatchObject({ status: 200, text: '' });
    });

    const chosen = () => ({ harness, path: `/v2/book/${plain}` });
    itSelectsFields(() => ({ ...chosen(), members: BOOK, two: ['title', 'rating'] }));
  });

  describe('400', () => {
    it.each(['a-b', 'a.b', '%E4%B9%A6', 'x'.repeat(51), 'alert(1)', 'a&callback=b'])(
      'rejects callback=%s as plain JSON (D6)',
      async (callback) => {
        const response = await get(`${plain}?callback=${callback}`);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expectMalformed(response);
      },
    );
  });

  describe('401', () => {
    it('returns 103 for an unknown token and 106 for an expired one (D13)', async () => {
      expectError(await get(plain, 'nothing'), 401, 103, 'invalid_access_token');
      const expired = await harness.token({ ttl: -1 });
      expectError(await get(plain, expired), 401, 106, 'access_token_has_expired');
    });

    it.each(['nothing', '%00', '%27', 'x'.repeat(2000)])(
      'returns 104 for apikey=%s (D15)',
      async (key) => {
        expectError(await get(`${plain}?apikey=${key}`), 401, 104, 'invalid_apikey');
      },
    );
  });

  describe('403', () => {
    it('returns 6007 for a magazine (D27)', async () => {
      expectError(await get(magazine), 403, 6007, 'not_book_request');
    });
    itNeedsScope('book_basic_r', () => ({ harness, path: `/v2/book/${plain}` }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 6000 for the unknown id %s', async (id) => {
      const { status, body } = await get(id);
      expect(body).toEqual({ msg: 'book_not_found', code: 6000, request: `GET /v2/book/${id}` });
      expect(status).toBe(404);
    });

    it('request excludes the query, and callback wraps errors (D4, D6)', async () => {
      const { status, headers, text } = await get('999999999?fields=id&callback=cb');
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const json = { msg: 'book_not_found', code: 6000, request: 'GET /v2/book/999999999' };
      expect(JSON.parse(String(/^cb\((.*)\);$/.exec(text)?.[1]))).toEqual(json);
    });

    it.each(['abc', '1a', '-1', '1.5', '%31x', '%20'])(
      'returns 1001 for the path id %s',
      async (id) => {
        expectError(await get(id), 404, 1001, 'uri_not_found');
      },
    );
  });
});

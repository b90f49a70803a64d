import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { BASE_URL } from '../../settings';
import {
  expectError,
  expectMalformed,
  itNeedsScope,
  itSelectsFields,
  UNKNOWN_IDS,
} from '../guarantees';
import { ANNOTATION, BOOK, membersOf, USER } from './shapes';

describe('GET /v2/book/annotation/:id', () => {
  let harness: Harness;
  let make: Factories;
  let plain: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    plain = (await make.anAnnotation()).id;
  });
  afterAll(() => harness.close());

  const get = (id: number | string, query = '', token?: string) =>
    harness.call(`/v2/book/annotation/${id}?${query}`, { token });
  const withContent = async (content: string, wire = {}) => {
    const { id } = await make.anAnnotation({ content, ...wire });
    return {
      text: (await get(id)).body,
      html: (await get(id, 'format=html')).body,
    };
  };

  describe('200', () => {
    it('has every member of section 2.5', async () => {
      const author = { name: '读者一', signature: '慢读', avatar: '/a/1.jpg' };
      const { id: author_id, uid } = await make.aUser(author);
      const { id, book_id } = await make.anAnnotation({
        author_id,
        chapter: '第一章',
        page_no: 12,
        content: '有图<图片2>有式<tex>a^2</tex>',
        photos: { '2': '/p/2.jpg', '11': 'https://i.test/11.jpg' },
        comments_count: 4,
        time: '2012-10-18 09:00:38',
      });
      const { status, body } = await get(id);
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(ANNOTATION);
      expect(membersOf(body.book)).toEqual(BOOK);
      expect(membersOf(body.author_user)).toEqual(USER);
      expect(body).toMatchObject({
        id: String(id),
        book_id: String(book_id),
        book: { id: String(book_id) },
        author_id: String(author_id),
        author_user: { ...author, id: String(author_id), uid, avatar: `${BASE_URL}/a/1.jpg` },
        chapter: '第一章',
        page_no: 12,
        privacy: 2,
        content: '有图<图片2>有式<tex>a^2</tex>',
        abstract_photo: `${BASE_URL}/p/2.jpg`,
        photos: { '2': `${BASE_URL}/p/2.jpg`, '11': 'https://i.test/11.jpg' },
        last_photo: 11,
        comments_count: 4,
        hasmath: true,
        time: '2012-10-18 09:00:38',
      });
    });

    it('writes unset members as in D10 and D24', async () => {
      const { id } = await make.anAnnotation({ page_no: 0, chapter: '序' });
      expect((await get(id)).body).toMatchObject({ page_no: 0, chapter: '序', hasmath: false });
      const { body } = await get(plain);
      expect(body).toMatchObject({ chapter: '', abstract_photo: '', photos: {}, last_photo: 0 });
    });

    it('abstract has the first 100 characters of plain text (D24)', async () => {
      const long = `${'书'.repeat(60)}<图片1>\n${'𠮷'.repeat(60)}`;
      const { text, html } = await withContent(long, { photos: { '1': '/p/1.jpg' } });
      expect(Array.from(text.abstract as string)).toHaveLength(100);
      expect(text.abstract).toMatch(/^书{60} ?𠮷+$/u);
      expect(html.abstract).toBe(text.abstract);
      const short = '一二三四五六七八九十一二三四五六';
      expect((await withContent(short)).text.abstract).toBe(short);
    });

    it('returns the stored text by default and with format=text', async () => {
      const content = '第一行\n<script>alert(1)</script> & "<图片1>"';
      const { id } = await make.anAnnotation({ content });
      for (const query of ['', 'format=', 'format=text']) {
        expect((await get(id, query)).body.content).toBe(content);
      }
    });

    it('writes safe HTML with format=html', async () => {
      const { html } = await withContent(
        '<script>alert("1")</script>\n<img src=x onerror=alert(1)> & javascript:alert(1) ' +
          'https://web.test/"onmouseover="alert(1)',
      );
      expect(html.content).not.toMatch(/<(?!br|a |\/a>)/);
      expect(html.content).toContain('&lt;script&gt;');
      expect(html.content).toContain(' &amp; ');
      expect(html.content).not.toMatch(/href="javascript|<a [^>]*onmouseover/);
    });

    it.each(['<图片1>', '<图片 1>', '<图片 1="">', '<图片 n="1">'])(
      'shows the picture that %s names in HTML (D24)',
      async (tag) => {
        const { text, html } = await withContent(`前${tag}后`, { photos: { '1': '/p/1.jpg' } });
        expect(text.content).toBe(`前${tag}后`);
        expect(html.content).toMatch(/^前<img [^>]*src="http:\/\/api\.test\/p\/1\.jpg"[^>]*>后$/);
      },
    );

    it('lists pictures that the content does not name (section 2.5)', async () => {
      const photos = { '1': 'https://i.test/1', '2': 'https://i.test/2' };
      const { text } = await withContent('只有第二张<图片2>在文中出现。', { photos });
      expect(text).toMatchObject({ photos, last_photo: 2 });
    });

    it('shows a private annotation to its author only (D21)', async () => {
      const { id, author_id } = await make.anAnnotation({ privacy: 1 });
      const { status, body } = await get(id, '', await harness.token({ userId: author_id }));
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: String(id), privacy: 1 });
    });

    it('returns JSONP for a callback (D6)', async () => {
      const { text } = await get(plain, 'fields=id&callback=cb');
      expect(text).toBe(`cb({"id":"${plain}"});`);
    });

    const path = () => `/v2/book/annotation/${plain}`;
    itSelectsFields(() => ({ harness, path: path(), members: ANNOTATION, two: ['id', 'photos'] }));
  });

  describe('400', () => {
    it.each(['xml', 'HTML', 'constructor', 'text&format=html'])(
      'rejects format=%s (D24)',
      async (format) => expectMalformed(await get(plain, `format=${format}`)),
    );
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path: `/v2/book/annotation/${plain}` }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 1001 for the unknown id %s (D26)', async (id) => {
      const response = await get(id);
      expectError(response, 404, 1001, 'uri_not_found');
      expect(response.body.request).toBe(`GET /v2/book/annotation/${id}`);
    });

    it("returns 1001 for another user's private annotation, as if it did not exist (D21)", async () => {
      const { id } = await make.anAnnotation({ privacy: 1 });
      const stranger = await harness.token({ userId: (await make.aUser()).id });
      const none = await get('999999999');
      for (const token of [undefined, await harness.token(), stranger]) {
        const response = await get(id, '', token);
        expectError(response, 404, 1001, 'uri_not_found');
        expect(response.headers.get('x-error-detail')).toBe(none.headers.get('x-error-detail'));
      }
    });

    it('returns 1001 for an id that is not a number', async () => {
      expectError(await get('abc'), 404, 1001, 'uri_not_found');
    });
  });
});

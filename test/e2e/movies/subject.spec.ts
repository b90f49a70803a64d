import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { expectError, statementsOf, UNKNOWN_IDS } from '../guarantees';

let harness: Harness;
let make: MovieFactories;
let token: string;
beforeAll(async () => {
  harness = await startHarness();
  make = new MovieFactories(harness.database);
  token = await harness.token({ scopes: ['movie_advance_r'] });
});
afterAll(() => harness.close());

const subject = async (id: number) =>
  (await harness.call(`/v2/movie/subject/${id}`, { token })).body;

describe('GET /v2/movie/subject/:id', () => {
  describe('200', () => {
    it('lists people in order; people without a page have only a name (D34)', async () => {
      const id = await make.aSubject({
        directors: [{ id: 901, name: '甲' }, { name: '乙' }],
        casts: [903, 902, 904, 905, 906].map((person) => ({ id: person, name: `${person}` })),
        writers: [{ id: 901, name: '甲' }],
      });
      const { directors, casts, writers } = await subject(id);
      const nobody = { id: null, name: '乙', alt: null, avatars: null };
      expect(directors).toEqual([expect.objectContaining({ id: '901', name: '甲' }), nobody]);
      expect(directors[0].alt).toBe('http://web.test/movie/celebrity/901/');
      expect(casts.map((person: { id: string }) => person.id)).toEqual([
        '903',
        '902',
        '904',
        '905',
      ]);
      expect(writers).toEqual([directors[0]]);
    });

    it('has the newest ten photos and the ten most useful reviews (section 2.7)', async () => {
      const id = await make.aSubject();
      const photos = await make.photos({ subject_id: id }, 12, (at) => ({
        created_at: `2020-01-${10 + at} 00:00:00`,
      }));
      const reviews = await make.reviews(id, 12, (at) => ({ useful_count: at }));
      const { photos: shown, popular_reviews: popular } = await subject(id);
      const idsOf = (all: { id: string }[]): number[] => all.map((one) => Number(one.id));
      expect(idsOf(shown)).toEqual([...photos].reverse().slice(0, 10));
      expect(idsOf(popular)).toEqual([...reviews].reverse().slice(0, 10));
    });

    it('counts the larger of the imported count and the number of rows', async () => {
      const id = await make.aSubject({ comments_count: 2, reviews_count: 9 });
      await make.comments(id, 3);
      await make.reviews(id, 3);
      expect(await subject(id)).toMatchObject({ comments_count: 3, reviews_count: 9 });
    });

    it('has showing times for a film that is shown today, and never for a series', async () => {
      const city = await make.aCity('上海', 'shanghai');
      const [shown, over, to_come] = await make.subjects(3);
      const series = await make.aSubject({ subtype: 'tv', schedule_url: 'http://somewhere' });
      const imported = await make.aSubject({ schedule_url: 'http://somewhere' });
      const days = [
        [shown, 'current_date - 1', 'current_date'],
        [over, 'current_date - 3', 'current_date - 1'],
        [to_come, 'current_date + 1', 'NULL'],
        [series, 'current_date', 'NULL'],
      ];
      for (const [id, from, until] of days) {
        await harness.source.query(
          `INSERT INTO showings (subject_id, city_id, from_date, until_date)
           VALUES (${id}, ${city}, ${from}, ${until})`,
        );
      }
      const urls = [];
      for (const id of [shown, imported, over, to_come, series]) {
        urls.push((await subject(Number(id))).schedule_url);
      }
      const url = (id: number | undefined): string => `http://web.test/movie/subject/${id}/cinema/`;
      expect(urls).toEqual([url(shown), url(imported), '', '', '']);
    });

    it('returns a placeholder that has a title', async () => {
      const id = await make.aSubject({ placeholder: true, title: 'Met somewhere' });
      expect((await subject(id)).title).toBe('Met somewhere');
    });

    it('runs one statement for any number of nested elements', async () => {
      const [bare, full] = await make.subjects(2);
      await make.photos({ subject_id: full }, 5);
      await make.reviews(Number(full), 5);
      const few = await statementsOf(harness, `/v2/movie/subject/${bare}`, token);
      const many = await statementsOf(harness, `/v2/movie/subject/${full}`, token);
      expect(many.names).toEqual(few.names);
    });
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 1001 for the unknown subject %s (D37)', async (id) => {
      expectError(await harness.call(`/v2/movie/subject/${id}`), 404, 1001, 'uri_not_found');
    });
    it('returns 1001 for a placeholder without a title', async () => {
      await harness.source.query(
        `INSERT INTO subjects (id, title, placeholder) VALUES (55, '', true)`,
      );
      expectError(await harness.call('/v2/movie/subject/55'), 404, 1001, 'uri_not_found');
    });
    it('returns 1001 for an id that is not a number', async () => {
      expectError(await harness.call('/v2/movie/subject/a1'), 404, 1001, 'uri_not_found');
    });
  });
});

describe('GET /v2/movie/:id, which old clients call (D121)', () => {
  it('has the members of the original service, and facts as far as the tier has them', async () => {
    const id = await make.aSubject({
      title: '霸王别姬',
      aka: ['再见，我的妾', 'Farewell My Concubine'],
      year: '1993',
      directors: [{ name: '陈凯歌' }],
      casts: [{ name: '张国荣' }],
      writers: [{ name: '芦苇' }],
      languages: ['汉语普通话'],
      genres: ['剧情'],
      tags: ['经典', '人性'],
    });
    const address = `http://web.test/movie/subject/${id}/`;
    const { status, body } = await harness.call(`/v2/movie/${id}`);
    expect([status, body]).toEqual([
      200,
      {
        rating: { max: 10, average: '0.0', numRaters: 0, min: 0 },
        author: [{ name: '陈凯歌' }],
        alt_title: '再见，我的妾 / Farewell My Concubine',
        image: 'http://api.test/pictures/sample/default/movie-m.jpg',
        title: '霸王别姬',
        summary: '',
        attrs: {
          title: ['霸王别姬'],
          year: ['1993'],
          director: ['陈凯歌'],
          cast: ['张国荣'],
          movie_type: ['剧情'],
          country: [],
        },
        id: `http://api.test/v2/movie/${id}`,
        mobile_link: `${address}mobile`,
        alt: address,
        tags: [{ name: '经典' }, { name: '人性' }],
      },
    ]);
    const { attrs } = (await harness.call(`/v2/movie/${id}`, { token })).body;
    expect(attrs).toMatchObject({ writer: ['芦苇'], language: ['汉语普通话'], pubdate: [] });
  });

  it.each([
    ['GET', '/v2/movie/999999', 404, 1001],
    ['GET', '/v2/movie/imdb/tt0106332', 404, 1001],
    ['GET', '/v2/movie/1/tags', 404, 1001],
    ['POST', '/v2/movie/reviews', 404, 1001],
    ['GET', '/v2/event/search?q=a', 404, 1001],
  ])('%s %s is %i with %i', async (method, path, status, code) => {
    const { status: got, body } = await harness.call(path, { method, token });
    expect([got, body.code]).toEqual([status, code]);
  });
});

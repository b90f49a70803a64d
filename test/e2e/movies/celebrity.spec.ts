import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itRefusesMalformedPages,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';

const TOTAL = 120;

let harness: Harness;
let make: MovieFactories;
let token: string;
let id: number;
let works: number[];
let photos: number[];
beforeAll(async () => {
  harness = await startHarness();
  make = new MovieFactories(harness.database);
  token = await harness.token({ scopes: ['movie_advance_r'] });
  id = await make.aCelebrity({ name: 'Busy' });
  works = await make.subjects(TOTAL, (at) => ({ year: String(1900 + at), collect_count: at }));
  await make.credits(id, works, () => ({ roles: ['演员', '导演'] }));
  photos = await make.photos({ celebrity_id: id }, TOTAL);
});
afterAll(() => harness.close());

const get = async (path: string) =>
  (await harness.call(`/v2/movie/celebrity/${path}`, { token })).body;
const idsOf = (all: { id: string }[]): number[] => all.map((one) => Number(one.id));

describe('GET /v2/movie/celebrity/:id', () => {
  it('200 has five works, featured ones first, then the most popular', async () => {
    const person = await make.aCelebrity();
    const all = await make.subjects(7, (at) => ({ collect_count: at }));
    await make.credits(person, all, (at) => ({
      roles: ['演员'],
      ...(at < 2 ? { featured_sort_order: 1 - at } : {}),
    }));
    const expected = [1, 0, 6, 5, 4].map((at) => all[at]);
    expect(idsOf((await get(String(person))).works)).toEqual(expected);
  });

  it('200 has ten photos in the advance tier', async () => {
    const { photos: shown } = await get(String(id));
    expect(idsOf(shown)).toEqual([...photos].reverse().slice(0, 10));
    expect(shown[0].alt).toBe(`http://web.test/movie/celebrity/${id}/photo/${shown[0].id}/`);
  });

  it('200 excludes placeholder works', async () => {
    const person = await make.aCelebrity();
    await make.credits(person, [88_001], () => ({ roles: ['演员'] }));
    expect((await get(String(person))).works).toEqual([]);
    expect((await get(`${person}/works`)).total).toBe(0);
  });
});

describe('GET /v2/movie/celebrity/:id/works', () => {
  const list = () => ({
    ...{ harness, path: `/v2/movie/celebrity/${id}/works`, member: 'works', token },
    ...{ total: TOTAL, usual: 5, extra: ['celebrity'] },
  });

  describe('200', () => {
    itIsPaged(list);

    it('has each subject once, with all roles (D35)', async () => {
      const elements = await walk(list(), 50);
      const newest = [...works].reverse();
      expect(elements.map(({ subject }) => Number(subject.id))).toEqual(newest);
      expect(elements[0].roles).toEqual(['演员', '导演']);
    });

    it('keeps the order of an import, and unknown role labels', async () => {
      const person = await make.aCelebrity({ name: 'Ordered' });
      const all = await make.subjects(3, (at) => ({ year: String(2000 + at) }));
      await make.credits(person, all, (at) => ({ roles: ['制片人'], work_sort_order: at }));
      const body = await get(`${person}/works`);
      expect(
        body.works.map((work: { subject: { id: string } }) => Number(work.subject.id)),
      ).toEqual(all);
      expect(body.works[0].roles).toEqual(['制片人']);
      expect(body.celebrity).toMatchObject({ id: String(person), name: 'Ordered' });
    });

    it('runs the same statements for 1 element as for 100', async () => {
      const few = await statementsOf(harness, `${list().path}?count=1`, token);
      const many = await statementsOf(harness, `${list().path}?count=100`, token);
      expect([few.count, many.count]).toEqual([1, 100]);
      expect(many.names).toEqual(few.names);
    });
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });
});

describe('GET /v2/movie/celebrity/:id/photos', () => {
  const list = () => ({
    ...{ harness, path: `/v2/movie/celebrity/${id}/photos`, member: 'photos', token },
    ...{ total: TOTAL, usual: 10, extra: ['celebrity'] },
  });

  describe('200', () => {
    itIsPaged(list);

    it('belong to the celebrity and its album', async () => {
      const [photo] = (await get(`${id}/photos`)).photos;
      expect(photo).toMatchObject({
        subject_id: String(id),
        album_id: String(id),
        album_title: 'Busy',
        album_url: `http://web.test/movie/celebrity/${id}/photos/`,
      });
    });
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });
});

describe.each(['', '/works', '/photos'])('404 below GET /v2/movie/celebrity/:id%s', (path) => {
  it.each(UNKNOWN_IDS)('returns 1001 for the unknown celebrity %s (D37)', async (unknown) => {
    const response = await harness.call(`/v2/movie/celebrity/${unknown}${path}`, { token });
    expectError(response, 404, 1001, 'uri_not_found');
  });
});

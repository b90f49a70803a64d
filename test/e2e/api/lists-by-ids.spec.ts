import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { BOOK, membersOf } from '../books/shapes';
import { statementsOf } from '../guarantees';

describe('lists by ids (D46)', () => {
  let harness: Harness;
  let make: Factories;
  let movies: MovieFactories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    movies = new MovieFactories(harness.database);
  });
  afterAll(() => harness.close());

  const events = async (count: number): Promise<number[]> => {
    const made = Array.from({ length: count }, () => make.anEvent());
    return (await Promise.all(made)).map(({ id }) => id);
  };
  const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
  const expectRefused = (response: TestResponse, code: number): void => {
    expect([response.status, response.body.code]).toEqual([400, code]);
  };

  describe.each([
    ['/v2/book/list', 'books', () => make.books(100)],
    ['/v2/movie/subject/list', 'subjects', () => movies.subjects(100)],
    ['/v2/event/list', 'events', () => events(2)],
  ] as const)('GET %s', (path, member, create) => {
    let ids: number[];
    beforeAll(async () => {
      ids = await create();
    });
    const get = (query: string, token?: string) => harness.call(`${path}?${query}`, { token });

    it('200: returns records in the order of the request; missing lists unknown ids', async () => {
      const requested = [ids[1], 999_999_999, ids[0], '00', '9007199254740993', ids[1]];
      const { status, body } = await get(`ids=${requested.join(',')}`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['start', 'count', 'total', member, 'missing']);
      expect(body).toMatchObject({ start: 0, count: 2, total: 2 });
      expect(idsOf(body[member])).toEqual([String(ids[1]), String(ids[0])]);
      expect(body.missing).toEqual(['999999999', '00', '9007199254740993']);
    });

    it('200: records have the members of a single read', async () => {
      const single = path.replace('/list', `/${ids[0]}`);
      const [element] = (await get(`ids=${ids[0]}`)).body[member];
      expect(element).toEqual((await harness.call(single)).body);
    });

    it('200: returns a record once, at its first place', async () => {
      const { body } = await get(`ids=${ids[1]},0${ids[0]},0${ids[1]},${ids[0]}`);
      expect(idsOf(body[member])).toEqual([String(ids[1]), String(ids[0])]);
      expect(body).toMatchObject({ count: 2, total: 2, missing: [] });
    });

    it('200: accepts repeated parameters, spaces and trailing commas', async () => {
      const { body } = await get(`ids=${ids[0]},%20${ids[1]},&ids=${ids[0]}`);
      expect(idsOf(body[member])).toEqual([String(ids[0]), String(ids[1])]);
      expect(body.missing).toEqual([]);
    });

    it('runs the same statements for 100 ids as for one', async () => {
      const { names, count } = await statementsOf(harness, `${path}?ids=${ids.join(',')}`);
      expect([names.length, count]).toEqual([1, ids.length]);
    });

    it.each(['a', '1,a', '-1', '1.5', '1;2', '%EF%BC%91', ','])(
      '400: rejects ids=%s',
      async (list) => {
        expectRefused(await get(`ids=${list}`), 999);
      },
    );

    it('400: rejects 101 ids', async () => {
      const list = (most: number) => Array.from({ length: most }, (_, at) => at + 1).join(',');
      expectRefused(await get(`ids=${list(101)}`), 999);
      expect((await get(`ids=${list(100)}`)).status).toBe(200);
    });

    it('403: requires the scope of the single read', async () => {
      const token = await harness.token({ scopes: ['community_basic_note'] });
      const { status, body } = await get(`ids=${ids[0]}`, token);
      expect([status, body.code]).toEqual([403, 1000]);
    });
  });

  it('400: returns 1002 for books and subjects without ids', async () => {
    for (const path of ['/v2/book/list', '/v2/book/list?ids=', '/v2/movie/subject/list']) {
      expectRefused(await harness.call(path), 1002);
    }
    expectRefused(await harness.call('/v2/book/list?ids=1&isbns=2'), 999);
  });

  it('200: isbns accepts ISBN-10 and ISBN-13', async () => {
    const [first, second] = await Promise.all([
      make.aBook({ isbn13: '9787020002207', isbn10: '7020002204' }),
      make.aBook({ isbn13: '9787506365437', isbn10: '' }),
    ]);
    const isbns = '978-7-5063-6543-7,7020002204,9787020002207,none,9787506365438';
    const { body } = await harness.call(`/v2/book/list?isbns=${isbns}`);
    expect(idsOf(body.books)).toEqual([second, first].map(String));
    expect(body).toMatchObject({ count: 2, total: 2, missing: ['none', '9787506365438'] });
    const { names } = await statementsOf(harness, `/v2/book/list?isbns=${isbns}`);
    expect(names).toHaveLength(1);
  });

  it("200: books have the caller's collection and requested fields; magazines are missing", async () => {
    const { id: userId } = await make.aUser();
    const { book_id } = await make.aCollection({ user_id: userId, status: 'reading' });
    const magazine = await make.aBook({ kind: 'magazine' });
    const path = `/v2/book/list?ids=${magazine},${book_id}`;
    const token = await harness.token({ userId });
    const { body } = await harness.call(path, { token });
    expect(body.missing).toEqual([String(magazine)]);
    expect(membersOf(body.books[0])).toEqual([...BOOK, 'current_user_collection'].sort());
    const { body: selected } = await harness.call(`${path}&fields=id,title`);
    expect(Object.keys(selected.books[0]).sort()).toEqual(['id', 'title']);
    expect(selected.missing).toEqual([String(magazine)]);
  });

  it('200: subjects have the members of a single read in the same tier', async () => {
    const ids = await movies.subjects(3);
    const path = `/v2/movie/subject/list?ids=${ids.join(',')}`;
    for (const scope of ['movie_basic_r', 'movie_advance_r', 'movie_premium_r']) {
      const token = await harness.token({ scopes: ['movie_basic_r', scope] });
      const single = await harness.call(`/v2/movie/subject/${ids[2]}`, { token });
      expect((await harness.call(path, { token })).body.subjects[2]).toEqual(single.body);
    }
  });

  it('200: includes events that have ended, and private events for owner and invited users', async () => {
    const { id: owner } = await make.aUser();
    const { id: ended } = await make.anEvent({
      begin_time: '2013-01-01 00:00:00',
      end_time: '2013-01-02 00:00:00',
    });
    const { id: hidden } = await make.anEvent({ is_priv: 'yes', owner_id: owner });
    const path = `/v2/event/list?ids=${ended},${hidden}`;
    expect((await harness.call(path)).body).toMatchObject({ total: 1, missing: [String(hidden)] });
    const token = await harness.token({ userId: owner });
    expect((await harness.call(path, { token })).body).toMatchObject({ total: 2, missing: [] });
    // Other filters do not apply.
    expect((await harness.call(`${path}&type=music&loc=nowhere`)).body.total).toBe(1);
    expect((await harness.call('/v2/event/list')).body).not.toHaveProperty('missing');
  });
});

describe('rate limits of lists by ids (D46)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { LIMIT_ANONYMOUS: '10' } });
  });
  afterAll(() => harness.close());

  it('a list of 12 ids counts as one request', async () => {
    const { headers } = await harness.call('/v2/book/list?ids=1,2,3,4,5,6,7,8,9,10,11,12');
    expect(headers.get('x-ratelimit-remaining2')).toBe('9');
  });
});

import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Answer, type Harness } from '../../harness';
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
  const expectRefused = (answer: Answer, code: number): void => {
    expect([answer.status, answer.body.code]).toEqual([400, code]);
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

    it('200: has the records in the order of the request, and names missing ones', async () => {
      const asked = [ids[1], 999_999_999, ids[0], '00', '9007199254740993', ids[1]];
      const { status, body } = await get(`ids=${asked.join(',')}`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['start', 'count', 'total', member, 'missing']);
      expect(body).toMatchObject({ start: 0, count: 2, total: 2 });
      expect(idsOf(body[member])).toEqual([String(ids[1]), String(ids[0])]);
      expect(body.missing).toEqual(['999999999', '00', '9007199254740993']);
    });

    it('200: has the same members as a single read', async () => {
      const single = path.replace('/list', `/${ids[0]}`);
      const [element] = (await get(`ids=${ids[0]}`)).body[member];
      expect(element).toEqual((await harness.call(single)).body);
    });

    it('200: reads a repeated parameter, spaces and commas at the end', async () => {
      const { body } = await get(`ids=${ids[0]},%20${ids[1]},&ids=${ids[0]}`);
      expect(idsOf(body[member])).toEqual([String(ids[0]), String(ids[1])]);
      expect(body.missing).toEqual([]);
    });

    it('asks the database once, however many there are', async () => {
      const { names, count } = await statementsOf(harness, `${path}?ids=${ids.join(',')}`);
      expect([names.length, count]).toEqual([1, ids.length]);
    });

    it.each(['a', '1,a', '-1', '1.5', '1;2', '%EF%BC%91', ','])(
      '400: refuses ids=%s',
      async (list) => {
        expectRefused(await get(`ids=${list}`), 999);
      },
    );

    it('400: refuses 101 ids', async () => {
      const list = (most: number) => Array.from({ length: most }, (_, at) => at + 1).join(',');
      expectRefused(await get(`ids=${list(101)}`), 999);
      expect((await get(`ids=${list(100)}`)).status).toBe(200);
    });

    it('403: needs the scope of the single read of a token', async () => {
      const token = await harness.token({ scopes: ['community_basic_note'] });
      const { status, body } = await get(`ids=${ids[0]}`, token);
      expect([status, body.code]).toEqual([403, 1000]);
    });
  });

  it('needs a list of books and subjects: 1002', async () => {
    for (const path of ['/v2/book/list', '/v2/book/list?ids=', '/v2/movie/subject/list']) {
      expectRefused(await harness.call(path), 1002);
    }
    expectRefused(await harness.call('/v2/book/list?ids=1&isbns=2'), 999);
  });

  it('finds books by isbns in either form', async () => {
    const [first, second] = await Promise.all([
      make.aBook({ isbn13: '9787020002207', isbn10: '7020002204' }),
      make.aBook({ isbn13: '9787506365437', isbn10: '' }),
    ]);
    const isbns = '978-7-5063-6543-7,7020002204,9787020002207,none,9787506365438';
    const { body } = await harness.call(`/v2/book/list?isbns=${isbns}`);
    expect(idsOf(body.books)).toEqual([second, first, first].map(String));
    expect(body).toMatchObject({ count: 3, total: 3, missing: ['none', '9787506365438'] });
    const { names } = await statementsOf(harness, `/v2/book/list?isbns=${isbns}`);
    expect(names).toHaveLength(1);
  });

  it('has own collections, selected members, and no magazine', async () => {
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

  it('shows subjects to each tier as the single read does, and counts once', async () => {
    const ids = await movies.subjects(3);
    const path = `/v2/movie/subject/list?ids=${ids.join(',')}`;
    for (const scope of ['movie_basic_r', 'movie_advance_r', 'movie_premium_r']) {
      const token = await harness.token({ scopes: ['movie_basic_r', scope] });
      const single = await harness.call(`/v2/movie/subject/${ids[2]}`, { token });
      expect((await harness.call(path, { token })).body.subjects[2]).toEqual(single.body);
    }
  });

  it('has events that are over, and private ones for those who may see them', async () => {
    const { id: owner } = await make.aUser();
    const { id: over } = await make.anEvent({
      begin_time: '2013-01-01 00:00:00',
      end_time: '2013-01-02 00:00:00',
    });
    const { id: hidden } = await make.anEvent({ is_priv: 'yes', owner_id: owner });
    const path = `/v2/event/list?ids=${over},${hidden}`;
    expect((await harness.call(path)).body).toMatchObject({ total: 1, missing: [String(hidden)] });
    const token = await harness.token({ userId: owner });
    expect((await harness.call(path, { token })).body).toMatchObject({ total: 2, missing: [] });
    // Other filters do not apply.
    expect((await harness.call(`${path}&type=music&loc=nowhere`)).body.total).toBe(1);
    expect((await harness.call('/v2/event/list')).body).not.toHaveProperty('missing');
  });
});

describe('lists by ids and limits (D46)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { LIMIT_ANONYMOUS: '10' } });
  });
  afterAll(() => harness.close());

  it('count once', async () => {
    const { headers } = await harness.call('/v2/book/list?ids=1,2,3,4,5,6,7,8,9,10,11,12');
    expect(headers.get('x-ratelimit-remaining2')).toBe('9');
  });
});

import { startHarness, type Harness } from '../../harness';
import { book, collection } from './records';
import { summary, Transfer, type Wire } from './transfer';

let harness: Harness;
let transfer: Transfer;

beforeAll(async () => {
  harness = await startHarness();
  transfer = new Transfer(harness.database);
});

afterAll(() => harness.close());

beforeEach(() => transfer.clear());

const BASE = book(7, {
  title: '三体',
  rating: { max: 10, min: 0, numRaters: 10, average: '8.0' },
  tags: [
    { count: 5, name: 'a' },
    { count: 3, name: 'b' },
  ],
});

const stars = (value: number): Wire => ({ rating: { max: 5, min: 0, value: String(value) } });

/** Numbers of book 7 as people see them. */
async function shown(): Promise<{ numRaters: number; average: string; tags: unknown[] }> {
  const { rating, tags } = (await harness.call('/v2/book/7')).body;
  return {
    numRaters: rating.numRaters,
    average: rating.average,
    tags: tags.map(({ name, count }: { name: string; count: number }) => `${name} ${count}`),
  };
}

describe('ratings', () => {
  it('include the imported ones and those of all collections', async () => {
    await transfer.take('book', [BASE]);
    expect(await shown()).toMatchObject({ numRaters: 10, average: '8.0' });
    await transfer.take('collection', [
      collection(1, 1, 7, stars(5)),
      collection(2, 2, 7, { ...stars(4), privacy: 'private' }),
      collection(3, 3, 7, {}),
      collection(4, 1, 8, stars(1)),
    ]);
    // (10 × 8.0 + 10 + 8) / 12
    expect(await shown()).toMatchObject({ numRaters: 12, average: '8.2' });
  });

  it('are only those of collections when the imported average is unknown', async () => {
    const rating = { max: 10, min: 0, numRaters: 10, average: '0.0' };
    await transfer.take('book', [{ ...BASE, rating }]);
    expect(await shown()).toMatchObject({ numRaters: 10, average: '0.0' });
    await transfer.take('collection', [collection(1, 1, 7, stars(3))]);
    expect(await shown()).toMatchObject({ numRaters: 11, average: '6.0' });
  });

  it('change with a collection', async () => {
    await transfer.take('book', [BASE]);
    for (const [more, numRaters, average] of [
      [stars(5), 11, '8.2'],
      [stars(1), 11, '7.5'],
      [{}, 10, '8.0'],
      [stars(2), 11, '7.6'],
    ] as const) {
      await transfer.take('collection', [collection(1, 1, 7, more)]);
      expect(await shown()).toMatchObject({ numRaters, average });
    }
  });

  it('are counted when the book is imported after its collections', async () => {
    await transfer.take('collection', [collection(1, 1, 7, { ...stars(5), tags: ['b'] })]);
    await transfer.take('book', [BASE]);
    expect(await shown()).toEqual({ numRaters: 11, average: '8.2', tags: ['a 5', 'b 4'] });
  });
});

describe('tags', () => {
  it('include the imported ones and those of public collections', async () => {
    await transfer.take('book', [BASE]);
    await transfer.take('collection', [
      collection(1, 1, 7, { tags: ['b', 'c'] }),
      collection(2, 2, 7, { tags: ['b'] }),
      collection(3, 3, 7, { tags: ['b', 'a', 'mine'], privacy: 'private' }),
      collection(4, 1, 8, { tags: ['a'] }),
    ]);
    expect((await shown()).tags).toEqual(['a 5', 'b 5', 'c 1']);
  });

  it('change with a collection', async () => {
    await transfer.take('book', [BASE]);
    for (const [more, tags] of [
      [{ tags: ['b', 'c'] }, ['a 5', 'b 4', 'c 1']],
      [{ tags: ['a'] }, ['a 6', 'b 3']],
      [{ tags: ['a'], privacy: 'private' }, ['a 5', 'b 3']],
      [{ tags: ['d'] }, ['a 5', 'b 3', 'd 1']],
    ] as const) {
      await transfer.take('collection', [collection(1, 1, 7, more)]);
      expect((await shown()).tags).toEqual(tags);
    }
  });

  it('are stored in the folded form that queries use', async () => {
    await transfer.take('collection', [
      collection(1, 1, 7, { tags: [' a  ', 'a', ' ', 'e\u0301'] }),
    ]);
    expect((await transfer.records('collection'))[0]?.tags).toEqual(['a', 'é']);
  });
});

describe('importing a book again', () => {
  beforeEach(async () => {
    await transfer.take('book', [BASE]);
    await transfer.take('collection', [
      collection(1, 1, 7, { ...stars(5), tags: ['b', 'c'] }),
      collection(2, 2, 7, { ...stars(5), tags: ['c'] }),
    ]);
  });

  it('changes nothing when only collections changed the counters', async () => {
    expect(await transfer.take('book', [BASE])).toEqual(summary({ skipped: 1 }));
    expect(await transfer.records('book')).toEqual([BASE]);
  });

  it('keeps the contributions of collections', async () => {
    const rating = { max: 10, min: 0, numRaters: 2, average: '5.0' };
    const tags = [
      { count: 4, name: 'd' },
      { count: 1, name: 'c' },
    ];
    await transfer.take('book', [{ ...BASE, rating, tags }]);
    expect(await shown()).toEqual({ numRaters: 4, average: '7.5', tags: ['d 4', 'c 3', 'b 1'] });
    expect(await transfer.records('book')).toEqual([{ ...BASE, rating, tags }]);
  });

  it('lets later collections change the counters', async () => {
    await transfer.take('book', [{ ...BASE, tags: [] }]);
    await transfer.take('collection', [collection(1, 1, 7, {})]);
    expect(await shown()).toEqual({ numRaters: 11, average: '8.2', tags: ['c 1'] });
  });
});

describe('search', () => {
  const found = async (q: string): Promise<unknown[]> => {
    const { body } = await harness.call(`/v2/book/search?q=${encodeURIComponent(q)}`);
    return body.books.map(({ id }: { id: string }) => id);
  };

  it('finds a book by the texts of its latest import', async () => {
    await transfer.take('book', [{ ...BASE, author: ['Old Author'] }]);
    expect([await found('三体'), await found('old author')]).toEqual([['7'], ['7']]);
    await transfer.take('book', [{ ...BASE, title: '球状闪电', author: ['New'] }]);
    expect([await found('三体'), await found('old author')]).toEqual([[], []]);
    expect([await found('状闪'), await found('new')]).toEqual([['7'], ['7']]);
  });

  it('finds no placeholder until its book is imported', async () => {
    await transfer.take('collection', [collection(1, 1, 7, {})]);
    expect(await found('三体')).toEqual([]);
    await transfer.take('book', [BASE]);
    expect(await found('三体')).toEqual(['7']);
  });

  it('finds no book whose kind changed, until it changes back', async () => {
    await transfer.take('book', [BASE]);
    await transfer.take('book', [{ ...BASE, kind: 'magazine' }]);
    expect(await found('三体')).toEqual([]);
    expect((await harness.call('/v2/book/7')).body.code).toBe(6007);
    await transfer.take('book', [BASE]);
    expect(await found('三体')).toEqual(['7']);
  });

  it('includes collections in the popularity', async () => {
    const none = { max: 10, min: 0, numRaters: 0, average: '0.0' };
    await transfer.take('book', [
      { ...BASE, id: '7', rating: none },
      { ...BASE, id: '8', rating: { ...none, numRaters: 1, average: '9.0' } },
    ]);
    expect(await found('三体')).toEqual(['8', '7']);
    await transfer.take('collection', [
      collection(1, 1, 7, stars(1)),
      collection(2, 2, 7, stars(1)),
    ]);
    expect(await found('三体')).toEqual(['7', '8']);
  });
});

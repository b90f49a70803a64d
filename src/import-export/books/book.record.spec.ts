import fc from 'fast-check';
import { parseBook, publishedOn, placeholderBook, wireBook } from './book.record';
import { MAX_TEXTS, RecordError } from '../engine/record';

const WIRE = {
  id: '7',
  isbn10: '7536692935',
  isbn13: '9787536692930',
  title: '三体',
  origin_title: 'o',
  alt_title: 'a',
  subtitle: 's',
  image: 'http://x/m.jpg',
  images: { small: 'http://x/s.jpg', large: 'http://x/l.jpg', medium: 'http://x/m.jpg' },
  author: ['刘慈欣', 'B'],
  translator: ['T'],
  publisher: 'p',
  pubdate: '2008-1',
  rating: { max: 10, min: 0, numRaters: 12, average: '8.8' },
  tags: [
    { count: 3, name: '科幻' },
    { count: 1, name: 'x' },
  ],
  binding: 'b',
  price: '23.00元',
  series: { id: '4', title: 'st' },
  pages: '302',
  author_intro: 'ai',
  summary: 'su',
  catalog: 'c\nd',
  ebook_url: 'http://x/e',
  ebook_price: '1.00元',
};

const roundTrip = (wire: object): Record<string, unknown> =>
  wireBook(parseBook({ id: 1, ...wire }));

it('keeps every member of a complete book', () => {
  expect(JSON.stringify(wireBook(parseBook(WIRE)))).toBe(JSON.stringify(WIRE));
});

it('writes empty values for members that the input omits', () => {
  expect(roundTrip({ title: 't' })).toEqual({
    ...Object.fromEntries(Object.keys(WIRE).map((name) => [name, ''])),
    id: '1',
    title: 't',
    images: { small: '', large: '', medium: '' },
    author: [],
    translator: [],
    rating: { max: 10, min: 0, numRaters: 0, average: '0.0' },
    tags: [],
    series: undefined,
    ebook_url: undefined,
    ebook_price: undefined,
  });
});

it('has a limited number of tags', () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `${at}`, count: 1 }));
  expect(parseBook({ title: 't', tags: tags(MAX_TEXTS) }).tags).toHaveLength(MAX_TEXTS);
  expect(() => parseBook({ title: 't', tags: tags(MAX_TEXTS + 1) })).toThrow(
    new RecordError('tags must be a list of at most 5000 tags'),
  );
});

it('accepts a book without an id', () => {
  expect(parseBook({ title: 't' }).id).toBeUndefined();
});

describe('parseBook accepts', () => {
  it.each([
    ['numbers for text', { pages: 302, price: 23.5 }, { pages: '302', price: '23.5' }],
    ['a number for the average', { rating: { average: 9 } }, { rating: { average: '9.0' } }],
    ['text for counts', { rating: { numRaters: '5' } }, { rating: { numRaters: 5 } }],
    ['ISBNs as printed', { isbn10: '7-5366-9293-x' }, { isbn10: '753669293X' }],
    [
      'one picture',
      { image: 'u' },
      { image: 'u', images: { small: 'u', medium: 'u', large: 'u' } },
    ],
    [
      'the title of a tag',
      { tags: [{ title: 'a', count: 1 }] },
      { tags: [{ name: 'a', count: 1 }] },
    ],
    ['null', { summary: null, tags: null, series: null, rating: null }, { summary: '', tags: [] }],
    ['unknown members', { alt: 'x', url: {}, current_user_collection: [] }, { title: 't' }],
    ['another kind', { kind: 'magazine' }, { kind: 'magazine' }],
  ])('%s', (_what, input, expected) => {
    expect(roundTrip({ title: 't', ...input })).toMatchObject(expected);
  });

  it('tags in any order, repeated, or with a count of 0', () => {
    const tags = [
      { name: 'b', count: 1 },
      { name: 'a', count: 5 },
      { name: 'none', count: 0 },
      { name: 'c', count: 1 },
      { name: 'b', count: '3' },
      { name: '', count: 9 },
    ];
    expect(roundTrip({ title: 't', tags }).tags).toEqual([
      { count: 5, name: 'a' },
      { count: 3, name: 'b' },
      { count: 1, name: 'c' },
    ]);
  });

  it('an e-book price without an e-book, and ignores it', () => {
    const { ebook_url, ebook_price } = roundTrip({ title: 't', ebook_price: '1' });
    expect([ebook_url, ebook_price]).toEqual([undefined, undefined]);
    expect(roundTrip({ title: 't', ebook_url: 'u' })).toMatchObject({ ebook_price: '' });
  });
});

it.each([
  [[], /^a record must be an object, not a list$/],
  [{}, /^title is missing$/],
  [{ title: ' ' }, /^title is missing$/],
  [{ title: ['t'] }, /^title must be text, not a list$/],
  [{ title: 't', id: -3 }, /^id must be a positive integer/],
  [{ title: 't', author: 'one' }, /^author must be a list, not a string$/],
  [{ title: 't', author: [{}] }, /^author must be a list of texts/],
  [{ title: 't', tags: ['a'] }, /^tags must be an object, not a string$/],
  [{ title: 't', tags: [{ name: 'a', count: -1 }] }, /^tags\.count must be an integer/],
  [{ title: 't', images: 'u' }, /^images must be an object, not a string$/],
  [{ title: 't', series: {} }, /^series\.id is missing$/],
  [{ title: 't', rating: { average: '10.1' } }, /^rating\.average must be from 0 to 10$/],
  [{ title: 't', rating: { average: 'x' } }, /^rating\.average must be from 0 to 10$/],
  [{ title: 't', rating: { numRaters: 1.5 } }, /^rating\.numRaters must be an integer/],
])('rejects %j', (value, message) => {
  expect(() => parseBook(value)).toThrow(RecordError);
  expect(() => parseBook(value)).toThrow(message);
});

it('names the path of a wrong value inside another record', () => {
  expect(() => parseBook([], 'book')).toThrow(/^book must be an object, not a list$/);
  expect(() => parseBook({ title: 1, id: {} }, 'book')).toThrow(/^book\.id must be /);
  expect(() => parseBook({}, 'book')).toThrow(/^book\.title is missing$/);
});

it('returns the same record for its own output (property test)', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  const book = fc.record(
    {
      id: fc.integer({ min: 1 }),
      title: text.map((one) => `t${one}`),
      isbn13: text,
      author: fc.array(text),
      image: text,
      images: fc.record({ small: text, large: text }),
      rating: fc.record({
        numRaters: fc.nat(1_000_000_000),
        average: fc.double({ min: 0, max: 10, noNaN: true }).map((n) => n.toFixed(3)),
      }),
      tags: fc.array(fc.record({ count: fc.nat({ max: 3 }), name: text })),
      series: fc.record({ id: fc.integer({ min: 1 }), title: text }),
      kind: text,
      ebook_url: text,
      ebook_price: text,
    },
    { requiredKeys: ['id', 'title'] },
  );
  fc.assert(
    fc.property(book, (input) => {
      const once = JSON.stringify(wireBook(parseBook(input)));
      expect(JSON.stringify(wireBook(parseBook(JSON.parse(once))))).toBe(once);
    }),
  );
});

it('writes only the id of a placeholder', () => {
  expect(wireBook(placeholderBook(5))).toEqual({
    ...roundTrip({ title: 't' }),
    id: '5',
    title: '',
  });
});

it.each([
  ['', null],
  ['unknown', null],
  ['1997年5月', 19970599],
  ['2003-11', 20031199],
  ['2003-11-05', 20031105],
  ['2003.1.2', 20030102],
  ['2003年11月05日', 20031105],
  ['2003', 20039999],
  ['May 2001', 20019999],
  ['1998-2003', 19989999],
  [' 2008-1 ', 20080199],
])('derives the publication date: %j', (pubdate, number) => {
  expect(publishedOn(pubdate)).toBe(number);
});

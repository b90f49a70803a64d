import { type Wire } from './transfer';

/** Text that nothing may be changed of. */
export const AWKWARD = '  two  spaces,\ttab\r\n\nlines \u3000 e\u0301 é 😀𠮷 "\\" {[<b>&amp;図 ';

/** Every kind, in the order that later ones rest on earlier ones. */
export const KINDS = ['user', 'book', 'collection', 'annotation', 'review'] as const;
export type KindName = (typeof KINDS)[number];

/** Records of each kind as an export writes them: full ones, and ones that say the least. */
export const RECORDS: Readonly<Record<KindName, readonly Wire[]>> = {
  user: [
    { id: '3', uid: 'ann', name: 'Ann', signature: '', avatar: '' },
    { id: '41', uid: '41', name: '41', signature: '', avatar: '' },
    { id: '52', uid: 'A.b_c-9', name: AWKWARD, signature: AWKWARD, avatar: 'http://x/a.jpg' },
    { id: '9007199254740000', uid: 'last', name: '末', signature: '', avatar: '/a' },
  ],
  book: [
    book(7, {
      isbn10: '7536692935',
      isbn13: '9787536692930',
      title: AWKWARD,
      origin_title: AWKWARD,
      alt_title: AWKWARD,
      subtitle: AWKWARD,
      image: 'http://x/m.jpg',
      images: { small: 'http://x/s.jpg', large: 'http://x/l.jpg', medium: 'http://x/m.jpg' },
      author: [AWKWARD, '刘慈欣', 'NULL', ''],
      translator: ['{a,b}', '"'],
      publisher: AWKWARD,
      pubdate: '2008年1月',
      rating: { max: 10, min: 0, numRaters: 1000000000, average: '10.0' },
      tags: [
        { count: 9, name: '科幻' },
        { count: 4, name: 'z' },
        { count: 4, name: 'a' },
        { count: 4, name: AWKWARD },
      ],
      binding: AWKWARD,
      price: AWKWARD,
      series: { id: '12', title: AWKWARD },
      pages: AWKWARD,
      author_intro: AWKWARD,
      summary: AWKWARD,
      catalog: AWKWARD,
      ebook_url: 'http://x/e',
      ebook_price: '',
    }),
    book(8, { title: 'Least' }),
    book(9, { title: 'In a series', series: { id: '12', title: AWKWARD } }),
    book(10, { title: 'A magazine', kind: 'magazine' }),
  ],
  collection: [
    collection(5, 3, 7, {
      rating: rating(5, 0),
      comment: AWKWARD,
      tags: ['科幻', 'Two words', '😀'],
    }),
    collection(6, 3, 8, { status: 'wish', privacy: 'private' }),
    collection(4, 52, 7, { status: 'reading', rating: rating(1, 0), tags: ['z'] }),
  ].sort(compareIds),
  annotation: [
    annotation(21, 3, 7, {
      chapter: AWKWARD,
      page_no: 999999,
      privacy: 1,
      content: AWKWARD,
      photos: { 1: 'http://x/1.jpg', 12: '/12' },
      last_photo: 15,
      comments_count: 3,
      votes: 8,
      time: '1999-12-31 23:59:59',
    }),
    annotation(22, 52, 8, {}),
  ],
  review: [
    review(31, 3, 7, {
      title: AWKWARD,
      content: AWKWARD,
      rating: rating(2, 1),
      votes: 1,
      useless: 2,
      comments: 3,
      updated: '2024-02-29 12:00:00',
    }),
    review(32, 52, 8, {}),
  ],
};

function compareIds(one: Wire, other: Wire): number {
  return Number(one.id) - Number(other.id);
}

function rating(value: number, min: number): Wire {
  return { max: 5, min, value: String(value) };
}

/** A book as an export writes it. */
export function book(id: number, more: Wire): Wire {
  const { kind, series, ebook_url, ebook_price, ...rest } = more;
  const text = (name: string): Wire => ({ [name]: rest[name] ?? '' });
  return {
    id: String(id),
    ...(kind === undefined ? {} : { kind }),
    ...['isbn10', 'isbn13', 'title', 'origin_title', 'alt_title', 'subtitle', 'image']
      .map(text)
      .reduce((all, one) => ({ ...all, ...one })),
    images: rest.images ?? { small: '', large: '', medium: '' },
    author: rest.author ?? [],
    translator: rest.translator ?? [],
    ...text('publisher'),
    ...text('pubdate'),
    rating: rest.rating ?? { max: 10, min: 0, numRaters: 0, average: '0.0' },
    tags: rest.tags ?? [],
    ...text('binding'),
    ...text('price'),
    ...(series === undefined ? {} : { series }),
    ...text('pages'),
    ...text('author_intro'),
    ...text('summary'),
    ...text('catalog'),
    ...(ebook_url === undefined ? {} : { ebook_url, ebook_price }),
  };
}

/** A collection as an export writes it. */
export function collection(id: number, user: number, of: number, more: Wire): Wire {
  return {
    id,
    user_id: String(user),
    book_id: String(of),
    status: more.status ?? 'read',
    ...(more.rating === undefined ? {} : { rating: more.rating }),
    comment: more.comment ?? '',
    tags: more.tags ?? [],
    privacy: more.privacy ?? 'public',
    updated: more.updated ?? '2013-12-25 22:09:04',
  };
}

/** An annotation as an export writes it. */
export function annotation(id: number, user: number, of: number, more: Wire): Wire {
  return {
    id: String(id),
    book_id: String(of),
    author_id: String(user),
    chapter: more.chapter ?? '',
    page_no: more.page_no ?? 0,
    privacy: more.privacy ?? 2,
    content: more.content ?? 'c',
    photos: more.photos ?? {},
    last_photo: more.last_photo ?? 0,
    comments_count: more.comments_count ?? 0,
    votes: more.votes ?? 0,
    time: more.time ?? '2013-12-25 22:09:04',
  };
}

/** A review as an export writes it. */
export function review(id: number, user: number, of: number, more: Wire): Wire {
  return {
    id,
    author_id: String(user),
    book_id: String(of),
    title: more.title ?? 't',
    content: more.content ?? 'c',
    ...(more.rating === undefined ? {} : { rating: more.rating }),
    votes: more.votes ?? 0,
    useless: more.useless ?? 0,
    comments: more.comments ?? 0,
    published: more.published ?? '2013-12-25 22:09:04',
    updated: more.updated ?? '2013-12-25 22:09:04',
  };
}

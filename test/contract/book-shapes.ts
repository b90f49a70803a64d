import { optional, type Shape } from './shape';

/** Simple user (specification section 2.9). */
export const SIMPLE_USER = {
  id: 'string',
  name: 'string',
  uid: 'string',
  signature: 'string',
  alt: 'string',
  avatar: 'string',
} as const satisfies Shape;

/** Rating of a user; `value` is text in the whole book area (sections 2.1, 2.2, 2.4). */
export const RATING = { max: 'integer', min: 'integer', value: 'string' } as const satisfies Shape;

/** Collection inside a book (section 2.1). */
export const EMBEDDED_COLLECTION = {
  status: 'string',
  rating: RATING,
  updated: 'string',
  user_id: 'string',
  book_id: 'string',
  id: 'integer',
} as const satisfies Shape;

/** Book as it stands inside other shapes: without anything of the caller (section 2.1). */
export const EMBEDDED_BOOK = {
  id: 'string',
  isbn10: 'string',
  isbn13: 'string',
  title: 'string',
  origin_title: 'string',
  alt_title: 'string',
  subtitle: 'string',
  url: 'string',
  alt: 'string',
  image: 'string',
  images: { small: 'string', large: 'string', medium: 'string' },
  author: ['string'],
  translator: ['string'],
  publisher: 'string',
  pubdate: 'string',
  rating: { max: 'integer', min: 'integer', numRaters: 'integer', average: 'string' },
  tags: [{ count: 'integer', name: 'string' }],
  binding: 'string',
  price: 'string',
  series: optional({ id: 'string', title: 'string' }),
  pages: 'string',
  author_intro: 'string',
  summary: 'string',
  catalog: 'string',
  ebook_url: optional('string'),
  ebook_price: optional('string'),
} as const satisfies Shape;

/** Book (section 2.1). */
export const BOOK = {
  ...EMBEDDED_BOOK,
  current_user_collection: optional(EMBEDDED_COLLECTION),
} as const satisfies Shape;

/** Tag of the book area (section 2.3). */
export const TAG = { count: 'integer', title: 'string' } as const satisfies Shape;

/** Collection (section 2.4). */
export const COLLECTION = {
  book: EMBEDDED_BOOK,
  book_id: 'string',
  comment: 'string',
  id: 'integer',
  rating: RATING,
  status: 'string',
  tags: ['string'],
  updated: 'string',
  user_id: 'string',
} as const satisfies Shape;

/** Annotation (section 2.5); `photos` is a map of addresses (D24). */
export const ANNOTATION = {
  id: 'string',
  book_id: 'string',
  book: EMBEDDED_BOOK,
  author_id: 'string',
  author_user: SIMPLE_USER,
  chapter: 'string',
  page_no: 'integer',
  privacy: 'integer',
  abstract: 'string',
  content: 'string',
  abstract_photo: 'string',
  photos: { '*': 'string' },
  last_photo: 'integer',
  comments_count: 'integer',
  hasmath: 'boolean',
  time: 'string',
} as const satisfies Shape;

/** Book review (section 2.2). */
export const REVIEW = {
  id: 'integer',
  title: 'string',
  alt: 'string',
  author: SIMPLE_USER,
  book: EMBEDDED_BOOK,
  rating: RATING,
  votes: 'integer',
  useless: 'integer',
  comments: 'integer',
  summary: 'string',
  published: 'string',
  updated: 'string',
} as const satisfies Shape;

const { summary: _summary, ...reviewMembers } = REVIEW;

/** The caller's own review after create and update: `content` instead of `summary` (section 2.2). */
export const OWN_REVIEW = { ...reviewMembers, content: 'string' } as const satisfies Shape;

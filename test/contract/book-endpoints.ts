/** A GET of the book area, as the specification's section 4.1 lists it. */
export interface BookGet {
  readonly path: string;
  readonly scope: 'book_basic_r' | 'service_basic_common';
  /** Shape of the response; for a list, of each element. */
  readonly shape: 'Book' | 'Tag' | 'Collection' | 'Annotation';
  /** Name of the list's member; absent for a single object. */
  readonly member?: 'books' | 'tags' | 'collections' | 'annotations';
  /** Parameters beside `fields`, `start` and `count`. */
  readonly query?: readonly string[];
  readonly deprecated?: boolean;
}

const scope = 'book_basic_r';

export const BOOK_GETS: readonly BookGet[] = [
  { path: '/v2/book/:id', scope, shape: 'Book' },
  { path: '/v2/book/isbn/:name', scope, shape: 'Book' },
  { path: '/v2/book/search', scope, shape: 'Book', member: 'books', query: ['q', 'tag'] },
  { path: '/v2/book/:id/tags', scope, shape: 'Tag', member: 'tags' },
  { path: '/v2/book/user/:name/tags', scope, shape: 'Tag', member: 'tags' },
  {
    path: '/v2/book/user_tags/:id',
    scope: 'service_basic_common',
    shape: 'Tag',
    member: 'tags',
    deprecated: true,
  },
  {
    path: '/v2/book/user/:name/collections',
    scope,
    shape: 'Collection',
    member: 'collections',
    query: ['status', 'tag', 'from', 'to', 'rating'],
  },
  { path: '/v2/book/:id/collection', scope, shape: 'Collection', query: ['user_id'] },
  {
    path: '/v2/book/user/:name/annotations',
    scope,
    shape: 'Annotation',
    member: 'annotations',
  },
  {
    path: '/v2/book/:id/annotations',
    scope,
    shape: 'Annotation',
    member: 'annotations',
    query: ['format', 'order', 'page'],
  },
  { path: '/v2/book/annotation/:id', scope, shape: 'Annotation', query: ['format'] },
  { path: '/v2/book/series/:id/books', scope, shape: 'Book', member: 'books' },
];

/** A write of the book area, as the specification's section 4.1 lists it. */
export interface BookWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly scope: 'book_basic_w' | 'service_basic_common';
  readonly status: number;
  /** Shape of the response; absent where the body is empty or an acknowledgment. */
  readonly shape?: 'Collection' | 'Annotation' | 'OwnReview';
}

const write = { scope: 'book_basic_w' } as const;
const review = { scope: 'service_basic_common' } as const;

export const BOOK_WRITES: readonly BookWrite[] = [
  { method: 'POST', path: '/v2/book/:id/collection', ...write, status: 201, shape: 'Collection' },
  { method: 'PUT', path: '/v2/book/:id/collection', ...write, status: 202, shape: 'Collection' },
  { method: 'DELETE', path: '/v2/book/:id/collection', ...write, status: 204 },
  { method: 'POST', path: '/v2/book/:id/annotations', ...write, status: 201, shape: 'Annotation' },
  { method: 'PUT', path: '/v2/book/annotation/:id', ...write, status: 202, shape: 'Annotation' },
  { method: 'DELETE', path: '/v2/book/annotation/:id', ...write, status: 204 },
  { method: 'POST', path: '/v2/book/reviews', ...review, status: 201, shape: 'OwnReview' },
  { method: 'PUT', path: '/v2/book/review/:id', ...review, status: 202, shape: 'OwnReview' },
  { method: 'DELETE', path: '/v2/book/review/:id', ...review, status: 200 },
];

/** Elements of a list when `count` is absent, and the most that it can ask for (D3). */
export const DEFAULT_COUNT = 20;
export const MAX_COUNT = 100;

import {
  address,
  bool,
  int,
  list,
  map,
  ref,
  resource,
  str,
  time,
  oneOf,
  type WireContext,
  signedPhotos,
} from '../api/resources/resource';
import { SimpleUser } from '../users/users.resources';
import { excerptOf } from '../api/input/text-input';
import { hasFormula, plainText, renderHtml } from '../text/markup';
import { type AnnotationRow, type BookRow, type CollectionRow } from './books.rows';

/** Maximum number of tags inside a book; `/v2/book/:id/tags` has more. */
export const TAGS_IN_BOOK = 8;

/** The cover of books without one. */
const DEFAULT_COVER = '/pictures/sample/default/book';

/** A book's rating is on 10, its average text with one decimal (specification section 2.1, D20). */
export const BookRating = resource('BookRating', {
  max: { type: int(), from: () => 10 },
  min: { type: int(), from: () => 0 },
  numRaters: { type: int(), from: (book: BookRow) => book.num_raters },
  average: { type: str() },
});

/** A tag inside a book (specification section 2.1). */
export const BookTag = resource('BookTag', {
  count: { type: int() },
  name: { type: str() },
});

/** A tag in lists of tags (specification section 2.3). */
export const Tag = resource('Tag', {
  count: { type: int() },
  title: { type: str(), from: (tag: { name: string }) => tag.name },
});

export const Series = resource('Series', {
  id: { type: str() },
  title: { type: str() },
});

/** Cover in three sizes. */
export const CoverImages = resource('CoverImages', {
  small: { type: address(), from: (book: BookRow) => book.image_small || `${DEFAULT_COVER}-s.jpg` },
  large: { type: address(), from: (book: BookRow) => book.image_large || `${DEFAULT_COVER}-l.jpg` },
  medium: {
    type: address(),
    from: (book: BookRow) => book.image_medium || `${DEFAULT_COVER}-m.jpg`,
  },
});

/** A user's rating: 1 to 5, `"0"` for none (D10, D20). Reviews start at 1, collections at 0. */
const givenRating = (name: string, min: number) =>
  resource(name, {
    max: { type: int(), from: () => 5 },
    min: { type: int(), from: () => min },
    value: { type: str(), from: (row: { rating: number | null }) => row.rating ?? 0 },
  });
export const CollectionRating = givenRating('CollectionRating', 0);
export const ReviewRating = givenRating('ReviewRating', 1);

const integer = <T>(row: T): T => row;
const STATUS = oneOf('wish', 'reading', 'read');

/** The caller's collection inside a book (specification section 2.1). */
export const EmbeddedCollection = resource('EmbeddedCollection', {
  status: { type: STATUS },
  rating: { type: ref(CollectionRating), from: integer },
  updated: { type: time() },
  user_id: { type: str() },
  book_id: { type: str() },
  id: { type: int() },
});

const bookMembers = {
  id: { type: str() },
  isbn10: { type: str() },
  isbn13: { type: str() },
  title: { type: str() },
  origin_title: { type: str() },
  alt_title: { type: str() },
  subtitle: { type: str() },
  url: {
    type: str(),
    from: (book: BookRow, context: WireContext) => `${context.baseUrl}/v2/book/${book.id}`,
  },
  alt: {
    type: str(),
    from: (book: BookRow, context: WireContext) => `${context.webUrl}/book/${book.id}/`,
  },
  image: {
    type: address(),
    from: (book: BookRow) => book.image_medium || `${DEFAULT_COVER}-m.jpg`,
  },
  images: { type: ref(CoverImages), from: integer },
  author: { type: list(str()) },
  translator: { type: list(str()) },
  publisher: { type: str() },
  pubdate: { type: str() },
  rating: { type: ref(BookRating), from: integer },
  tags: { type: list(ref(BookTag)) },
  binding: { type: str() },
  price: { type: str() },
  series: { type: ref(Series), optional: true },
  pages: { type: str() },
  author_intro: { type: str() },
  summary: { type: str() },
  catalog: { type: str() },
  ebook_url: { type: address(), optional: true },
  ebook_price: { type: str(), optional: true },
} as const;

/** Book (specification section 2.1) inside other resources. */
export const EmbeddedBook = resource('EmbeddedBook', bookMembers);

/** Book, with the collection of an authorized caller who has one (specification section 2.1). */
export const Book = resource('Book', {
  ...bookMembers,
  current_user_collection: { type: ref(EmbeddedCollection), optional: true },
});

/** Collection (specification section 2.4). */
export const Collection = resource('Collection', {
  book: { type: ref(EmbeddedBook) },
  book_id: { type: str() },
  comment: { type: str() },
  id: { type: int() },
  rating: { type: ref(CollectionRating), from: integer },
  status: { type: STATUS },
  tags: { type: list(str()) },
  updated: { type: time() },
  user_id: { type: str() },
});

/**
 * Maximum length of an annotation's `abstract` and a review's `summary` in characters (D24, D26).
 */
const EXCERPT = 100;

const annotationMembers = {
  id: { type: str() },
  book_id: { type: str() },
  book: { type: ref(EmbeddedBook) },
  author_id: { type: str() },
  author_user: { type: ref(SimpleUser) },
  chapter: { type: str() },
  page_no: { type: int() },
  privacy: {
    type: int(),
    from: (row: AnnotationRow) => (row.private ? 1 : 2),
    about: '1: the author alone, 2: everybody.',
  },
  abstract: {
    type: str(),
    from: (row: AnnotationRow) => excerptOf(plainText(row.content), EXCERPT),
  },
} as const;

/** Picture URLs of an annotation by number, signed when only its author can see it. */
const photosOf = (row: AnnotationRow, context: WireContext): AnnotationRow['photos'] =>
  row.private || row.hidden
    ? signedPhotos(row.photos, { subject: 'annotation', id: row.id }, context)
    : row.photos;

const annotationTail = {
  abstract_photo: {
    type: address(),
    from: (row: AnnotationRow, context: WireContext) => Object.values(photosOf(row, context))[0],
  },
  photos: { type: map(address()), from: photosOf },
  last_photo: { type: int() },
  comments_count: { type: int() },
  hasmath: {
    type: bool(),
    from: (row: AnnotationRow) => hasFormula(row.content),
  },
  time: { type: time() },
} as const;

/** Annotation whose content is text with pseudo-tags (specification section 2.5). */
export const Annotation = resource('Annotation', {
  ...annotationMembers,
  content: {
    type: str(),
    from: (row: AnnotationRow, context: WireContext) =>
      row.html ? renderHtml(row.content, photosOf(row, context), context) : row.content,
  },
  ...annotationTail,
});

/** Review (specification section 2.2) with its full text, for its author. */
export const OwnReview = resource('OwnReview', {
  id: { type: int() },
  title: { type: str() },
  alt: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => `${context.webUrl}/review/${row.id}/`,
  },
  author: { type: ref(SimpleUser) },
  book: { type: ref(EmbeddedBook) },
  rating: { type: ref(ReviewRating), from: integer },
  votes: { type: int() },
  useless: { type: int() },
  comments: { type: int() },
  content: { type: str() },
  published: { type: time() },
  updated: { type: time() },
});

const { content: _content, ...reviewMembers } = OwnReview.fields;

/** Review (specification section 2.2) for others, with an excerpt (D26). */
export const Review = resource('Review', {
  ...reviewMembers,
  summary: {
    type: str(),
    from: (row: { content: string }) => excerptOf(plainText(row.content), EXCERPT),
  },
});

export type CollectionSource = CollectionRow & { readonly book: BookRow };

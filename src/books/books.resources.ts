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
import { hasFormula, plainBeginning, renderHtml } from '../text/markup';
import { type AnnotationRow, type BookRow, type CollectionRow } from './books.rows';

/** Maximum number of tags inside a book; `/v2/book/:id/tags` has more. */
export const TAGS_IN_BOOK = 8;

/** The cover of books without one. */
const DEFAULT_COVER = '/pictures/sample/default/book';

/** A book's rating is on 10, its average text with one decimal (specification section 2.1, D20). */
export const BookRating = resource('BookRating', {
  max: { type: int(), from: () => 10, about: 'Highest possible rating.' },
  min: { type: int(), from: () => 0, about: 'Lowest possible rating; 0 means no ratings.' },
  numRaters: {
    type: int(),
    from: (book: BookRow) => book.num_raters,
    about: 'Number of users who have rated the book.',
  },
  average: { type: str(), about: 'Average rating, with one decimal: from `0.0` to `10.0`.' },
});

/** A tag inside a book (specification section 2.1). */
export const BookTag = resource('BookTag', {
  count: { type: int(), about: 'Number of users who gave the book this tag.' },
  name: { type: str(), about: 'Text of the tag, at most 20 characters.' },
});

/** A tag in lists of tags (specification section 2.3). */
export const Tag = resource('Tag', {
  count: { type: int(), about: 'Number of uses of the tag.' },
  title: {
    type: str(),
    from: (tag: { name: string }) => tag.name,
    about: 'Text of the tag, at most 20 characters.',
  },
});

export const Series = resource('Series', {
  id: { type: str(), about: 'Id of the series.' },
  title: { type: str(), about: 'Title of the series.' },
});

/** Cover in three sizes. */
export const CoverImages = resource('CoverImages', {
  small: {
    type: address(),
    from: (book: BookRow) => book.image_small || `${DEFAULT_COVER}-s.jpg`,
    about: 'Small cover.',
  },
  large: {
    type: address(),
    from: (book: BookRow) => book.image_large || `${DEFAULT_COVER}-l.jpg`,
    about: 'Large cover.',
  },
  medium: {
    type: address(),
    from: (book: BookRow) => book.image_medium || `${DEFAULT_COVER}-m.jpg`,
    about: 'Medium cover.',
  },
});

/** A user's rating: 1 to 5, `"0"` for none (D10, D20). Reviews start at 1, collections at 0. */
const givenRating = (name: string, min: number) =>
  resource(name, {
    max: { type: int(), from: () => 5, about: 'Highest possible rating.' },
    min: { type: int(), from: () => min, about: 'Lowest possible rating.' },
    value: {
      type: str(),
      from: (row: { rating: number | null }) => row.rating ?? 0,
      about: 'Rating from `1` to `5`; `0` means no rating.',
    },
  });
export const CollectionRating = givenRating('CollectionRating', 0);
export const ReviewRating = givenRating('ReviewRating', 1);

const integer = <T>(row: T): T => row;
const STATUS = oneOf('wish', 'reading', 'read');

/** The caller's collection inside a book (specification section 2.1). */
export const EmbeddedCollection = resource('EmbeddedCollection', {
  status: { type: STATUS, about: '`wish`: wants to read, `reading`, or `read`.' },
  rating: { type: ref(CollectionRating), from: integer, about: 'Rating by the user.' },
  updated: { type: time(), about: 'Time of the last change.' },
  user_id: { type: str(), about: 'Id of the user who collected the book.' },
  book_id: { type: str(), about: 'Id of the book.' },
  id: { type: int(), about: 'Id of the collection.' },
});

const bookMembers = {
  id: { type: str(), about: 'Id of the book: digits.' },
  isbn10: { type: str(), about: 'ISBN with 10 characters; may be empty.' },
  isbn13: { type: str(), about: 'ISBN with 13 digits; may be empty.' },
  title: { type: str(), about: 'Title.' },
  origin_title: { type: str(), about: 'Title in the original language; may be empty.' },
  alt_title: { type: str(), about: 'Another title; may be empty.' },
  subtitle: { type: str(), about: 'Subtitle; may be empty.' },
  url: {
    type: str(),
    from: (book: BookRow, context: WireContext) => `${context.baseUrl}/v2/book/${book.id}`,
    about: 'URL of the book in this API.',
  },
  alt: {
    type: str(),
    from: (book: BookRow, context: WireContext) => `${context.webUrl}/book/${book.id}/`,
    about: 'URL of the page of the book.',
  },
  image: {
    type: address(),
    from: (book: BookRow) => book.image_medium || `${DEFAULT_COVER}-m.jpg`,
    about: 'Medium cover.',
  },
  images: { type: ref(CoverImages), from: integer, about: 'Cover in three sizes.' },
  author: { type: list(str()), about: 'Names of the authors.' },
  translator: { type: list(str()), about: 'Names of the translators.' },
  publisher: { type: str(), about: 'Name of the publisher.' },
  pubdate: { type: str(), about: 'Date of publication, as free text such as `2008-6`.' },
  rating: { type: ref(BookRating), from: integer, about: 'Rating by all users.' },
  tags: {
    type: list(ref(BookTag)),
    about: 'Most used tags, at most 8; `/v2/book/{id}/tags` has up to 50.',
  },
  binding: { type: str(), about: 'Binding, as free text such as `平装`.' },
  price: { type: str(), about: 'Price, as free text with currency.' },
  series: {
    type: ref(Series),
    optional: true,
    about: 'Series of the book; omitted when it belongs to none.',
  },
  pages: { type: str(), about: 'Number of pages, as free text.' },
  author_intro: { type: str(), about: 'About the author: plain text with line breaks.' },
  summary: { type: str(), about: 'Summary: plain text with line breaks.' },
  catalog: { type: str(), about: 'Table of contents: lines separated by a newline character.' },
  ebook_url: { type: address(), optional: true, about: 'URL of the e-book; omitted without one.' },
  ebook_price: {
    type: str(),
    optional: true,
    about: 'Price of the e-book, as free text; omitted without one.',
  },
} as const;

/** Book (specification section 2.1) inside other resources. */
export const EmbeddedBook = resource('EmbeddedBook', bookMembers);

/** Book, with the collection of an authorized caller who has one (specification section 2.1). */
export const Book = resource('Book', {
  ...bookMembers,
  current_user_collection: {
    type: ref(EmbeddedCollection),
    optional: true,
    about: 'Collection of the caller; omitted without a token of a user or without a collection.',
  },
});

/** Collection (specification section 2.4). */
export const Collection = resource('Collection', {
  book: { type: ref(EmbeddedBook), about: 'The collected book.' },
  book_id: { type: str(), about: 'Id of the book.' },
  comment: { type: str(), about: 'Short comment, at most 350 characters.' },
  id: { type: int(), about: 'Id of the collection.' },
  rating: { type: ref(CollectionRating), from: integer, about: 'Rating by the user.' },
  status: { type: STATUS, about: '`wish`: wants to read, `reading`, or `read`.' },
  tags: {
    type: list(str()),
    about: 'Tags that the user gave the book, at most 20, each of at most 20 characters.',
  },
  updated: { type: time(), about: 'Time of the last change.' },
  user_id: { type: str(), about: 'Id of the user.' },
});

/**
 * Maximum length of an annotation's `abstract` and a review's `summary` in characters (D24, D26).
 */
const EXCERPT = 100;

const annotationMembers = {
  id: { type: str(), about: 'Id of the annotation.' },
  book_id: { type: str(), about: 'Id of the book.' },
  book: { type: ref(EmbeddedBook), about: 'The annotated book.' },
  author_id: { type: str(), about: 'Id of the author.' },
  author_user: { type: ref(SimpleUser), about: 'The author.' },
  chapter: { type: str(), about: 'Name of the chapter, at most 100 characters; may be empty.' },
  page_no: { type: int(), about: 'Page number from 1 to 999999; 0 means none.' },
  privacy: {
    type: int(),
    from: (row: AnnotationRow) => (row.private ? 1 : 2),
    about: '1: the author alone, 2: everybody.',
  },
  abstract: {
    type: str(),
    from: (row: AnnotationRow) => excerptOf(plainBeginning(row.content), EXCERPT),
    about: 'Beginning of the content as plain text, at most 100 characters.',
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
    about: 'First picture; empty without pictures.',
  },
  photos: {
    type: map(address()),
    from: photosOf,
    about: 'URLs of all pictures, by picture number.',
  },
  last_photo: { type: int(), about: 'Highest picture number; 0 without pictures.' },
  comments_count: { type: int(), about: 'Number of comments.' },
  hasmath: {
    type: bool(),
    from: (row: AnnotationRow) => hasFormula(row.content),
    about: 'Whether the content has a formula.',
  },
  time: { type: time(), about: 'Time of publication.' },
} as const;

/** Annotation whose content is text with pseudo-tags (specification section 2.5). */
export const Annotation = resource('Annotation', {
  ...annotationMembers,
  content: {
    type: str(),
    from: (row: AnnotationRow, context: WireContext) =>
      row.html ? renderHtml(row.content, photosOf(row, context), context) : row.content,
    about: 'Content, as text with pseudo-tags or as HTML, which `format` selects.',
  },
  ...annotationTail,
});

/** Review (specification section 2.2) with its full text, for its author. */
export const OwnReview = resource('OwnReview', {
  id: { type: int(), about: 'Id of the review.' },
  title: { type: str(), about: 'Title, at most 1,000 characters.' },
  alt: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => `${context.webUrl}/review/${row.id}/`,
    about: 'URL of the page of the review.',
  },
  author: { type: ref(SimpleUser), about: 'The author.' },
  book: { type: ref(EmbeddedBook), about: 'The reviewed book.' },
  rating: { type: ref(ReviewRating), from: integer, about: 'Rating by the author.' },
  votes: { type: int(), about: 'Number of users who find the review useful.' },
  useless: { type: int(), about: 'Number of users who find the review useless.' },
  comments: { type: int(), about: 'Number of comments.' },
  content: { type: str(), about: 'Full text: 151 to 50,000 characters.' },
  published: { type: time(), about: 'Time of publication.' },
  updated: { type: time(), about: 'Time of the last change.' },
});

const { content: _content, ...reviewMembers } = OwnReview.fields;

/** Review (specification section 2.2) for others, with an excerpt (D26). */
export const Review = resource('Review', {
  ...reviewMembers,
  summary: {
    type: str(),
    from: (row: { content: string }) => excerptOf(plainBeginning(row.content), EXCERPT),
    about: 'Beginning of the review as plain text, at most 100 characters.',
  },
});

export type CollectionSource = CollectionRow & { readonly book: BookRow };

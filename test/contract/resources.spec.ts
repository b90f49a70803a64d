import { Resource } from '../../src/api/resources/resource';
import * as books from '../../src/books/books.resources';
import * as notes from '../../src/notes/notes.resources';
import * as users from '../../src/users/users.resources';
import * as expected from './book-shapes';
import { NOTE, REPLY } from './note-shapes';
import { shapeOf, type Shape } from './shape';

const SHAPES: Record<string, Shape> = {
  SimpleUser: expected.SIMPLE_USER,
  BookRating: expected.BOOK.rating,
  BookTag: expected.BOOK.tags[0],
  CoverImages: expected.BOOK.images,
  Series: expected.BOOK.series.shape,
  CollectionRating: expected.RATING,
  ReviewRating: expected.RATING,
  EmbeddedCollection: expected.EMBEDDED_COLLECTION,
  EmbeddedBook: expected.EMBEDDED_BOOK,
  Book: expected.BOOK,
  Tag: expected.TAG,
  Collection: expected.COLLECTION,
  Annotation: expected.ANNOTATION,
  Review: expected.REVIEW,
  OwnReview: expected.OWN_REVIEW,
  Note: NOTE,
  Reply: REPLY,
};

const EXPORTED: readonly unknown[] = [books, users, notes].flatMap((area) => Object.values(area));
const TABLES = EXPORTED.flatMap((exported): Resource[] =>
  exported instanceof Resource ? [exported] : [],
);

const CONTEXT = {
  baseUrl: 'http://api.test',
  webUrl: 'http://web.test',
  sign: (path: string) => `${path}?signed`,
};
const write = (table: Resource, source: unknown) => table.compile('basic')(source, CONTEXT);

describe('resource tables of books, notes and users', () => {
  it('are exactly those of the specification', () => {
    expect(TABLES.map(({ name }) => name).sort()).toEqual(Object.keys(SHAPES).sort());
  });

  it.each(TABLES)('$name has the members, types and optional members of section 2', (table) => {
    expect(shapeOf(table)).toEqual(SHAPES[table.name]);
  });

  it.each(TABLES)('$name has no tiers, which only movies have (section 2.7)', (table) => {
    expect(Object.values(table.fields).filter(({ tiers }) => tiers !== undefined)).toEqual([]);
  });
});

const EMPTY_BOOK = {
  id: '7',
  isbn10: '',
  isbn13: '',
  title: '',
  origin_title: '',
  alt_title: '',
  subtitle: '',
  url: 'http://api.test/v2/book/7',
  alt: 'http://web.test/book/7/',
  image: expect.stringMatching(/^http:\/\/api\.test\/.+/),
  images: {
    small: expect.stringMatching(/^http:\/\/api\.test\/.+/),
    large: expect.stringMatching(/^http:\/\/api\.test\/.+/),
    medium: expect.stringMatching(/^http:\/\/api\.test\/.+/),
  },
  author: [],
  translator: [],
  publisher: '',
  pubdate: '',
  rating: { max: 10, min: 0, numRaters: 0, average: '0.0' },
  tags: [],
  binding: '',
  price: '',
  pages: '',
  author_intro: '',
  summary: '',
  catalog: '',
};

// Columns of a book that every statement selects; others may be absent.
const BOOK_ROW = { id: '7', num_raters: 0, average: '0.0' };

describe('members without a value (D10)', () => {
  it('of a book are empty, and optional ones are omitted', () => {
    expect(write(books.Book, BOOK_ROW)).toEqual(EMPTY_BOOK);
  });

  it.each(['series', 'ebook_url', 'ebook_price', 'current_user_collection'])(
    'of a book omit %s when it is null',
    (member) => {
      expect(write(books.Book, { ...BOOK_ROW, [member]: null })).not.toHaveProperty(member);
    },
  );

  it('of a collection are empty, and no rating has the value "0"', () => {
    const row = { id: '3', user_id: '4', book_id: '7', status: 'wish', book: BOOK_ROW };
    expect(write(books.Collection, row)).toEqual({
      book: EMPTY_BOOK,
      book_id: '7',
      comment: '',
      id: 3,
      rating: { max: 5, min: 0, value: '0' },
      status: 'wish',
      tags: [],
      updated: '',
      user_id: '4',
    });
  });

  it('of an annotation are empty, 0 or false', () => {
    const row = { id: '5', book_id: '7', author_id: '4', private: false, content: '', photos: {} };
    const user = { id: '4', uid: 'ada', name: 'Ada' };
    expect(write(books.Annotation, { ...row, book: BOOK_ROW, author_user: user })).toEqual({
      id: '5',
      book_id: '7',
      book: EMPTY_BOOK,
      author_id: '4',
      author_user: {
        id: '4',
        uid: 'ada',
        name: 'Ada',
        signature: '',
        alt: 'http://web.test/people/ada/',
        avatar: expect.stringMatching(/^http:\/\/api\.test\/.+/),
      },
      chapter: '',
      page_no: 0,
      privacy: 2,
      abstract: '',
      content: '',
      abstract_photo: '',
      photos: {},
      last_photo: 0,
      comments_count: 0,
      hasmath: false,
      time: '',
    });
  });

  it('of a review are empty or 0, and no rating has the value "0" of 1 to 5', () => {
    const row = { id: '9', title: '', content: '', book: BOOK_ROW, author: { id: '4', uid: 'a' } };
    expect(write(books.Review, row)).toMatchObject({
      id: 9,
      title: '',
      rating: { max: 5, min: 1, value: '0' },
      votes: 0,
      useless: 0,
      comments: 0,
      summary: '',
      published: '',
      updated: '',
    });
    expect(write(books.OwnReview, row)).toMatchObject({ content: '' });
  });

  it('of a note are empty, 0, false or {}', () => {
    const row = { id: '6', content: '', privacy: 'private', photos: {}, nodes: [], format: 'text' };
    expect(write(notes.Note, row)).toEqual({
      id: '6',
      title: '',
      alt: 'http://web.test/note/6/',
      summary: '',
      content: '',
      privacy: 'private',
      can_reply: false,
      publish_time: '',
      update_time: '',
      photos: {},
      comments_count: 0,
      liked_count: 0,
      recs_count: 0,
    });
  });
});

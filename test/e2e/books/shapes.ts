/** Member sets of the book area's wire shapes, as the specification's section 2 has them. */

const sorted = (...names: string[]): string[] => [...names].sort();

/** Section 2.1, without the members that are only sometimes there. */
export const BOOK = sorted(
  'id',
  'isbn10',
  'isbn13',
  'title',
  'origin_title',
  'alt_title',
  'subtitle',
  'url',
  'alt',
  'image',
  'images',
  'author',
  'translator',
  'publisher',
  'pubdate',
  'rating',
  'tags',
  'binding',
  'price',
  'pages',
  'author_intro',
  'summary',
  'catalog',
);

/** Section 2.1: the members that are only sometimes there. */
export const OPTIONAL_IN_BOOK = ['series', 'ebook_url', 'ebook_price', 'current_user_collection'];

/** Section 2.1: the collection inside a book. */
export const EMBEDDED_COLLECTION = sorted(
  'status',
  'rating',
  'updated',
  'user_id',
  'book_id',
  'id',
);

/** Section 2.4. */
export const COLLECTION = sorted(
  'book',
  'book_id',
  'comment',
  'id',
  'rating',
  'status',
  'tags',
  'updated',
  'user_id',
);

/** Section 2.5. */
export const ANNOTATION = sorted(
  'id',
  'book_id',
  'book',
  'author_id',
  'author_user',
  'chapter',
  'page_no',
  'privacy',
  'abstract',
  'content',
  'abstract_photo',
  'photos',
  'last_photo',
  'comments_count',
  'hasmath',
  'time',
);

/** Section 2.9: the simple user (D19). */
export const USER = sorted('id', 'name', 'uid', 'signature', 'alt', 'avatar');

/** Section 2.3. */
export const TAG = sorted('count', 'title');

/** Names of an object's members, sorted. */
export const membersOf = (value: object): string[] => Object.keys(value).sort();

/** `yyyy-MM-dd HH:mm:ss` (section 1). */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

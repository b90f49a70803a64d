import { OperationError } from '../../api/errors/error-codes';
import { statement, type SqlExecutor } from '../../database/database';
import { type WireRecord } from '../engine/record-edit-hooks';
import {
  averageOf,
  isFilled,
  membersWith,
  missingMembers,
  sumOf,
  type MovedCounts,
  type RecordMerging,
} from '../engine/merging';
import { recountBooks } from '../engine/recount';
import { type BookMember } from './book.record';
import { mergeDoubleCollections } from './double-collections';

/**
 * What the survivor does with each member of the other: nothing (`kept`), take it over when it has
 * none itself (`taken`; ISBNs and the e-book only together), or add it (`summed`). `image` is one
 * of `images`.
 */
const RULES: Readonly<Record<BookMember, 'kept' | 'taken' | 'isbn' | 'ebook' | 'summed'>> = {
  id: 'kept',
  kind: 'kept',
  isbn10: 'isbn',
  isbn13: 'isbn',
  title: 'kept',
  origin_title: 'taken',
  alt_title: 'taken',
  subtitle: 'taken',
  image: 'kept',
  images: 'taken',
  author: 'taken',
  translator: 'taken',
  publisher: 'taken',
  pubdate: 'taken',
  rating: 'summed',
  tags: 'summed',
  binding: 'taken',
  price: 'taken',
  series: 'taken',
  pages: 'taken',
  author_intro: 'taken',
  summary: 'taken',
  catalog: 'taken',
  ebook_url: 'ebook',
  ebook_price: 'ebook',
};
const [TAKEN, ISBNS, EBOOK] = [
  membersWith(RULES, 'taken'),
  membersWith(RULES, 'isbn'),
  membersWith(RULES, 'ebook'),
];

// Stronger than the lock that a new collection, review or annotation takes on its book.
const LOCK = statement(
  'merges.lock_books',
  'SELECT 1 FROM books WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
);

const COUNT = statement(
  'merges.count_about_book',
  `SELECT (SELECT count(*)::int FROM collections WHERE book_id = $1) AS collections,
     (SELECT count(*)::int FROM collections a JOIN collections b USING (user_id)
      WHERE a.book_id = $1 AND b.book_id = $2) AS double_collections,
     (SELECT count(*)::int FROM reviews WHERE book_id = $1) AS reviews,
     (SELECT count(*)::int FROM annotations WHERE book_id = $1) AS annotations`,
);

const move = (table: string) =>
  statement(`merges.move_${table}`, `UPDATE ${table} SET book_id = $2 WHERE book_id = $1`);
const MOVE = ['collections', 'reviews', 'annotations', 'book_sources'].map(move);

interface WireRating {
  readonly numRaters: number;
  readonly average: string;
}

interface WireTag {
  readonly name: string;
  readonly count: number;
}

const ratingOf = (book: WireRecord): { average: unknown; count: unknown } => {
  const { numRaters: count, average } = book.rating as WireRating;
  return { average, count };
};

/** The tags of both books with the sum of their counts, those of the survivor first. */
function sumTags(survivor: WireRecord, other: WireRecord): WireTag[] {
  const counts = new Map<string, number>();
  for (const { name, count } of [...(survivor.tags as WireTag[]), ...(other.tags as WireTag[])])
    counts.set(name, sumOf(counts.get(name), count));
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** Merges books: collections, reviews, annotations, tags and ratings follow. */
export const BOOK_MERGING: RecordMerging = {
  kind: 'book',

  combine(survivor, other) {
    if (survivor.kind !== other.kind)
      throw new OperationError('only records of the same kind can be merged');
    const group = (names: readonly string[]) =>
      names.some((name) => isFilled(survivor[name])) ? [] : names;
    const taken = missingMembers(survivor, other, [...TAKEN, ...group(ISBNS), ...group(EBOOK)]);
    const [one, two] = [ratingOf(survivor), ratingOf(other)];
    const isRated = Number(two.count) > 0;
    return {
      ...taken,
      ...(isRated && {
        rating: {
          ...(survivor.rating as object),
          numRaters: sumOf(one.count, two.count),
          average: averageOf(one, two),
        },
      }),
      ...(isFilled(other.tags) && { tags: sumTags(survivor, other) }),
    };
  },

  async lock(executor, ids) {
    await executor.query(LOCK, [ids]);
  },

  async count(executor: SqlExecutor, from: number, to: number): Promise<MovedCounts> {
    const [counts] = await executor.query<MovedCounts>(COUNT, [from, to]);
    return counts ?? {};
  },

  async move(executor, from, to) {
    await mergeDoubleCollections(executor, from, to);
    for (const step of MOVE) await executor.query(step, [from, to]);
    await recountBooks(executor, [from, to]);
  },
};

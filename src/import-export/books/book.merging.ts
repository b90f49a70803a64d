import { OperationError } from '../../api/errors/error-codes';
import { statement, type SqlExecutor } from '../../database/database';
import { type WireRecord } from '../engine/record-edit-hooks';
import {
  averageOf,
  isFilled,
  membersWith,
  MERGES,
  mergeValues,
  missingMembers,
  moveStatement,
  sumOf,
  unfinishedStatement,
  type MovedCounts,
  type RecordMerging,
} from '../engine/merging';
import { MAX_TEXTS } from '../engine/record';
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

const OTHER_KIND = 'only records of the same kind can be merged';

// The kind of a placeholder is unknown, unless it is a deleted book.
const CONFLICT = statement(
  'merges.books_of_other_kinds',
  `SELECT 1 FROM ${MERGES} JOIN books o ON o.id = m.id JOIN books k ON k.id = m.survivor_id
   WHERE o.kind <> k.kind AND (NOT o.placeholder OR o.deleted_at IS NOT NULL)
     AND (NOT k.placeholder OR k.deleted_at IS NOT NULL) LIMIT 1`,
);

/** Tables with rows about books. */
const TABLES = ['collections', 'reviews', 'annotations', 'book_sources'];
const MOVE = TABLES.map((table) => moveStatement(table, 'book_id'));

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

/**
 * The tags of both books with the sum of their counts, those of the survivor first; the most used ones
 * if they are too many for a record.
 */
function sumTags(survivor: WireRecord, other: WireRecord): WireTag[] {
  const counts = new Map<string, number>();
  for (const { name, count } of [...(survivor.tags as WireTag[]), ...(other.tags as WireTag[])])
    counts.set(name, sumOf(counts.get(name), count));
  const tags = [...counts].map(([name, count]) => ({ name, count }));
  if (tags.length <= MAX_TEXTS) return tags;
  return tags.toSorted((one, other) => Number(other.count) - Number(one.count)).slice(0, MAX_TEXTS);
}

/** Merges books: collections, reviews, annotations, tags and ratings follow. */
export const BOOK_MERGING: RecordMerging = {
  kind: 'book',
  conflict: CONFLICT,
  conflictReason: OTHER_KIND,
  unfinished: unfinishedStatement({ records: 'books', column: 'book_id', tables: TABLES }),

  combine(survivor, other) {
    if (survivor.kind !== other.kind) throw new OperationError(OTHER_KIND);
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

  async move(executor, merges) {
    const values = mergeValues(merges);
    await mergeDoubleCollections(executor, merges);
    for (const step of MOVE) await executor.query(step, values);
    await recountBooks(executor, values.flat());
  },
};

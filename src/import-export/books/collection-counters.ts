import { type Contribution, countedTags, NO_CONTRIBUTION } from '../../books/book-counters';
import { statement, type SqlExecutor } from '../../database/database';
import { fold } from '../../text/fold';
import { updatePopularity } from '../engine/recount';

/** A stored collection with what it contributes to the counters of its book. */
export interface CountedCollection {
  readonly id: number;
  readonly user_id: number;
  readonly book_id: number;
  readonly rating: number | null;
  readonly tags: readonly string[];
  /** Private or hidden. */
  readonly author_only: boolean;
}

const RATE = statement(
  'import_export.change_ratings',
  `UPDATE books b SET rating_count = b.rating_count + r.count, rating_sum = b.rating_sum + r.sum
   FROM unnest($1::bigint[], $2::int[], $3::int[]) AS r(id, count, sum) WHERE b.id = r.id`,
);

const ADD_TAGS = statement(
  'import_export.add_tags',
  `INSERT INTO book_tags (book_id, name, folded, used_count)
   SELECT r.book_id, r.name, CASE WHEN b.kind = 'book' THEN r.folded ELSE '' END, r.uses
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) AS r(book_id, name, folded, uses)
   JOIN books b ON b.id = r.book_id
   ON CONFLICT (book_id, name) DO UPDATE SET used_count = book_tags.used_count + EXCLUDED.used_count`,
);

const DROP_TAGS = statement(
  'import_export.drop_tags',
  `UPDATE book_tags t SET used_count = greatest(0, t.used_count - r.uses)
   FROM unnest($1::bigint[], $2::text[], $3::int[]) AS r(book_id, name, uses)
   WHERE t.book_id = r.book_id AND t.name = r.name`,
);

const REMOVE_UNUSED = statement(
  'import_export.remove_unused_tags',
  `DELETE FROM book_tags t USING unnest($1::bigint[], $2::text[]) AS r(book_id, name)
   WHERE t.book_id = r.book_id AND t.name = r.name AND t.base_count = 0 AND t.used_count = 0`,
);

/** Changes of the counters of a book. */
interface BookChange {
  count: number;
  sum: number;
  /** By tag. */
  readonly uses: Map<string, number>;
}

const contributionOf = ({ rating, tags, author_only }: CountedCollection): Contribution => ({
  rating,
  tags,
  private: author_only,
});

/** @param sign 1 for a contribution that is added, -1 for one that is removed */
function contribute(change: BookChange, contribution: Contribution, sign: 1 | -1): void {
  if (contribution.rating !== null) {
    change.count += sign;
    change.sum += sign * contribution.rating;
  }
  for (const tag of new Set(countedTags(contribution)))
    change.uses.set(tag, (change.uses.get(tag) ?? 0) + sign);
}

const keyOf = ({ user_id, book_id }: CountedCollection): string => `${user_id} ${book_id}`;

/** The changes of counters by book id. Tags of older collections come first. */
function changesOf(
  before: readonly CountedCollection[],
  after: readonly CountedCollection[],
): ReadonlyMap<number, BookChange> {
  const stored = new Map(before.map((one) => [keyOf(one), contributionOf(one)]));
  const changes = new Map<number, BookChange>();
  for (const one of after.toSorted((left, right) => left.id - right.id)) {
    const change = changes.get(one.book_id) ?? { count: 0, sum: 0, uses: new Map() };
    changes.set(one.book_id, change);
    contribute(change, stored.get(keyOf(one)) ?? NO_CONTRIBUTION, -1);
    contribute(change, contributionOf(one), 1);
  }
  return changes;
}

/**
 * Updates the rating and tag counters of locked books after a write of collections (D20). The other
 * collections of the books are not read: a popular book may have a million of them.
 */
export async function countCollections(
  executor: SqlExecutor,
  before: readonly CountedCollection[],
  after: readonly CountedCollection[],
): Promise<void> {
  const changes = [...changesOf(before, after)].sort(([one], [other]) => one - other);
  const rated = changes.filter(([, { count, sum }]) => count !== 0 || sum !== 0);
  if (rated.length > 0) {
    const ids = rated.map(([id]) => id);
    const counts = rated.map(([, { count }]) => count);
    await executor.query(RATE, [ids, counts, rated.map(([, { sum }]) => sum)]);
    await updatePopularity(executor, ids);
  }
  const tags = changes.flatMap(([book, { uses }]) =>
    Array.from(uses, ([name, count]) => ({ book, name, count })),
  );
  const valuesOf = (some: typeof tags) => [
    some.map(({ book }) => book),
    some.map(({ name }) => name),
  ];
  const added = tags.filter(({ count }) => count > 0);
  if (added.length > 0) {
    const folded = added.map(({ name }) => fold(name));
    await executor.query(ADD_TAGS, [...valuesOf(added), folded, added.map(({ count }) => count)]);
  }
  const dropped = tags.filter(({ count }) => count < 0);
  if (dropped.length === 0) return;
  await executor.query(DROP_TAGS, [...valuesOf(dropped), dropped.map(({ count }) => -count)]);
  await executor.query(REMOVE_UNUSED, valuesOf(dropped));
}

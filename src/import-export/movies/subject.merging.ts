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
  union,
  type MovedCounts,
  type RecordMerging,
} from '../engine/merging';
import { NO_SORT_ORDER } from '../engine/record';
import { recomputeAlbumOrder } from './albums';
import { FORGET_NAMES } from './credit.statements';
import { recountOpinions } from './opinion.handler';
import { type SubjectMember } from './subject.record';
import { writeSubjectSearch } from './subject-search';

/**
 * What the survivor does with each member of the other: nothing (`kept`), take it over when it has
 * none itself (`taken`), or combine both.
 */
const RULES: Readonly<Record<SubjectMember, 'kept' | 'taken' | 'summed' | 'averaged' | 'united'>> =
  {
    title: 'kept',
    original_title: 'taken',
    aka: 'taken',
    rating: 'averaged',
    ratings_count: 'summed',
    wish_count: 'summed',
    collect_count: 'summed',
    do_count: 'summed',
    images: 'taken',
    subtype: 'kept',
    website: 'taken',
    service_site: 'taken',
    pubdates: 'taken',
    mainland_pubdate: 'taken',
    year: 'taken',
    languages: 'taken',
    durations: 'taken',
    genres: 'taken',
    countries: 'taken',
    summary: 'taken',
    comments_count: 'summed',
    reviews_count: 'summed',
    seasons_count: 'taken',
    current_season: 'taken',
    episodes_count: 'taken',
    has_schedule: 'taken',
    trailer_urls: 'taken',
    clip_urls: 'taken',
    blooper_urls: 'taken',
    tags: 'united',
  };
const [TAKEN, COUNTS] = [membersWith(RULES, 'taken'), membersWith(RULES, 'summed')];

// Stronger than the lock that a new review, comment, photo or showing takes on its film.
const LOCK = statement(
  'merges.lock_subjects',
  'SELECT 1 FROM subjects WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
);

const about = (table: string): string =>
  `(SELECT count(*)::int FROM ${table} WHERE subject_id = $1) AS`;
const COUNT = statement(
  'merges.count_about_subject',
  `SELECT ${about('movie_reviews')} reviews, ${about('movie_comments')} comments,
     ${about('photos')} photos, ${about('credits')} credits, ${about('showings')} showings,
     ${about('chart_entries')} chart_entries`,
);

const OTHER_SUBTYPE = 'a film and a series cannot be merged';

// The subtype of a placeholder without a title is unknown.
const CONFLICT = statement(
  'merges.subjects_of_other_subtypes',
  `SELECT 1 FROM ${MERGES} JOIN subjects o ON o.id = m.id JOIN subjects k ON k.id = m.survivor_id
   WHERE o.subtype <> k.subtype AND o.title <> '' AND k.title <> '' LIMIT 1`,
);

/** Tables with rows about subjects. */
const TABLES = [
  ...['movie_reviews', 'movie_comments', 'photos'],
  ...['credits', 'showings', 'chart_entries'],
];
const move = (table: string) => moveStatement(table, 'subject_id');

/** Columns of a credit that are {@link NO_SORT_ORDER} when no list names it. */
const CREDIT_ORDERS = ['position', 'role_sort_order', 'work_sort_order', 'featured_sort_order'];

/** SQL condition: credits `o` of the merged film and `k` of the survivor are the same. */
const SAME_CREDIT = `o.subject_id = m.id AND k.subject_id = m.survivor_id AND k.role = o.role
  AND k.celebrity_id IS NOT DISTINCT FROM o.celebrity_id AND k.name = o.name`;

const STEPS = [
  move('movie_reviews'),
  move('movie_comments'),
  move('photos'),
  // The people of the survivor come first in its lists.
  statement(
    'merges.order_credits',
    `UPDATE credits o SET position = least(${NO_SORT_ORDER}, o.position + 1 +
       coalesce((SELECT max(k.position)::int FROM credits k WHERE k.subject_id = m.survivor_id
         AND k.role = o.role AND k.position < ${NO_SORT_ORDER}), -1))
     FROM ${MERGES} WHERE o.subject_id = m.id AND o.position < ${NO_SORT_ORDER}`,
  ),
  // A credit that only a list of works names has no position, or none of a stated role.
  statement(
    'merges.keep_orders_of_credits',
    `UPDATE credits k SET ${CREDIT_ORDERS.map((one) => `${one} = least(k.${one}, o.${one})`).join(', ')}
     FROM ${MERGES}, credits o WHERE ${SAME_CREDIT}
       AND (${CREDIT_ORDERS.map((one) => `o.${one} < k.${one}`).join(' OR ')})`,
  ),
  statement(
    'merges.drop_double_credits',
    `DELETE FROM credits o USING ${MERGES}, credits k WHERE ${SAME_CREDIT}`,
  ),
  statement(
    'merges.move_credits',
    `UPDATE credits o SET subject_id = m.survivor_id FROM ${MERGES} WHERE o.subject_id = m.id`,
  ),
  statement(
    'merges.extend_showings',
    `UPDATE showings k SET until_date = CASE
       WHEN num_nulls(k.until_date, o.until_date) = 0 THEN greatest(k.until_date, o.until_date) END
     FROM ${MERGES}, showings o
     WHERE o.subject_id = m.id AND k.subject_id = m.survivor_id AND k.city_id = o.city_id
       AND k.from_date = o.from_date`,
  ),
  statement(
    'merges.move_showings',
    `UPDATE showings o SET subject_id = m.survivor_id FROM ${MERGES}
     WHERE o.subject_id = m.id AND NOT EXISTS (
       SELECT FROM showings k WHERE k.subject_id = m.survivor_id AND k.city_id = o.city_id
         AND k.from_date = o.from_date)`,
  ),
  statement(
    'merges.drop_showings',
    `DELETE FROM showings o USING ${MERGES} WHERE o.subject_id = m.id`,
  ),
];
const MOVE_ENTRIES = move('chart_entries');

// The best rank stays where both are on one chart, and the entries below move up. An imported chart
// may have a film several times.
const LOWER_RANKS = statement(
  'merges.lower_ranks',
  `SELECT snapshot_id::float8 AS id, unnest((array_agg(rank ORDER BY rank))[2:]) AS rank
   FROM (
     SELECT m.id, e.snapshot_id, e.rank, e.subject_id = m.id AS moves
     FROM ${MERGES} JOIN chart_entries e ON e.subject_id IN (m.id, m.survivor_id)) entries
   GROUP BY entries.id, snapshot_id HAVING bool_or(moves) AND NOT bool_and(moves)`,
);
const RANKS = 'unnest($1::bigint[], $2::int[]) AS c(id, rank)';
const DROP_ENTRIES = statement(
  'merges.drop_lower_entries',
  `DELETE FROM chart_entries e USING ${RANKS} WHERE e.snapshot_id = c.id AND e.rank = c.rank`,
);
// Deleted first, because the ranks of a chart are unique at any time. The order needs all rows.
const LIFT = statement(
  'merges.lift_entries',
  `WITH lower AS (
     DELETE FROM chart_entries e USING ${RANKS}
     WHERE e.snapshot_id = c.id AND e.rank > c.rank RETURNING e.*)
   INSERT INTO chart_entries (snapshot_id, rank, subject_id, box, new, delta)
   SELECT snapshot_id, rank - (SELECT count(*)::int FROM ${RANKS}
       WHERE c.id = lower.snapshot_id AND c.rank < lower.rank),
     subject_id, box, new, delta FROM lower ORDER BY snapshot_id, rank`,
);

const PEOPLE = statement(
  'merges.people_of_subjects',
  `SELECT DISTINCT subject_id::float8 AS subject_id, celebrity_id::float8 AS id FROM credits
   WHERE subject_id = ANY($1::bigint[]) AND celebrity_id IS NOT NULL`,
);

const averageIn = (subject: WireRecord): { average: unknown; count: unknown } => ({
  average: (subject.rating as { average: unknown }).average,
  count: subject.ratings_count,
});

/** Merges films or series: reviews, comments, photos, credits, showings and chart entries follow. */
export const SUBJECT_MERGING: RecordMerging = {
  kind: 'movie',
  conflict: CONFLICT,
  conflictReason: OTHER_SUBTYPE,
  unfinished: unfinishedStatement({ records: 'subjects', column: 'subject_id', tables: TABLES }),

  combine(survivor, other) {
    if (survivor.subtype !== other.subtype) throw new OperationError(OTHER_SUBTYPE);
    const sums = COUNTS.filter((name) => Number(other[name] ?? 0) > 0).map((name) => [
      name,
      sumOf(survivor[name], other[name]),
    ]);
    return {
      ...missingMembers(survivor, other, TAKEN),
      ...(Object.fromEntries(sums) as Record<string, number>),
      ...(Number(other.ratings_count) > 0 && {
        rating: { max: 10, average: averageOf(averageIn(survivor), averageIn(other)), min: 0 },
      }),
      ...(isFilled(other.tags) && { tags: union(survivor.tags, other.tags) }),
    };
  },

  async lock(executor, ids) {
    await executor.query(LOCK, [ids]);
  },

  async count(executor: SqlExecutor, from: number): Promise<MovedCounts> {
    const [counts] = await executor.query<MovedCounts>(COUNT, [from]);
    return counts ?? {};
  },

  async move(executor, merges) {
    const values = mergeValues(merges);
    const [ids, survivors] = values;
    const lower = await executor.query<{ id: number; rank: number }>(LOWER_RANKS, values);
    const ranks = [lower.map(({ id }) => id), lower.map(({ rank }) => rank)];
    for (const step of STEPS) await executor.query(step, values);
    if (lower.length > 0) await executor.query(DROP_ENTRIES, ranks);
    await executor.query(MOVE_ENTRIES, values);
    if (lower.length > 0) await executor.query(LIFT, ranks);
    const people = await executor.query<{ subject_id: number; id: number }>(PEOPLE, [survivors]);
    await executor.query(FORGET_NAMES, [
      people.map(({ subject_id }) => subject_id),
      people.map(({ id }) => id),
    ]);
    const both = [...ids, ...survivors];
    await recountOpinions(executor, both);
    await recomputeAlbumOrder(executor, both, []);
    await writeSubjectSearch(executor, survivors);
  },
};

import { OperationError } from '../../api/errors/error-codes';
import { statement, type SqlExecutor } from '../../database/database';
import { type WireRecord } from '../engine/record-edit-hooks';
import {
  averageOf,
  isFilled,
  membersWith,
  missingMembers,
  sumOf,
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

const move = (table: string) =>
  statement(`merges.move_${table}`, `UPDATE ${table} SET subject_id = $2 WHERE subject_id = $1`);

const STEPS = [
  move('movie_reviews'),
  move('movie_comments'),
  move('photos'),
  // The people of the survivor come first in its lists.
  statement(
    'merges.drop_double_credits',
    `DELETE FROM credits o USING credits k
     WHERE o.subject_id = $1 AND k.subject_id = $2 AND k.role = o.role
       AND k.celebrity_id IS NOT DISTINCT FROM o.celebrity_id AND k.name = o.name`,
  ),
  statement(
    'merges.move_credits',
    `UPDATE credits o SET subject_id = $2, position = least(${NO_SORT_ORDER}, o.position + 1 +
       coalesce((SELECT max(k.position)::int FROM credits k
         WHERE k.subject_id = $2 AND k.role = o.role AND k.position < ${NO_SORT_ORDER}), -1))
     WHERE o.subject_id = $1`,
  ),
  statement(
    'merges.extend_showings',
    `UPDATE showings k SET until_date = greatest(k.until_date, o.until_date) FROM showings o
     WHERE o.subject_id = $1 AND k.subject_id = $2 AND k.city_id = o.city_id
       AND k.from_date = o.from_date`,
  ),
  statement(
    'merges.move_showings',
    `UPDATE showings o SET subject_id = $2 WHERE o.subject_id = $1 AND NOT EXISTS (
       SELECT FROM showings k
       WHERE k.subject_id = $2 AND k.city_id = o.city_id AND k.from_date = o.from_date)`,
  ),
  statement(
    'merges.drop_showings',
    'DELETE FROM showings WHERE subject_id = $1 AND $2::bigint > 0',
  ),
  // The better rank stays where both are on one chart, and the entries below move up.
  statement(
    'merges.drop_lower_entries',
    `DELETE FROM chart_entries e USING chart_entries k
     WHERE (e.subject_id, k.subject_id) IN (($1, $2), ($2, $1))
       AND k.snapshot_id = e.snapshot_id AND k.rank < e.rank`,
  ),
  move('chart_entries'),
];

const CHARTS = statement(
  'merges.charts_of_both',
  `SELECT a.snapshot_id::float8 AS id, greatest(a.rank, b.rank) AS rank
   FROM chart_entries a JOIN chart_entries b USING (snapshot_id)
   WHERE a.subject_id = $1 AND b.subject_id = $2`,
);
// Deleted first, because the ranks of a chart are unique at any time. The order needs all rows.
const LIFT = statement(
  'merges.lift_entries',
  `WITH lower AS (
     DELETE FROM chart_entries e USING unnest($1::bigint[], $2::int[]) AS c(id, rank)
     WHERE e.snapshot_id = c.id AND e.rank > c.rank RETURNING e.*)
   INSERT INTO chart_entries (snapshot_id, rank, subject_id, box, new, delta)
   SELECT snapshot_id, rank - 1, subject_id, box, new, delta FROM lower ORDER BY snapshot_id, rank`,
);

const PEOPLE = statement(
  'merges.people_of_subject',
  `SELECT DISTINCT celebrity_id::float8 AS id FROM credits
   WHERE subject_id = $1 AND celebrity_id IS NOT NULL`,
);

const averageIn = (subject: WireRecord): { average: unknown; count: unknown } => ({
  average: (subject.rating as { average: unknown }).average,
  count: subject.ratings_count,
});

/** Merges films or series: reviews, comments, photos, credits, showings and chart entries follow. */
export const SUBJECT_MERGING: RecordMerging = {
  kind: 'movie',

  combine(survivor, other) {
    if (survivor.subtype !== other.subtype)
      throw new OperationError('a film and a series cannot be merged');
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

  async move(executor, from, to) {
    const charts = await executor.query<{ id: number; rank: number }>(CHARTS, [from, to]);
    for (const step of STEPS) await executor.query(step, [from, to]);
    const ids = charts.map(({ id }) => id);
    if (ids.length > 0) await executor.query(LIFT, [ids, charts.map(({ rank }) => rank)]);
    const people = await executor.query<{ id: number }>(PEOPLE, [to]);
    await executor.query(FORGET_NAMES, [people.map(() => to), people.map(({ id }) => id)]);
    await recountOpinions(executor, [from, to]);
    await recomputeAlbumOrder(executor, [from, to], []);
    await writeSubjectSearch(executor, [to]);
  },
};

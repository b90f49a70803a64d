import { Injectable } from '@nestjs/common';
import { type RequestedRow } from '../api/resources/list-by-ids';
import { BatchedRead } from '../database/batched-read';
import { Database, statement, type Statement } from '../database/database';
import { userJson } from '../users/users.resources';
import { type LegacyMovieRow } from './legacy-movie.resources';
import { MAX } from './movies.resources';
import { type SubjectRow } from './movies.rows';
import { FIRST_GENRE } from './subject-tag.entity';
import {
  firstPhotosJson,
  peopleJson,
  simpleSubjectColumns,
  subjectShown,
  type Projection,
} from './movies.sql';
import { REVIEW_ORDER } from './reviews.repository';

// A movie has a schedule when an import says so, or when it has a showing today.
const HAS_SCHEDULE = `s.subtype = 'movie' AND (s.has_schedule OR EXISTS (
  SELECT 1 FROM showings w WHERE w.subject_id = s.id AND w.from_date <= current_date
    AND (w.until_date IS NULL OR w.until_date >= current_date)))`;

const POPULAR_REVIEWS = `
  coalesce((SELECT json_agg(json_build_object('id', r.id::text, 'title', r.title,
      'subject_id', r.subject_id::text, 'rating', r.rating, 'summary', r.summary,
      'author', ${userJson('u')})
      ORDER BY ${REVIEW_ORDER.map((by) => `r.${by}`).join(', ')})
    FROM (SELECT * FROM movie_reviews WHERE subject_id = s.id
      ORDER BY ${REVIEW_ORDER.join(', ')} LIMIT ${MAX.popularReviews}) r
    JOIN users u ON u.id = r.user_id), '[]'::json)`;

const videos = (column: string): string =>
  `array_to_json(s.${column}[:${MAX.videos}]) AS ${column}`;

const BASIC = `
  array_to_json(s.aka) AS aka, s.ratings_count, s.wish_count, s.collect_count, s.do_count,
  s.service_site, array_to_json(s.genres[:${MAX.genres}]) AS genres,
  array_to_json(s.countries) AS countries, s.summary,
  greatest(s.comments_count_base, s.comments_count) AS comments_count,
  greatest(s.reviews_count_base, s.reviews_count) AS reviews_count,
  s.seasons_count, s.current_season, s.episodes_count, ${HAS_SCHEDULE} AS has_schedule,
  ${peopleJson('director', undefined)} AS directors, ${peopleJson('actor', MAX.casts)} AS casts`;

const FULL = `${BASIC},
  ${peopleJson('writer', undefined)} AS writers, s.website, s.mainland_pubdate,
  array_to_json(s.languages) AS languages, array_to_json(s.durations) AS durations,
  ${videos('trailer_urls')}, ${videos('clip_urls')}, ${videos('blooper_urls')},
  ${firstPhotosJson('subject_id', 's.id', MAX.photos)} AS photos,
  ${POPULAR_REVIEWS} AS popular_reviews`;

const statementById = (
  projection: Projection,
  columns: string,
  name = 'subjects.by_id',
): Statement =>
  statement(
    `${name}_${projection}`,
    `SELECT ${simpleSubjectColumns(projection)}, ${columns} FROM subjects s
     WHERE s.id = $1 AND ${subjectShown()}`,
  );

/** A subject in each projection; the benchmark uses it too. */
export const SUBJECT_BY_ID: Readonly<Record<Projection, Statement>> = {
  basic: statementById('basic', BASIC),
  full: statementById('full', FULL),
};

const manyById = (projection: Projection, columns: string): Statement =>
  statement(
    `subjects.many_by_id_${projection}`,
    `SELECT ${simpleSubjectColumns(projection)}, ${columns}, k.at::int AS at
     FROM unnest($1::bigint[]) WITH ORDINALITY AS k(id, at), subjects s
     WHERE s.id = k.id AND ${subjectShown()}`,
  );

const TAGS = `coalesce((SELECT json_agg(t.name ORDER BY t.position) FROM subject_tags t
    WHERE t.subject_id = s.id AND t.position < ${FIRST_GENRE}), '[]'::json) AS tags`;

const LEGACY_MOVIE_BY_ID: Readonly<Record<Projection, Statement>> = {
  basic: statementById('basic', `${BASIC}, ${TAGS}`, 'subjects.legacy_by_id'),
  full: statementById('full', `${FULL}, ${TAGS}`, 'subjects.legacy_by_id'),
};

const byIds = (projection: Projection, columns: string): Statement =>
  statement(
    `subjects.by_ids_${projection}`,
    `SELECT ${simpleSubjectColumns(projection)}, ${columns}, k.at::int AS request_position
     FROM unnest($1::bigint[]) WITH ORDINALITY AS k(id, at), subjects s
     WHERE s.id = k.id AND ${subjectShown()} ORDER BY k.at`,
  );

const SUBJECTS_BY_IDS: Readonly<Record<Projection, Statement>> = {
  basic: byIds('basic', BASIC),
  full: byIds('full', FULL),
};

@Injectable()
export class SubjectsRepository {
  private readonly byId: Readonly<Record<Projection, BatchedRead<SubjectRow>>>;

  constructor(private readonly database: Database) {
    const { basic, full } = SUBJECT_BY_ID;
    this.byId = {
      basic: new BatchedRead(database, basic, manyById('basic', BASIC)),
      full: new BatchedRead(database, full, manyById('full', FULL)),
    };
  }

  /** A subject that is not a placeholder. */
  findSubjectById(id: number, projection: Projection): Promise<SubjectRow | undefined> {
    return this.byId[projection].find(id);
  }

  /** A subject with its tags that is not a placeholder. */
  async findLegacyMovieById(
    id: number,
    projection: Projection,
  ): Promise<LegacyMovieRow | undefined> {
    return (await this.database.query<LegacyMovieRow>(LEGACY_MOVIE_BY_ID[projection], [id]))[0];
  }

  /** Subjects by ids in their order, without placeholders; null ids match none. */
  listByIds(
    ids: readonly (number | null)[],
    projection: Projection,
  ): Promise<(SubjectRow & RequestedRow)[]> {
    return this.database.query<SubjectRow & RequestedRow>(SUBJECTS_BY_IDS[projection], [ids]);
  }
}

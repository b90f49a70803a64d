import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { paginated } from '../database/page-of';
import { toPageOf, type RowOf } from './lists';
import { MAX } from './movies.resources';
import { type CelebrityRow, type WorkRow } from './movies.rows';
import {
  CELEBRITY_OF_LIST,
  celebrityShown,
  firstPhotosJson,
  simpleCelebrityColumns,
  simpleSubjectColumns,
  subjectJson,
  subjectShown,
  type Projection,
} from './movies.sql';

// Featured works come first, then the most popular ones.
const WORKS = (projection: Projection): string => `
  coalesce((SELECT json_agg(row_to_json(work))
    FROM (SELECT ${simpleSubjectColumns(projection)}
      FROM (SELECT subject_id, min(featured_sort_order) AS sort_order FROM credits
        WHERE celebrity_id = c.id GROUP BY subject_id) k
      JOIN subjects s ON s.id = k.subject_id AND ${subjectShown()}
      ORDER BY k.sort_order, s.collect_count DESC, s.year DESC, s.id LIMIT ${MAX.works}) work
  ), '[]'::json) AS works`;

const BASIC = `c.name_en, array_to_json(c.aka) AS aka, array_to_json(c.aka_en) AS aka_en, c.gender,
  c.born_place`;

const FULL = `${BASIC}, c.summary, c.website, c.birthday,
  array_to_json(c.professions) AS professions, c.constellation,
  ${firstPhotosJson('celebrity_id', 'c.id', MAX.photos)} AS photos`;

const statementById = (projection: Projection, columns: string): Statement =>
  statement(
    `celebrities.by_id_${projection}`,
    `SELECT ${simpleCelebrityColumns()}, ${columns}, ${WORKS(projection)} FROM celebrities c
     WHERE c.id = $1 AND ${celebrityShown()}`,
  );
const BY_ID = { basic: statementById('basic', BASIC), full: statementById('full', FULL) };

/** Sort order of a role that only the cast of the subject implies (D119). */
const NOT_STATED = 32_767;

const OF_CELEBRITY = statement(
  'works.of_celebrity',
  paginated({
    of: CELEBRITY_OF_LIST,
    hits: `SELECT s.id, s.year, s.collect_count, min(k.work_sort_order) AS sort_order,
        coalesce(
          json_agg(k.role ORDER BY k.role_sort_order, k.id) FILTER (WHERE k.role_sort_order < ${NOT_STATED}),
          json_agg(k.role ORDER BY k.role_sort_order, k.id)) AS roles
      FROM credits k JOIN subjects s ON s.id = k.subject_id AND ${subjectShown()}
      WHERE k.celebrity_id = $3 GROUP BY s.id`,
    key: 'id',
    order: ['sort_order', 'year DESC', 'collect_count DESC', 'id'],
    columns: `one.parent, p.roles, ${subjectJson('full')} AS subject`,
    joins: 'LEFT JOIN subjects s ON s.id = p.id',
    limit: ['$1', '$2'],
  }),
);

@Injectable()
export class CelebritiesRepository {
  constructor(private readonly database: Database) {}

  /** A celebrity who is not a placeholder. */
  async findCelebrityById(id: number, projection: Projection): Promise<CelebrityRow | undefined> {
    return (await this.database.query<CelebrityRow>(BY_ID[projection], [id]))[0];
  }

  /** Works of a celebrity, with the celebrity; undefined when not found. */
  async works(id: number, page: PageQuery): Promise<Page<WorkRow> | undefined> {
    const values = [page.count, page.start, id];
    const rows = await this.database.query<RowOf<WorkRow>>(OF_CELEBRITY, values);
    return toPageOf(rows, page.start, 'celebrity');
  }
}

import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { type Wanted } from '../text/search';
import { searchHits, type SearchedBy } from '../text/search-sql';
import { type SimpleSubjectRow } from './movies.rows';
import { simpleSubjectColumns, type View } from './movies.sql';

const HITS = searchHits({
  texts: 'subject_search',
  tags: 'subject_tags',
  key: 'subject_id',
  first: 3,
  ofTag: `SELECT s.subject_id, s.popularity, 0 AS rank
    FROM (SELECT DISTINCT subject_id FROM subject_tags WHERE folded = $3) t
    JOIN subject_search s ON s.subject_id = t.subject_id`,
});

const searchBy = (by: SearchedBy, view: View): Statement =>
  statement(
    `subjects.search_${by}_${view}`,
    paginated({
      ...HITS[by],
      key: 'subject_id',
      columns: simpleSubjectColumns(view, 'm'),
      joins: 'LEFT JOIN subjects m ON m.id = p.subject_id',
      limit: ['$1', '$2'],
    }),
  );

const searches = (view: View): Readonly<Record<SearchedBy, Statement>> => ({
  q: searchBy('q', view),
  tag: searchBy('tag', view),
  both: searchBy('both', view),
});

/** The statements of a search; the benchmark uses them too. */
export const SUBJECT_SEARCH: Readonly<Record<View, Readonly<Record<SearchedBy, Statement>>>> = {
  basic: searches('basic'),
  full: searches('full'),
};

@Injectable()
export class SubjectSearchRepository {
  constructor(private readonly database: Database) {}

  /** Subjects that contain every word of the query, have the tag, or both. */
  async search(
    { by, values }: Wanted,
    page: PageQuery,
    view: View,
  ): Promise<Page<SimpleSubjectRow>> {
    const all = [page.count, page.start, ...values];
    const rows = await this.database.query<SimpleSubjectRow & PageRow>(
      SUBJECT_SEARCH[view][by],
      all,
    );
    return toPage(rows, page.start);
  }
}

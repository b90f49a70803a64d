import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type Statement } from '../database/database';
import { paginated, toPage, type PageRow } from '../database/page-of';
import { type Wanted } from '../text/search';
import { searchHits, type SearchedBy, type SearchHits, type SearchPlace } from '../text/search-sql';
import { storedPage } from '../text/stored-search-sql';
import { StoredSearches } from '../text/stored-searches';
import { type SimpleSubjectRow } from './movies.rows';
import { simpleSubjectColumns, type Projection } from './movies.sql';

const PLACE: SearchPlace = {
  texts: 'subject_search',
  tags: 'subject_tags',
  key: 'subject_id',
  first: 3,
};

const HITS: Readonly<Record<SearchedBy, SearchHits>> = {
  ...searchHits(PLACE),
  tag: {
    hits: `SELECT s.subject_id, s.popularity, 0 AS rank
      FROM (SELECT DISTINCT subject_id FROM subject_tags WHERE folded = $3) t
      JOIN subject_search s ON s.subject_id = t.subject_id`,
    order: ['popularity DESC', 'subject_id'],
  },
};

const partsOf = (projection: Projection) =>
  ({
    columns: simpleSubjectColumns(projection, 'm'),
    joins: 'LEFT JOIN subjects m ON m.id = p.subject_id',
  }) as const;

const searchBy = (by: SearchedBy, projection: Projection): Statement =>
  statement(
    `subjects.search_${by}_${projection}`,
    paginated({ ...HITS[by], ...partsOf(projection), key: 'subject_id', limit: ['$1', '$2'] }),
  );

const searches = (projection: Projection): Readonly<Record<SearchedBy | 'stored', Statement>> => ({
  q: searchBy('q', projection),
  tag: searchBy('tag', projection),
  both: searchBy('both', projection),
  stored: statement(`subjects.search_stored_${projection}`, storedPage(PLACE, partsOf(projection))),
});

/** The statements of a search; the benchmark uses them too. */
export const SUBJECT_SEARCH: Readonly<
  Record<Projection, Readonly<Record<SearchedBy | 'stored', Statement>>>
> = {
  basic: searches('basic'),
  full: searches('full'),
};

@Injectable()
export class SubjectSearchRepository {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSearches,
  ) {}

  /** Subjects that contain every word of the query, have the tag, or both. */
  async search(
    wanted: Wanted,
    page: PageQuery,
    projection: Projection,
  ): Promise<Page<SimpleSubjectRow>> {
    const { by } = wanted;
    const values = [page.count, page.start, ...wanted.values];
    const { q, stored, ...others } = SUBJECT_SEARCH[projection];
    if (by === 'q') {
      return this.stored.search<SimpleSubjectRow & PageRow>({
        ...{ source: 'subject_search', wanted, page, values },
        ...{ evaluate: q, read: stored },
      });
    }
    const rows = await this.database.query<SimpleSubjectRow & PageRow>(others[by], values);
    return toPage(rows, page.start);
  }
}

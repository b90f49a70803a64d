import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { statement } from '../database/database';
import { paginated, type PageRow } from '../database/page-of';
import { type Wanted } from '../text/search';
import {
  searchHits,
  SUBJECT_SEARCH,
  type SearchedBy,
  type SearchHits,
  type SearchPlace,
} from '../text/search-sql';
import { storedPage, storingStatements } from '../text/stored-search-sql';
import { StoredSearches } from '../text/stored-searches';
import { type SimpleSubjectRow } from './movies.rows';
import { simpleSubjectColumns, type Projection } from './movies.sql';

const PLACE: SearchPlace = { ...SUBJECT_SEARCH, first: 3 };

const HITS: Readonly<Record<SearchedBy, SearchHits>> = {
  ...searchHits(PLACE),
  tag: {
    hits: `SELECT s.subject_id, s.popularity, 0 AS rank
      FROM (SELECT DISTINCT subject_id FROM subject_tags WHERE folded = $3) t
      JOIN subject_search s ON s.subject_id = t.subject_id`,
    order: ['popularity DESC', 'subject_id'],
  },
};

const STORING = {
  q: storingStatements(SUBJECT_SEARCH, 'q'),
  tag: storingStatements(SUBJECT_SEARCH, 'tag'),
  both: storingStatements(SUBJECT_SEARCH, 'both'),
} as const;

const partsOf = (projection: Projection) =>
  ({
    columns: simpleSubjectColumns(projection, 'm'),
    joins: 'LEFT JOIN subjects m ON m.id = p.subject_id',
  }) as const;

const searchBy = (by: SearchedBy, projection: Projection) => ({
  evaluate: statement(
    `subjects.search_${by}_${projection}`,
    paginated({ ...HITS[by], ...partsOf(projection), key: 'subject_id', limit: ['$1', '$2'] }),
  ),
  read: statement(
    `subjects.search_stored_${by}_${projection}`,
    storedPage(PLACE, by, partsOf(projection)),
  ),
  storing: STORING[by],
});

const searches = (projection: Projection) => ({
  q: searchBy('q', projection),
  tag: searchBy('tag', projection),
  both: searchBy('both', projection),
});

/** Searches of films, with the statements that evaluate, read and store them. */
export const SUBJECT_SEARCHES = { basic: searches('basic'), full: searches('full') } as const;

@Injectable()
export class SubjectSearchRepository {
  constructor(private readonly stored: StoredSearches) {}

  /** Subjects that contain every word of the query, have the tag, or both. */
  async search(
    wanted: Wanted,
    page: PageQuery,
    projection: Projection,
  ): Promise<Page<SimpleSubjectRow>> {
    const values = [page.count, page.start, ...wanted.values];
    const statements = SUBJECT_SEARCHES[projection][wanted.by];
    return this.stored.search<SimpleSubjectRow & PageRow>({ ...statements, wanted, page, values });
  }
}

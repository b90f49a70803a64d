import { Injectable } from '@nestjs/common';
import { type Tier } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { search } from '../text/search';
import { type SearchInput } from '../text/search.input';
import { type SimpleSubjectRow } from './movies.rows';
import { projectionOf } from './movies.sql';
import { SubjectSearchRepository } from './search.repository';

/** Maximum number of results for the basic tier (specification section 8, D37). */
const MAX_FOR_BASIC = 20;

/** Limits a page to the first results. */
const within = (most: number, { start, count }: PageQuery): PageQuery => ({
  start,
  count: Math.max(0, Math.min(count, most - start)),
});

@Injectable()
export class SubjectSearchService {
  constructor(private readonly subjects: SubjectSearchRepository) {}

  /** @throws ApiError 1002 when `q` and `tag` are both empty (D37) */
  async search(
    { q, tag }: SearchInput,
    page: PageQuery,
    tier: Tier,
  ): Promise<Page<SimpleSubjectRow>> {
    const most = tier === 'basic' ? MAX_FOR_BASIC : Infinity;
    const found = await search({ q, tag }, within(most, page), (wanted) =>
      this.subjects.search(wanted, within(most, page), projectionOf(tier)),
    );
    return { ...found, total: Math.min(found.total, most), extra: { query: q, tag } };
  }
}

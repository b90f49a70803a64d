import { type CacheRule } from '../api/cache/cache-rule';
import { MERGED_IDS } from '../api/routing/merged-ids';

/**
 * Films, celebrities and charts. Their content rarely changes, so that every change counts for all
 * of them. Charts and showings also depend on the date, and lists by ids on merges.
 */
export const MOVIE_CONTENT: CacheRule = {
  dependsOn: () => ['movies', 'users', 'cities', 'today', MERGED_IDS],
  users: 'same',
};

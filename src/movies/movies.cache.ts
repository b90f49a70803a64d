import { type CacheRule } from '../api/cache/cache-rule';

/**
 * Films, celebrities and charts. Their content rarely changes, so that every change counts for all
 * of them. Charts and showings also depend on the date.
 */
export const MOVIE_CONTENT: CacheRule = {
  dependsOn: () => ['movies', 'users', 'cities', 'today'],
  users: 'same',
};

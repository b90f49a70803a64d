import { type Statement } from '../../src/database/database';
import { TOP250 } from '../../src/movies/charts.repository';
import { COMMENTS_OF_SUBJECT } from '../../src/movies/reviews.repository';
import { SUBJECT_SEARCH } from '../../src/movies/search.repository';
import { SUBJECT_BY_ID } from '../../src/movies/subjects.repository';
import { fold } from '../../src/text/fold';
import { searchQuery } from '../../src/text/terms';

/** The statement of a path of the movie area, as the service runs it for the caller's tier. */
export function answerToMovie(
  path: string,
  query: URLSearchParams,
  tier: 'basic' | 'full',
): readonly [Statement, unknown[]] {
  const parts = path.split('/');
  const start = Number(query.get('start') ?? 0);
  if (path === '/v2/movie/search') {
    const page = [Number(query.get('count') ?? 20), start];
    const tag = query.get('tag');
    if (tag !== null) return [SUBJECT_SEARCH[tier].tag, [...page, fold(tag)]];
    const words = searchQuery(query.get('q') ?? '');
    const { phrase, tsquery, patterns } = words ?? { phrase: '', tsquery: '', patterns: [] };
    return [SUBJECT_SEARCH[tier].q, [...page, phrase, tsquery, patterns]];
  }
  const page = [Number(query.get('count') ?? 10), start];
  if (path === '/v2/movie/top250') return [TOP250[tier], page];
  const id = Number(parts[4]);
  if (parts[5] === 'comments') return [COMMENTS_OF_SUBJECT, [...page, id]];
  return [SUBJECT_BY_ID[tier], [id]];
}

import { FIRST_EVENT } from '../../../src/import-export/synthetic/synthetic-events';
import { FIRST_SUBJECT } from '../../../src/import-export/synthetic/synthetic-movies';
import { integers } from '../random';
import { ADVANCED_READER, READER } from '../tokens';
import { MANY, repeated, type Case, type Context } from './case';
import { getOf } from './http';

/** Different requests of a case. */
const REQUESTS = 2000;
const CHART = 250;
const PAGE = 20;

/** Pages of lists. */
export function listCases({ volume, seed }: Context): Case[] {
  const below = integers(seed + 2);
  const listed = (name: string, ratio: number, path: () => string, user = READER): Case => {
    const requests = Array.from({ length: REQUESTS }, () => getOf(path(), user));
    const open = () => repeated(requests);
    return { name, clients: MANY, compared: true, asked: { ratio }, open };
  };
  return [
    listed(
      'collections',
      0.7,
      () => `/v2/book/user/synthetic${below(volume.users)}/collections?count=${PAGE}`,
    ),
    listed(
      'comments',
      0.7,
      () => `/v2/movie/subject/${FIRST_SUBJECT + below(volume.films)}/comments?count=${PAGE}`,
      ADVANCED_READER,
    ),
    listed('participants', 0.7, () => {
      const event = FIRST_EVENT + below(volume.events);
      return `/v2/event/${event}/participants?count=${PAGE}`;
    }),
    listed('top250', 0.7, () => `/v2/movie/top250?count=${PAGE}&start=${below(CHART - PAGE)}`),
    listed('top250-hot', 2, () => `/v2/movie/top250?count=${PAGE}`),
  ];
}

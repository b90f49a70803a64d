import { COMMON_PUBLISHER, COMMON_TAG } from '../../../src/import-export/synthetic/synthetic';
import { FIRST_EVENT } from '../../../src/import-export/synthetic/synthetic-events';
import { READER } from '../tokens';
import { repeated, type Case, type Context } from './case';
import { getOf } from './http';

const LENGTHS = [1, 2, 4, 6];
/** Most milliseconds of 95 of 100 searches, in up to 100,000 records and in more. */
const RARE = [5, 10] as const;
const COMMON = [12, 25] as const;
const SMALL = 100_000;

const search = (area: string, name: string, value: string): string =>
  `/v2/${area}/search?${name}=${encodeURIComponent(value)}`;

/** Terms of a length that few titles have: parts of sampled titles. */
const rareTerms = (titles: readonly string[], length: number): string[] =>
  titles
    .map((title) => Array.from(title))
    .filter((title) => title.length > length + 1 && !title.includes(' '))
    .map((title) => title.slice(1, 1 + length).join(''));

/** Searches and large lists by one client, whose latency counts. */
export function searchCases({ volume, sample }: Context): Case[] {
  const at = (records: number, [small, large]: readonly [number, number]): number =>
    records <= SMALL ? small : large;
  const timed = (name: string, p95: number, paths: readonly string[]): Case => ({
    ...{ name, clients: 1, compared: false, asked: { p95 } },
    open: () => repeated(paths.map((path) => getOf(path, READER))),
  });
  const { books, events, films } = volume;
  return [
    ...LENGTHS.map((length) =>
      timed(
        `search-rare-${length}`,
        at(books, RARE),
        rareTerms(sample.bookTitles, length).map((term) => search('book', 'q', term)),
      ),
    ),
    ...LENGTHS.map((length) =>
      timed(`search-common-${length}`, at(books, COMMON), [
        search('book', 'q', COMMON_PUBLISHER.slice(0, length)),
      ]),
    ),
    timed('search-tag', at(books, COMMON), [search('book', 'tag', COMMON_TAG)]),
    timed('search-tag-far', at(books, COMMON), [
      `${search('book', 'tag', COMMON_TAG)}&start=${Math.min(10_000, Math.floor(books / 10))}`,
    ]),
    timed('events-week', at(events, COMMON), ['/v2/event/list?day_type=week']),
    timed('participants-far', at(events, COMMON), [
      `/v2/event/${FIRST_EVENT}/participants?start=${Math.min(10_000, events)}`,
    ]),
    timed(
      'film-search-rare',
      at(films, RARE),
      rareTerms(sample.filmTitles, 4).map((term) => search('movie', 'q', term)),
    ),
    timed('film-search-common', at(films, COMMON), [search('movie', 'q', sample.commonCharacter)]),
    timed('film-search-tag', at(films, COMMON), [search('movie', 'tag', '剧情')]),
  ];
}

import { FIRST_EVENT } from '../../../src/import-export/synthetic/synthetic-events';
import { FIRST_SUBJECT } from '../../../src/import-export/synthetic/synthetic-movies';
import { permutation } from '../random';
import { READER } from '../tokens';
import { FIRST_BOOK } from '../volume';
import { isService, MANY, repeated, slices, type Case, type Context } from './case';
import { etagOf, getOf } from './http';

/** Share of the records that warm up the servers before the others are read, each once. */
const WARMING = 0.4;

/** Records that are read by id. */
export interface Area {
  readonly name: string;
  readonly count: number;
  pathOf(at: number): string;
}

/** Books, films and events. */
export const areasOf = ({ volume }: Context): readonly [Area, Area, Area] => [
  { name: 'book', count: volume.books, pathOf: (at) => `/v2/book/${FIRST_BOOK + at}` },
  {
    name: 'film',
    count: volume.films,
    pathOf: (at) => `/v2/movie/subject/${FIRST_SUBJECT + at}`,
  },
  { name: 'event', count: volume.events, pathOf: (at) => `/v2/event/${FIRST_EVENT + at}` },
];

/**
 * Requests before those that are measured of a record in memory: less than a second. After the
 * default, V8 has not yet optimized what the first case of a run uses.
 */
const HOT_WARM_UP = 20_000;

function casesOf(area: Area, { seed, rounds }: Context): Case[] {
  const ids = permutation(area.count, seed);
  const hot = area.pathOf(ids[0] ?? 0);
  const missing = area.pathOf(50_000_000);
  const warmUp = Math.floor(area.count * WARMING);
  const common = { clients: MANY, compared: true };
  const hotCase = { ...common, warmUp: HOT_WARM_UP };
  const get = (path: string, more: readonly string[] = []): string => getOf(path, READER, more);
  return [
    {
      ...{ ...hotCase, name: `${area.name}-hot`, asked: { ratio: 2 } },
      open: () => repeated([get(hot)]),
    },
    {
      ...{ ...hotCase, name: `${area.name}-304`, asked: { ratio: 2.5 } },
      status: (target) => (isService(target) ? 304 : 200),
      open: async (target) => {
        const etag = isService(target) ? await etagOf(target, hot, READER) : undefined;
        return repeated([get(hot, etag === undefined ? [] : [`If-None-Match: ${etag}`])]);
      },
    },
    {
      ...{ ...hotCase, name: `${area.name}-compressed`, asked: {} },
      headers: /^content-encoding: br\r?$/im,
      open: () => repeated([get(hot, ['Accept-Encoding: br'])]),
    },
    {
      ...{ ...common, name: `${area.name}-miss`, asked: {} },
      status: () => 404,
      open: () => repeated([get(missing)]),
    },
    {
      ...{ ...common, name: `${area.name}-cold`, warmUp, asked: { ratio: 0.55 } },
      // The hot record is not cold.
      open: () => slices(ids.subarray(1), { warmUp, rounds }, (at) => get(area.pathOf(at))),
    },
  ];
}

/**
 * Records by id: the same again and again, unchanged, compressed, not found, and each once. The
 * first cases warm up what the last one, whose requests are limited, measures.
 */
export const recordCases = (context: Context): Case[] =>
  areasOf(context).flatMap((area) => casesOf(area, context));

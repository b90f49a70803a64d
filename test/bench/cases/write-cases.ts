import { FIRST_USER } from '../../../src/import-export/synthetic/synthetic';
import { integers, zipf } from '../random';
import { FIRST_WRITER, READER, WRITERS } from '../tokens';
import { FIRST_BOOK, volumeFor } from '../volume';
import { MANY, sequence, type Case, type Context, type Requests, type Target } from './case';
import { getOf, postOf } from './http';
import { areasOf, type Area } from './record-cases';

/** Share of writes in mixes, in percent. */
const WRITES = 5;

/** Number of books of the volume that mixes read; they do not read further records of the database. */
const MIXED = 10_000;

/** A service that runs for a while has read most of the records that are asked for often. */
const WARM_UP = 60_000;

const collectOf = (user: number, book: number, at: number): string =>
  postOf(
    `/v2/book/${FIRST_BOOK + book}/collection`,
    user,
    `status=read&rating=${1 + (at % 5)}&tags=tag${at % 50}+other${at % 70}`,
  );

/** Each pair of user and book once, after those of the synthetic collections. */
function collecting({ volume }: Context): () => string {
  const { users, books, collections } = volume;
  const before = Math.ceil(collections / users);
  let next = 0;
  return () => {
    next += 1;
    const user = next % users;
    const place = before + (Math.floor(next / users) % (books - before));
    return collectOf(FIRST_USER + user, (place + user * 7919) % books, next);
  };
}

/**
 * Reads of records after Zipf's law. Five percent of the requests collect a book that is chosen in
 * the same way, by users who have no other collections. `writers` are the numbers of users who have
 * collected the books.
 */
function mixing(areas: readonly Area[], writers: Map<number, number>, seed: number): () => string {
  const below = integers(seed);
  const recordOf = areas.map(({ count }, at) => zipf(count, seed + 10 * (at + 1)));
  const bookOf = zipf(areas[0]?.count ?? 1, seed + 10);
  let next = 0;
  const write = (): string => {
    let book = bookOf();
    while ((writers.get(book) ?? 0) >= WRITERS) book = bookOf();
    const writer = writers.get(book) ?? 0;
    writers.set(book, writer + 1);
    // The writers of different books begin at different users.
    return collectOf(FIRST_WRITER + ((writer + book * 31) % WRITERS), book, next);
  };
  return () => {
    next += 1;
    if (below(100) < WRITES) return write();
    const at = below(areas.length);
    const area = areas[at] as Area;
    return getOf(area.pathOf(recordOf[at]?.() ?? 0), READER);
  };
}

/** Collecting books, and mixes of reads and writes. */
export function writeCases(context: Context): Case[] {
  const { seed } = context;
  const areas = areasOf({
    ...context,
    volume: volumeFor(Math.min(context.volume.books, MIXED), seed),
  });
  const common = { clients: MANY, compared: true };
  // Bare and Fastify have a database of their own, because their writes would remove responses from
  // the memory of the service.
  const DATABASES = ['server', 'against', 'references'] as const;
  const databaseOf = ({ name }: Target): (typeof DATABASES)[number] =>
    name === 'server' || name === 'against' ? name : 'references';
  const writers = new Map(DATABASES.map((name) => [name, new Map<number, number>()]));
  const written = (
    name: string,
    ratio: number | undefined,
    generate: (writers: Map<number, number>) => () => string,
    warmUp?: number,
  ): Case => {
    const requests = new Map(
      [...writers].map(([database, books]) => [database, sequence(generate(books))]),
    );
    return {
      ...{ ...common, name, warmUp, asked: ratio === undefined ? {} : { ratio } },
      open: (target) => requests.get(databaseOf(target)) as Requests,
    };
  };
  return [
    written('mix', 1.2, (writers) => mixing(areas, writers, seed), WARM_UP),
    written('mix-books', undefined, (writers) => mixing([areas[0]], writers, seed + 1), WARM_UP),
    written('collect', 0.6, () => collecting(context)),
  ];
}

import { eventCasesOf } from './event-cases';
import {
  COMMON_PUBLISHER,
  COMMON_TAG,
  randomNumbers,
} from '../../src/import-export/synthetic/synthetic';

/** What is in the database that the benchmark runs on. */
export interface Volume {
  readonly books: number;
  readonly events: number;
  readonly users: number;
  readonly collections: number;
  readonly firstBook: number;
  readonly isbns: readonly string[];
  /** Titles that were sampled, to cut search terms from. */
  readonly titles: readonly string[];
}

/** Users who collect books, each book once. */
export interface Collects {
  readonly users: number;
  readonly books: number;
  readonly firstBook: number;
  /** Books of each user that are collected already. */
  readonly before: number;
}

/** The token of a user who collects; both servers know it. */
export const tokenOf = (user: number): string => `bench-${user}`;

/** One thing that is measured. */
export interface Case {
  readonly name: string;
  /** Clients at once: many for throughput, one for latency. */
  readonly clients: number;
  /** Paths to ask for, at random; none where users collect books instead. */
  readonly paths: readonly string[];
  readonly collects?: Collects;
  /** Whose token, where it is not that of everybody. */
  readonly token?: string;
  /** Ratio to the bare server that must be met. */
  readonly ratio?: number;
  /** Milliseconds that 95 of 100 answers must stay below. */
  readonly p95?: number;
}

const PATHS = 2000;
const LENGTHS = [1, 2, 4, 6];

const search = (q: string): string => `/v2/book/search?q=${encodeURIComponent(q)}`;

/** Terms of a length that hardly any title has: middles of sampled titles. */
function rareTerms(titles: readonly string[], length: number): string[] {
  return titles
    .map((title) => Array.from(title))
    .filter((title) => title.length > length + 1 && !title.includes(' '))
    .map((title) => title.slice(1, 1 + length).join(''));
}

/** Every case, on a volume. */
export function casesOf(volume: Volume): Case[] {
  const random = randomNumbers(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  const many = (path: () => string): string[] => Array.from({ length: PATHS }, path);
  return [
    {
      name: 'book by id, with token',
      clients: 16,
      paths: many(() => `/v2/book/${volume.firstBook + below(volume.books)}`),
      ratio: 0.25,
    },
    {
      name: 'book by ISBN',
      clients: 16,
      paths: many(() => `/v2/book/isbn/${volume.isbns[below(volume.isbns.length)]}`),
    },
    {
      name: "a user's collections",
      clients: 16,
      paths: many(() => `/v2/book/user/synthetic${below(volume.users)}/collections`),
    },
    {
      name: 'books of a tag, start 0',
      clients: 4,
      paths: [`/v2/book/search?tag=${encodeURIComponent(COMMON_TAG)}`],
    },
    {
      name: 'books of a tag, start 10000',
      clients: 4,
      paths: [`/v2/book/search?tag=${encodeURIComponent(COMMON_TAG)}&start=10000`],
    },
    {
      name: 'collect a book',
      clients: 16,
      paths: [],
      collects: {
        users: volume.users,
        books: volume.books,
        firstBook: volume.firstBook,
        before: volume.collections / volume.users,
      },
      ratio: 0.35,
    },
    ...eventCasesOf(volume.events, below),
    ...LENGTHS.map((length) => ({
      name: `search, rare, ${length} characters`,
      clients: 1,
      paths: rareTerms(volume.titles, length).map(search),
      p95: 15,
    })),
    ...LENGTHS.map((length) => ({
      name: `search, common, ${length} characters`,
      clients: 1,
      paths: [search(COMMON_PUBLISHER.slice(0, length))],
      p95: 60,
    })),
  ];
}

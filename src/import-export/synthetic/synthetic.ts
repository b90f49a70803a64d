/** Number of records to generate. */
export interface SyntheticVolume {
  readonly books: number;
  readonly users: number;
  readonly collections: number;
  /** The same seed generates the same records. */
  readonly seed: number;
}

export type Wire = Record<string, unknown>;

/** Synthetic ids begin above real ones. */
const FIRST_BOOK = 100_000_000;
export const FIRST_USER = 200_000_000;
const FIRST_COLLECTION = 300_000_000;

/** Publisher of every tenth book: a term of up to nine characters that occurs in many books. */
export const COMMON_PUBLISHER = '中国历史文化出版社';

/** Tag of every fifth book. */
export const COMMON_TAG = '热门';

/** Pseudorandom numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Generates values, the same for the same seed. */
export class Maker {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** About 3,000 different characters, spread over the common block. */
  hanzi(length: number): string {
    let text = '';
    for (let at = 0; at < length; at += 1) {
      text += String.fromCharCode(0x4e00 + this.below(2980) * 7);
    }
    return text;
  }

  word(): string {
    let text = '';
    const length = 5 + this.below(5);
    for (let at = 0; at < length; at += 1) text += String.fromCharCode(97 + this.below(26));
    return text;
  }

  title(): string {
    if (this.random() < 0.85) return this.hanzi(5 + this.below(8));
    return Array.from({ length: 2 + this.below(3) }, () => this.word()).join(' ');
  }
}

function isbn13(number: number): string {
  const twelve = `9780${String(number % 100_000_000).padStart(8, '0')}`;
  const sum = Array.from(twelve).reduce((s, d, at) => s + Number(d) * (at % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}

function makeBook(make: Maker, at: number): Wire {
  const tags = Array.from({ length: 3 + make.below(6) }, () => ({
    count: 1 + make.below(500),
    name: `标签${make.below(300)}`,
  }));
  if (make.below(5) === 0) tags.push({ count: 1 + make.below(900), name: COMMON_TAG });
  const common = make.below(10) === 0;
  return {
    id: FIRST_BOOK + at,
    isbn13: isbn13(at),
    title: make.title(),
    author: [make.hanzi(3)],
    publisher: common ? COMMON_PUBLISHER : `${make.hanzi(3)}社`,
    pubdate: `${1980 + make.below(45)}-${1 + make.below(12)}`,
    rating: { numRaters: make.below(100_000), average: (5 + make.below(50) / 10).toFixed(1) },
    tags,
    binding: '平装',
    price: `${10 + make.below(90)}.00元`,
    pages: String(100 + make.below(700)),
    author_intro: make.hanzi(60),
    summary: make.hanzi(200),
    catalog: Array.from({ length: 8 }, () => make.hanzi(6)).join('\n'),
  };
}

/** One line per record. */
export function* lines(count: number, make: (at: number) => Wire): Generator<string> {
  for (let at = 0; at < count; at += 1) yield `${JSON.stringify(make(at))}\n`;
}

/** Generates books as newline-delimited JSON for the importer. */
export function syntheticBooks({ books, seed }: SyntheticVolume): Generator<string> {
  const make = new Maker(seed);
  return lines(books, (at) => makeBook(make, at));
}

export function syntheticUsers({ users }: SyntheticVolume): Generator<string> {
  return lines(users, (at) => ({
    id: FIRST_USER + at,
    uid: `synthetic${at}`,
    name: `Reader ${at}`,
  }));
}

/** Collections: the books of a user are consecutive, so that no pair occurs twice. */
export function syntheticCollections(volume: SyntheticVolume): Generator<string> {
  const { books, users, collections, seed } = volume;
  const make = new Maker(seed + 1);
  return lines(Math.min(collections, books * users), (at) => {
    const user = at % users;
    const book = (Math.floor(at / users) + user * 7919) % books;
    const day = 1 + make.below(28);
    return {
      id: FIRST_COLLECTION + at,
      user_id: FIRST_USER + user,
      book_id: FIRST_BOOK + book,
      status: ['wish', 'reading', 'read'][make.below(3)],
      rating: { value: String(make.below(6)) },
      comment: make.hanzi(20),
      tags: [`标签${make.below(300)}`],
      updated: `20${10 + make.below(15)}-0${1 + make.below(9)}-${String(day).padStart(2, '0')} 12:00:00`,
    };
  });
}

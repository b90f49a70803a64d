import { type Client } from 'pg';
import { FIRST_SUBJECT } from '../../src/import-export/synthetic/synthetic-movies';

export const FIRST_BOOK = 100_000_000;

/** Numbers of records in the database. */
export interface Volume {
  readonly books: number;
  readonly users: number;
  readonly collections: number;
  readonly films: number;
  readonly celebrities: number;
  readonly credits: number;
  readonly photos: number;
  readonly reviews: number;
  readonly comments: number;
  readonly events: number;
  readonly participations: number;
  readonly seed: number;
}

/** The records for a number of books. Others than books are limited, so that loading them is short. */
export function volumeFor(books: number, seed: number): Volume {
  const films = Math.min(Math.ceil(books / 2), 50_000);
  const events = Math.min(books, 100_000);
  return {
    ...{ books, users: 1000, collections: Math.min(books * 2, 200_000), films, events, seed },
    ...{ celebrities: Math.ceil(films / 2), credits: films * 3, photos: films, reviews: films },
    ...{ comments: films * 2, participations: events * 5 },
  };
}

/** Values of the records that cases cut search terms from. */
export interface Sample {
  readonly bookTitles: readonly string[];
  readonly filmTitles: readonly string[];
  /** The ideograph in most of the titles of films. */
  readonly commonCharacter: string;
}

function commonest(titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    for (const character of new Set(title.replace(/[\s\p{P}a-z]/giu, ''))) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const [first] = [...counts].sort((one, other) => other[1] - one[1]);
  return first?.[0] ?? '剧';
}

/** Samples titles; the same for the same records. */
export async function readSample(client: Client): Promise<Sample> {
  const titles = async (table: string, first: number): Promise<string[]> => {
    const sql = `SELECT title FROM ${table} WHERE id >= ${first} ORDER BY md5(id::text) LIMIT 2000`;
    return (await client.query<{ title: string }>(sql)).rows.map(({ title }) => title);
  };
  const filmTitles = await titles('subjects', FIRST_SUBJECT);
  return {
    bookTitles: await titles('books', FIRST_BOOK),
    filmTitles,
    commonCharacter: commonest(filmTitles),
  };
}

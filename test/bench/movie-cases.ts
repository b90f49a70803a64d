import { type Client } from 'pg';
import { randomNumbers } from '../../src/import-export/synthetic/synthetic';
import { type Case } from './cases';

/** Films of the benchmark's database. */
export interface MovieVolume {
  readonly subjects: readonly number[];
  /** Titles that were sampled, to cut search terms from. */
  readonly titles: readonly string[];
  /** A word that many titles or people have in them. */
  readonly common: string;
}

const PATHS = 2000;
const CHART = 250;

/** The token of the advance tier; both servers know it. */
export const ADVANCE_TOKEN = 'bench-advance';

/** Samples the films, and makes the chart that is measured. */
export async function movieVolumeIn(client: Client): Promise<MovieVolume> {
  const { rows } = await client.query<{ id: string; title: string }>(
    'SELECT id, title FROM subjects WHERE id >= 100000000 ORDER BY md5(id::text) LIMIT 2000',
  );
  await client.query(
    `WITH made AS (
       INSERT INTO chart_snapshots (name, date) VALUES ('top250', '2100-01-01') RETURNING id)
     INSERT INTO chart_entries (snapshot_id, rank, subject_id)
     SELECT made.id, row_number() OVER (ORDER BY s.rating_average DESC, s.id), s.id
     FROM made, (SELECT id, rating_average FROM subjects WHERE title <> ''
       ORDER BY rating_average DESC, id LIMIT ${CHART}) s`,
  );
  // The character that most titles have: what a careless search finds.
  const counts = new Map<string, number>();
  for (const { title } of rows) {
    for (const character of new Set(title.replace(/[\s\p{P}a-z]/giu, ''))) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const [common = ['剧', 0]] = [...counts].sort((one, other) => other[1] - one[1]);
  return {
    subjects: rows.map(({ id }) => Number(id)),
    titles: rows.map(({ title }) => title),
    common: common[0],
  };
}

const search = (q: string): string => `/v2/movie/search?q=${encodeURIComponent(q)}`;

/** Every case of the movie area, on a volume. */
export function movieCasesOf({ subjects, titles, common }: MovieVolume): Case[] {
  if (subjects.length === 0) return [];
  const random = randomNumbers(8);
  const subject = (): number => subjects[Math.floor(random() * subjects.length)] ?? 0;
  const paths = (of: (id: number) => string): string[] =>
    Array.from({ length: PATHS }, () => of(subject()));
  const parts = titles
    .map((title) => Array.from(title))
    .filter((title) => title.length > 5 && !title.includes(' '))
    .map((title) => title.slice(1, 5).join(''));
  return [
    {
      name: 'film, basic tier',
      clients: 16,
      paths: paths((id) => `/v2/movie/subject/${id}`),
      ratio: 0.25,
    },
    {
      name: 'film, advance tier',
      clients: 16,
      paths: paths((id) => `/v2/movie/subject/${id}`),
      token: ADVANCE_TOKEN,
      ratio: 0.2,
    },
    {
      name: 'comments on a film',
      clients: 16,
      paths: paths((id) => `/v2/movie/subject/${id}/comments`),
      token: ADVANCE_TOKEN,
    },
    { name: 'top250, page of 20', clients: 16, paths: ['/v2/movie/top250?count=20'], ratio: 0.25 },
    { name: 'film search, rare', clients: 1, paths: parts.map(search), p95: 15 },
    { name: 'film search, common', clients: 1, paths: [search(common)], p95: 60 },
    {
      name: 'film search, tag',
      clients: 1,
      paths: [`/v2/movie/search?tag=${encodeURIComponent('剧情')}`],
      p95: 60,
    },
  ];
}

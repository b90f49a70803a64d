import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Wire = Record<string, unknown>;

const DATA = join(__dirname, 'data');
const read = <T = Wire>(name: string): T[] =>
  readFileSync(join(DATA, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

interface Person {
  readonly id: string | null;
  readonly name: string;
}
interface Subject {
  readonly id: string;
  readonly title: string;
  readonly subtype: string;
  readonly year: string;
  readonly pubdates: readonly string[];
  readonly mainland_pubdate: string;
  readonly summary: string;
  readonly directors: readonly Person[];
  readonly casts: readonly Person[];
  readonly writers: readonly Person[];
  readonly episodes_count?: number;
}
interface Named {
  readonly id: string;
  readonly title: string;
}
interface Chart {
  readonly name: string;
  readonly city_id?: string;
  readonly subjects: readonly (Named | { readonly rank: number; readonly subject: Named })[];
}

const subjects = read<Subject>('movies.ndjson');
const celebrities = read<{ id: string; name: string }>('celebrities.ndjson');
const reviews = read<Wire & { summary: string }>('movie-reviews.ndjson');
const comments = read<Wire & { content: string }>('movie-comments.ndjson');
const credits = read('credits.ndjson');
const photos = read('photos.ndjson');
const showings = read('showings.ndjson');
const charts = read<Chart>('charts.ndjson');

const titles = new Map(subjects.map(({ id, title }) => [id, title]));
const names = new Map(celebrities.map(({ id, name }) => [id, name]));
const length = (text: string): number => [...text].length;

describe('films of the sample', () => {
  it('are about forty, with eight series, and have years and dates', () => {
    expect(subjects).toHaveLength(40);
    expect(titles.size).toBe(40);
    expect(subjects.filter(({ subtype }) => subtype === 'tv')).toHaveLength(8);
    for (const subject of subjects) {
      const { id, year, pubdates, mainland_pubdate: mainland, summary } = subject;
      expect([id, pubdates.some((date) => date.startsWith(year))]).toEqual([id, true]);
      const stated = pubdates.find((date) => date.endsWith('(中国大陆)'))?.slice(0, 10) ?? '';
      expect([id, mainland]).toEqual([id, stated]);
      expect([id, length(summary) >= 60 && length(summary) <= 150]).toEqual([id, true]);
      expect([id, subject.episodes_count === undefined]).toEqual([id, subject.subtype !== 'tv']);
    }
  });

  it('name people of the sample by the names of their records', () => {
    expect(names.size).toBe(celebrities.length);
    for (const { directors, casts, writers } of subjects) {
      expect(directors.length * casts.length * writers.length).toBeGreaterThan(0);
      for (const { id, name } of [...directors, ...casts, ...writers]) {
        if (id !== null) expect([id, names.get(id)]).toEqual([id, name]);
      }
    }
  });

  it('have reviews and comments within the length limits', () => {
    expect(reviews.filter(({ summary }) => length(summary) > 100)).toEqual([]);
    expect(comments.filter(({ content }) => length(content) > 140)).toEqual([]);
  });

  it('and celebrities are what other records refer to, with cities and users of the sample', () => {
    const known: Readonly<Record<string, ReadonlySet<unknown>>> = {
      subject_id: new Set(titles.keys()),
      celebrity_id: new Set(names.keys()),
      city_id: new Set(read('locs.ndjson').map(({ id }) => id)),
      author_id: new Set(read('users.ndjson').map(({ id }) => id)),
    };
    const all = [...reviews, ...comments, ...credits, ...photos, ...showings, ...charts] as Wire[];
    const lost = all.flatMap((record) =>
      Object.entries(known)
        .filter(([member, ids]) => record[member] !== undefined && !ids.has(record[member]))
        .map(([member]) => [member, record[member]]),
    );
    expect(lost).toEqual([]);
  });

  it('are in all six charts', () => {
    expect([...new Set(charts.map(({ name }) => name))].sort()).toEqual(
      ['coming_soon', 'in_theaters', 'new_movies', 'top250', 'us_box', 'weekly'].sort(),
    );
    expect(charts.filter(({ name }) => name === 'in_theaters').map((c) => c.city_id)).toEqual([
      '108288',
      '108296',
      '118281',
    ]);
    for (const { name, subjects: entries } of charts) {
      const listed = entries.map((entry) => ('subject' in entry ? entry.subject : entry));
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
      for (const { id, title } of listed) {
        expect([name, titles.get(id)]).toEqual([name, title]);
      }
    }
  });

  it('have every picture that they name', () => {
    const text = ['movies', 'celebrities', 'photos']
      .map((name) => readFileSync(join(DATA, `${name}.ndjson`), 'utf8'))
      .join('');
    const named = text.match(/\/pictures\/sample\/[^"]+/g) ?? [];
    expect(named.length).toBeGreaterThan(400);
    const missing = named.filter(
      (path) => !existsSync(join(__dirname, path.replace('/pictures/sample/', 'pictures/'))),
    );
    expect(missing).toEqual([]);
  });
});

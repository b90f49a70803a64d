import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';

/** The schema of a release: new migrations, and new versions of edited migrations. */
type State = readonly [commit: string, earlier: string, changes: string];

/**
 * States of the schema that databases may be in, by the commit that first had each. `sql/` holds
 * what each version of a migration ran. From the last state on landed migrations are frozen
 * (`migrations/SHA256SUMS`), so a later state is what a new database passes through, and has no
 * record.
 */
const MAIN: readonly State[] = [
  ['88640a4', '', 'books.1'],
  ['b54e07a', '88640a4', 'books.2'],
  ['7456310', 'b54e07a', 'books.3'],
  ['08df1f7', '7456310', 'authorization.1'],
  ['5d8e02d', '08df1f7', 'limits.2'],
  ['d700dcd', '5d8e02d', 'idempotency.1'],
  ['7f3195d', 'd700dcd', 'pictures.1'],
  ['a5d4b08', '7f3195d', 'authorization.2'],
  ['3bc2a69', 'a5d4b08', 'cities.1'],
  ['2db2c37', '3bc2a69', 'movies.1'],
  ['326bf09', '2db2c37', 'events.1'],
  ['b0682f3', '326bf09', 'notes.2'],
  ['5cc397d', 'b0682f3', 'movies.2'],
  ['c808833', '5cc397d', 'moderation.1 held-notes.1'],
  ['1d6220d', 'c808833', 'transfer-jobs.1 administration.2'],
  ['0148e6b', '1d6220d', 'own-numbers.1'],
];

/** States of branches that were merged later: test servers may have run them. */
const BRANCHES: readonly State[] = [
  ['9718501', '7456310', 'limits.1'],
  ['529ffe4', '5d8e02d', 'pictures.1'],
  ['06c217e', '5d8e02d', 'authorization.2'],
  ['941fbde', '3bc2a69', 'events.1'],
  ['4d84e5e', '3bc2a69', 'notes.1'],
  ['c586e39', '3bc2a69', 'notes.2'],
  ['6735a66', '2db2c37', 'moderation.1'],
  ['948a83c', 'b0682f3', 'moderation.1'],
  ['2890e69', 'b0682f3', 'moderation.1 held-notes.1'],
  ['bcd8d09', '2db2c37', 'administration.1'],
  ['19ff101', 'b0682f3', 'administration.1'],
  ['8f3c672', '2db2c37', 'transfer-jobs.1'],
  ['541fb71', 'b0682f3', 'transfer-jobs.1 administration.1'],
  ['67e1749', 'b0682f3', 'moderation.1 transfer-jobs.1 administration.1'],
  ['0086653', 'b0682f3', 'moderation.1 transfer-jobs.1 administration.2'],
  ['b8f50c6', 'b0682f3', 'transfer-jobs.1'],
];

const FOLDER = join(__dirname, 'sql');

/** A version of a migration: `books.1` is the first version of books. */
interface Version {
  readonly migration: string;
  readonly timestamp: string;
  /** The name that TypeORM keeps of it. */
  readonly name: string;
  readonly sql: string;
}

const VERSIONS: ReadonlyMap<string, Version> = new Map(
  readdirSync(FOLDER).map((file) => {
    const [, timestamp = '', migration = '', version = ''] =
      /^(\d+)-(.+)\.(\d+)\.sql$/.exec(file) ?? [];
    const words = migration.split('-').map((word) => word[0]?.toUpperCase() + word.slice(1));
    const name = `${words.join('')}${timestamp}`;
    const sql = readFileSync(join(FOLDER, file), 'utf8');
    return [`${migration}.${version}`, { migration, timestamp, name, sql }];
  }),
);

/** A state and the migrations of it, in the order of their timestamps. */
export interface Release {
  readonly name: string;
  readonly versions: readonly Version[];
}

function inOrder(ids: Iterable<string>): Version[] {
  const versions = [...ids].map((id) => {
    const version = VERSIONS.get(id);
    if (!version) throw new Error(`no SQL of ${id}`);
    return version;
  });
  return versions.sort((one, other) => Number(one.timestamp) - Number(other.timestamp));
}

const states = new Map<string, ReadonlyMap<string, string>>();
const releases = [...MAIN, ...BRANCHES].map(([commit, earlier, changes]): Release => {
  const ids = changes.split(' ').map((id) => [id.split('.')[0] ?? '', id] as const);
  const state = new Map([...(states.get(earlier) ?? []), ...ids]);
  states.set(commit, state);
  return { name: commit, versions: inOrder(state.values()) };
});

/** Every state, those of the main branch first. */
export const RELEASES: readonly Release[] = releases;
export const MAIN_RELEASES: readonly Release[] = releases.slice(0, MAIN.length);

/** Of each version that was edited later, the first state that had it. */
export const EDITED: readonly Release[] = [
  ...new Set(
    [...VERSIONS].flatMap(([id, version]) => {
      const [migration = '', number = ''] = id.split('.');
      if (!VERSIONS.has(`${migration}.${Number(number) + 1}`)) return [];
      return releases.find(({ versions }) => versions.includes(version)) ?? [];
    }),
  ),
];

/** The first version of every migration, which no commit has together: all edits are missing. */
export const OLDEST: Release = {
  name: 'oldest versions',
  versions: inOrder([...VERSIONS.keys()].filter((id) => id.endsWith('.1'))),
};

/** As TypeORM makes it. */
const RECORD = `CREATE TABLE IF NOT EXISTS migrations (
  id SERIAL NOT NULL, "timestamp" bigint NOT NULL, name character varying NOT NULL,
  CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id))`;

/** Applies what a database lacks of a release, as that release did. */
export async function applyRelease(source: DataSource, { versions }: Release): Promise<void> {
  await source.query(RECORD);
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations');
  const applied = new Set(rows.map(({ name }) => name));
  for (const { name, timestamp, sql } of versions.filter((version) => !applied.has(version.name))) {
    await source.query(
      `BEGIN; ${sql}; INSERT INTO migrations (timestamp, name) VALUES (${timestamp}, '${name}'); COMMIT`,
    );
  }
}

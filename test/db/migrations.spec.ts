import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { ENTITIES } from '../../src/server/entities';
import { makeDataSource } from '../../src/database/data-source';
import { migrateDown, migrateUp, migrationStatus, type Reversal } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';
import { readCatalogue } from './releases/catalogue';

let opened: TestDatabase;

beforeEach(async () => {
  opened = await openTestDatabase();
});

afterEach(() => opened.close());

const NAMES = MIGRATIONS.map((migration) => new migration().name);

const schema = () => readCatalogue(opened.source);

/** Reverts the last migration, including its data. @returns its name */
const down = async () => (await migrateDown(opened.source, () => undefined))?.name;

const appliedLast = async () =>
  (await migrationStatus(opened.source)).filter(({ applied }) => applied).at(-1)?.name;

const statuses = (applied: number) => NAMES.map((name, at) => ({ name, applied: at < applied }));

it('are reverted one by one to an empty schema, and applied again to the same schema', async () => {
  const complete = await schema();
  expect(Object.keys(complete.columns ?? {}).length).toBeGreaterThan(50);
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
  for (let left = NAMES.length; left > 0; left -= 1) {
    expect(await down()).toBe(NAMES[left - 1]);
    expect(await migrationStatus(opened.source)).toEqual(statuses(left - 1));
  }
  expect(await down()).toBeUndefined();
  const nothing = Object.fromEntries(Object.keys(complete).map((name) => [name, {}]));
  expect(await schema()).toEqual(nothing);
  expect(await migrateUp(opened.source)).toEqual(NAMES);
  expect(await schema()).toEqual(complete);
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
});

it('are not applied twice', async () => {
  const complete = await schema();
  expect(await migrateUp(opened.source)).toEqual([]);
  expect(await schema()).toEqual(complete);
});

it('are applied once by concurrent processes on an empty database', async () => {
  await opened.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  expect(await migrationStatus(opened.source)).toEqual(statuses(0));
  const sources = [1, 2, 3].map(() => makeDataSource(testSettings(), opened.url, ENTITIES));
  for (const source of sources) await source.initialize();
  try {
    const applied = await Promise.all(sources.map(migrateUp));
    expect(applied.flat()).toEqual(NAMES);
  } finally {
    for (const source of sources) await source.destroy();
  }
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
});

it('list the data that a revert deletes, and change nothing without confirmation', async () => {
  await opened.source.query(`INSERT INTO users (id, uid, name) VALUES (1, 'ann', 'Ann')`);
  await opened.source.query(`INSERT INTO passwords (user_id, hash) VALUES (1, 'x')`);
  while ((await appliedLast()) !== 'Authorization1763683200000') await down();
  const complete = await schema();
  const seen: Reversal[] = [];
  const refusing = migrateDown(opened.source, (reversal) => {
    seen.push(reversal);
    throw new Error('no');
  });
  await expect(refusing).rejects.toThrow('no');
  expect(await schema()).toEqual(complete);
  const [losses] = seen.map((reversal) => reversal.losses);
  expect(losses?.tables).toContainEqual({ table: 'passwords', rows: 1 });
  expect(losses?.tables).toContainEqual({ table: 'grants', rows: 0 });
  expect(losses?.columns).toContainEqual({ table: 'applications', column: 'public', rows: 0 });
  expect(losses?.rows).toEqual([]);
});

it('list no data when a revert only restores names', async () => {
  await opened.source.query(`INSERT INTO users (id, uid, name) VALUES (1, 'ann', 'Ann')`);
  await opened.source.query(`INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
    VALUES ('note', 1, 1, '{}', 'x')`);
  while ((await appliedLast()) !== 'StandardNames1764570000000') await down();
  const reversal = await migrateDown(opened.source, () => undefined);
  expect(reversal?.losses).toEqual({ tables: [], columns: [], rows: [] });
  expect(await opened.source.query('SELECT excerpt FROM held_content')).toEqual([{ excerpt: 'x' }]);
});

it('are reverted in reverse order of application', async () => {
  // As where the migration of a branch came after others that are newer.
  await opened.source.query(
    `UPDATE migrations SET id = 1000000 WHERE name = 'JobAttempts1764560000000'`,
  );
  expect(await down()).toBe('JobAttempts1764560000000');
});

/** Takes longer than the statements of requests may in the test that runs it. */
class Slow9000000000000 implements MigrationInterface {
  name = 'Slow9000000000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('SELECT pg_sleep(0.6)');
  }

  async down(): Promise<void> {}
}

it('may exceed the statement timeout of requests, and restore the settings of the connection', async () => {
  const settings = testSettings({ DATABASE_STATEMENT_TIMEOUT_MS: '500', DATABASE_POOL: '1' });
  const source = makeDataSource(settings, opened.url, ENTITIES);
  source.setOptions({ migrations: [...MIGRATIONS, Slow9000000000000] });
  await source.initialize();
  try {
    expect(await migrateUp(source)).toEqual(['Slow9000000000000']);
    const shown = await source.query('SHOW statement_timeout');
    expect(shown).toEqual([{ statement_timeout: '500ms' }]);
  } finally {
    await source.destroy();
  }
});

it('are reverted with data and applied again without', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('ann', 'Ann')`);
  for (const _ of NAMES) await down();
  await migrateUp(opened.source);
  expect(await opened.source.query('SELECT * FROM users')).toEqual([]);
});

/** Names of types as PostgreSQL has them in `udt_name`. */
const UDT: Readonly<Record<string, string>> = {
  bigint: 'int8',
  integer: 'int4',
  smallint: 'int2',
  boolean: 'bool',
  'double precision': 'float8',
};

it.each(ENTITIES.map((entity) => [entity.name, entity] as const))(
  'create the table that the entity %s describes',
  async (_name, entity) => {
    const { columns, tableName } = opened.source.getMetadata(entity);
    const described = columns.map(({ databaseName, type, isArray, isNullable }) => {
      const udt = UDT[String(type)] ?? String(type);
      return { name: databaseName, type: isArray ? `_${udt}` : udt, nullable: isNullable };
    });
    const made = await opened.source.query(
      `SELECT column_name AS name, udt_name AS type, is_nullable = 'YES' AS nullable
       FROM information_schema.columns WHERE table_name = $1 ORDER BY column_name`,
      [tableName],
    );
    expect(described.sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual(made);
  },
);

it.each(ENTITIES.map((entity) => [entity.name, entity] as const))(
  'give the entity %s its key and defaults',
  async (_name, entity) => {
    const { columns, primaryColumns, tableName } = opened.source.getMetadata(entity);
    const made = await opened.source.query<{ name: string; preset: boolean; key: boolean }[]>(
      `SELECT column_name AS name, column_default IS NOT NULL OR is_identity = 'YES' AS preset,
         EXISTS (SELECT 1 FROM information_schema.key_column_usage k
           JOIN information_schema.table_constraints t USING (constraint_name)
           WHERE k.table_name = c.table_name AND k.column_name = c.column_name
             AND t.constraint_type = 'PRIMARY KEY') AS key
       FROM information_schema.columns c WHERE table_name = $1 ORDER BY column_name`,
      [tableName],
    );
    const described = columns.map((column) => ({
      name: column.databaseName,
      preset: column.default !== undefined || column.isGenerated,
      key: primaryColumns.includes(column),
    }));
    expect(described.sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual(made);
  },
);

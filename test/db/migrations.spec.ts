import { ENTITIES } from '../../src/app.entities';
import { makeDataSource } from '../../src/database/data-source';
import { migrateDown, migrateUp, migrationStatus } from '../../src/database/migrate';
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

const statuses = (applied: number) => NAMES.map((name, at) => ({ name, applied: at < applied }));

it('go down one by one to nothing, and up to what was', async () => {
  const whole = await schema();
  expect(Object.keys(whole.columns ?? {}).length).toBeGreaterThan(50);
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
  for (let left = NAMES.length; left > 0; left -= 1) {
    expect(await migrateDown(opened.source)).toBe(NAMES[left - 1]);
    expect(await migrationStatus(opened.source)).toEqual(statuses(left - 1));
  }
  expect(await migrateDown(opened.source)).toBeUndefined();
  const nothing = Object.fromEntries(Object.keys(whole).map((name) => [name, {}]));
  expect(await schema()).toEqual(nothing);
  expect(await migrateUp(opened.source)).toEqual(NAMES);
  expect(await schema()).toEqual(whole);
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
});

it('are not applied twice', async () => {
  const whole = await schema();
  expect(await migrateUp(opened.source)).toEqual([]);
  expect(await schema()).toEqual(whole);
});

it('are applied once by processes that start at once, on a database that has nothing', async () => {
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

it('go down with the data, and up without', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('ann', 'Ann')`);
  for (const _ of NAMES) await migrateDown(opened.source);
  await migrateUp(opened.source);
  expect(await opened.source.query('SELECT * FROM users')).toEqual([]);
});

/** Names of types as PostgreSQL has them in `udt_name`. */
const UDT: Readonly<Record<string, string>> = {
  bigint: 'int8',
  integer: 'int4',
  smallint: 'int2',
  boolean: 'bool',
};

it.each(ENTITIES.map((entity) => [entity.name, entity] as const))(
  'make the table that the entity %s describes',
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
  'give the entity %s the key and the defaults that it describes',
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

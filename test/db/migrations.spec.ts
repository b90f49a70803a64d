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

const statuses = (applied: number) => NAMES.map((name, at) => ({ name, applied: at < applied }));

it('are reverted one by one to an empty schema, and applied again to the same schema without data', async () => {
  await opened.source.query(`INSERT INTO users (id, uid, name) VALUES (1, 'ann', 'Ann')`);
  await opened.source.query(`INSERT INTO passwords (user_id, hash) VALUES (1, 'x')`);
  await opened.source.query(`INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
    VALUES ('note', 1, 1, '{}', 'x')`);
  const complete = await schema();
  expect(Object.keys(complete.columns ?? {}).length).toBeGreaterThan(50);
  const losses = new Map<string, Reversal['losses']>();
  for (let left = NAMES.length; left > 0; left -= 1) {
    expect(await migrationStatus(opened.source)).toEqual(statuses(left));
    const reversal = await migrateDown(opened.source, () => undefined);
    expect(reversal?.name).toBe(NAMES[left - 1]);
    if (reversal) losses.set(reversal.name, reversal.losses);
    if (reversal?.name === 'StandardNames1764570000000') {
      const rows = await opened.source.query('SELECT excerpt FROM held_content');
      expect(rows).toEqual([{ excerpt: 'x' }]);
    }
  }
  // Each revert lists the data that it deletes; one that only restores names deletes none.
  const none = { tables: [], columns: [], rows: [] };
  expect(losses.get('StandardNames1764570000000')).toEqual(none);
  const { tables, columns, rows } = losses.get('Authorization1763683200000') ?? none;
  expect(tables).toContainEqual({ table: 'passwords', rows: 1 });
  expect(tables).toContainEqual({ table: 'grants', rows: 0 });
  expect(columns).toContainEqual({ table: 'applications', column: 'public', rows: 0 });
  expect(rows).toEqual([]);
  expect(await migrationStatus(opened.source)).toEqual(statuses(0));
  expect(await down()).toBeUndefined();
  const nothing = Object.fromEntries(Object.keys(complete).map((name) => [name, {}]));
  expect(await schema()).toEqual(nothing);
  expect(await migrateUp(opened.source)).toEqual(NAMES);
  expect(await schema()).toEqual(complete);
  expect(await migrationStatus(opened.source)).toEqual(statuses(NAMES.length));
  expect(await opened.source.query('SELECT * FROM users')).toEqual([]);
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

it('are not reverted without confirmation', async () => {
  const complete = await schema();
  const refusing = migrateDown(opened.source, () => {
    throw new Error('no');
  });
  await expect(refusing).rejects.toThrow('no');
  expect(await schema()).toEqual(complete);
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

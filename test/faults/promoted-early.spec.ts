import { migrateUp } from '../../src/database/migrate';
import { makeDataSource } from '../../src/database/data-source';
import { databaseAt, testSettings } from '../settings';
import { replayedAll } from './polls';
import { Postgres } from './postgres';

const DATABASE = 'migrated_late';

jest.setTimeout(120_000);

let primary: Postgres;
let standby: Postgres;
beforeAll(async () => {
  primary = await Postgres.start();
  standby = await primary.standby('standby');
});
afterAll(async () => {
  await standby?.close();
  await primary?.close();
});

it('a standby that is promoted right after the migrations accepts writes', async () => {
  await primary.sql(`CREATE DATABASE ${DATABASE}`, 'postgres');
  const source = makeDataSource(testSettings(), databaseAt(primary.url, DATABASE), []);
  await source.initialize();
  await migrateUp(source);
  await source.destroy();
  await replayedAll(primary, standby);
  await primary.down('immediate');
  await standby.promote();
  const sequences = await standby.sql<{ name: string }>(
    'SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = $$S$$ ORDER BY 1',
    DATABASE,
  );
  expect(sequences.map(({ name }) => name)).toContain('content_changes_id_seq');
  for (const { name } of sequences) await standby.sql(`SELECT nextval('${name}')`, DATABASE);
});

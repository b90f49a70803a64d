import { locatePrimary, makeDataSource } from '../../../src/database/data-source';
import { testSettings } from '../../settings';
import { Postgres } from '../postgres';
import { PgBouncer, POOL_MODES } from './pgbouncer';

jest.setTimeout(120_000);

let primary: Postgres;
let standby: Postgres;
const poolers: PgBouncer[] = [];
beforeAll(async () => {
  primary = await Postgres.start();
  standby = await primary.standby('standby');
  for (const mode of POOL_MODES) poolers.push(await PgBouncer.open(standby.url, { mode }));
});
afterAll(async () => {
  for (const pooler of poolers) await pooler.close();
  await standby?.close();
  await primary?.close();
});

it('writes go through the PgBouncer of a standby after its promotion', async () => {
  // PgBouncer remembers what its first session reported.
  for (const pooler of poolers) {
    const [row] = await pooler.query(primary.url, 'SHOW in_hot_standby');
    expect(row).toEqual({ in_hot_standby: 'on' });
  }
  await primary.down('immediate');
  await standby.promote();
  for (const pooler of poolers) {
    const url = pooler.urlOf(primary.url).replace('@', `@${primary.host},`);
    const source = makeDataSource(testSettings(), url, [], pooler.mode);
    try {
      await locatePrimary(source);
      await source.initialize();
      await source.query(`CREATE TABLE written_${pooler.mode} ()`);
    } finally {
      if (source.isInitialized) await source.destroy();
    }
  }
});

import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { statement } from '../../src/database/statement';
import { testSettings } from '../settings';
import { replayedAll } from './polls';
import { Postgres } from './postgres';

jest.setTimeout(120_000);

const ADD = statement('test.add', 'INSERT INTO written SELECT $1::int');
/** Less than the time after which a silent connection is given up. */
const LIMIT = 20_000;
const READ = statement('test.read', 'SELECT count(*)::int AS n FROM written');

let former: Postgres;
let standby: Postgres;
let database: Database;

beforeAll(async () => {
  former = await Postgres.start();
  await former.sql('CREATE TABLE written (n integer)');
  standby = await former.standby('standby');
  const address = former.url.replace(former.host, `${former.host},${standby.host}`);
  const settings = testSettings({
    DATABASE_URL: address,
    DATABASE_STATEMENT_TIMEOUT_MS: '600000',
  });
  const source = makeDataSource(settings, address, []);
  await source.initialize();
  database = new Database(source);
  await database.replicas?.start({
    log: () => undefined,
    onPrimary: () => {
      database.reconnectToNewPrimary();
    },
  });
});

afterAll(async () => {
  former.thaw();
  await database.replicas?.close();
  await database.source.destroy();
  for (const server of [standby, former]) await server.close();
});

it(
  'a write that waits for a frozen primary is stored by the server that takes over',
  async () => {
    const add = (n: number): Promise<unknown> =>
      database.transaction((executor) => executor.query(ADD, [n]));
    await Promise.all([add(1), add(2), add(3)]);
    await replayedAll(former, standby);
    await former.freeze();
    const writes = [add(4), add(5)];
    await standby.promote();
    await Promise.all(writes);
    expect(await database.query(READ)).toEqual([{ n: 5 }]);
  },
  LIMIT,
);

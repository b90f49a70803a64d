import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  currentUrl,
  locatePrimary,
  makeDataSource,
  replicasOf,
} from '../../src/database/data-source';
import { type ReplicaSet } from '../../src/database/replicas/replica-set';
import { testSettings } from '../settings';
import { polled, replayedAll } from './polls';
import { Postgres } from './postgres';
import { eventually } from './processes';

const ROLE = 'reader';

jest.setTimeout(180_000);

let former: Postgres;
let promoted: Postgres;
/** Follows the former primary after the failover. */
let stale: Postgres;
/** Follows the promoted server. */
let current: Postgres;
/** As a superuser, and as a role that sees no statistics of the receiver. */
let full: ReplicaSet;
let limited: ReplicaSet;
/** As a role that may not call the functions for the control file. */
let blind: ReplicaSet;
const logged: string[] = [];
/** DATA_DIR. */
let folder: string;

const urlFor = ({ url }: Postgres, user?: string): string =>
  user ? url.replace(/\/\/[^@]*@/, `//${user}:${ROLE}@`) : url;

/** The address of the promoted server with another host beside it. */
const addressOf = (hosts: string, user?: string): string =>
  urlFor(promoted, user).replace(promoted.host, hosts);

async function open(user?: string): Promise<ReplicaSet> {
  const address = addressOf(`${promoted.host},${former.host}`, user);
  const settings = testSettings({
    DATA_DIR: folder,
    DATABASE_URL: address,
    DATABASE_REPLICA_URLS: [stale, current].map((server) => urlFor(server, user)).join(' '),
    REPLICA_MAX_LAG_MS: '60000',
  });
  const set = replicasOf(makeDataSource(settings, address, []));
  if (!set) throw new Error('there are no replicas');
  const log = (message: string): number => logged.push(message);
  await set.start({ log, onPrimary: () => undefined });
  return set;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-timelines-'));
  former = await Postgres.start();
  await former.sql(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
  promoted = await former.standby('promoted');
  stale = await former.standby('stale');
  current = await former.standby('current');
  full = await open();
  limited = await open(ROLE);
});

afterAll(async () => {
  for (const set of [full, limited, blind]) await set?.close();
  for (const server of [stale, current, promoted, former]) await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Usable replicas of a process. */
const usable = (set: ReplicaSet): string[] =>
  set.reports().flatMap(({ name, isUsable }) => (isUsable ? [name] : []));

it('a replica is used only on the timeline of the primary', async () => {
  for (const set of [full, limited]) {
    await eventually('both replicas serve', () => Promise.resolve(usable(set).length === 2));
  }
  const write = { timeline: 1, position: 2 ** 40 };
  expect(full.requiredPosition(write)).toBe(2 ** 40);
  expect(full.requiredPosition({ ...write, timeline: 2 })).toBe(Infinity);

  for (const standby of [promoted, stale, current]) await replayedAll(former, standby);
  await former.down('immediate');
  await promoted.promote();
  await current.follow(promoted);
  await eventually('the replica of the new primary serves', () =>
    Promise.resolve(usable(full).join() === current.host),
  );
  // Positions of an older timeline neither exclude replicas nor admit them.
  expect(full.requiredPosition(write)).toBe(0);
  // Without statistics a standby shows its timeline with the next restartpoint.
  for (const server of [promoted, current]) {
    await server.sql('CHECKPOINT');
    await replayedAll(promoted, current);
  }
  await eventually('it serves for the other role', () =>
    Promise.resolve(usable(limited).join() === current.host),
  );

  await former.up();
  await former.sql('CREATE TABLE former AS SELECT generate_series(1, 50000) AS id');
  await replayedAll(former, stale);
  await polled(stale);
  expect(usable(full)).toEqual([current.host]);
  expect(usable(limited)).toEqual([current.host]);
  expect(full.reports().map(({ lagSeconds }) => lagSeconds)[0]).toBeUndefined();
  expect(logged).toContain(
    `replica ${stale.host} is left out: its timeline is 1, that of the primary server 2`,
  );
});

it('a replica of another server with the same timeline is not used', async () => {
  await former.demote();
  await former.promote();
  await eventually('the replica is on the same timeline', async () => {
    const [row] = await stale.sql<{ tli: number }>(
      'SELECT received_tli AS tli FROM pg_stat_wal_receiver',
    );
    return row?.tli === 2;
  });
  await replayedAll(former, stale);
  await polled(stale);
  expect(usable(full)).toEqual([current.host]);
});

it('without the functions for the control file no timeline of a standby is known', async () => {
  await promoted.sql(
    'REVOKE EXECUTE ON FUNCTION pg_control_checkpoint(), pg_control_recovery() FROM PUBLIC',
  );
  await replayedAll(promoted, current);
  blind = await open(ROLE);
  await eventually('the primary is found', () => Promise.resolve(blind.hasPrimary));
  await polled(current);
  expect(usable(blind)).toEqual([]);
  // Commands find the primary, too.
  const source = makeDataSource(
    testSettings({ DATA_DIR: folder }),
    addressOf(`${current.host},${promoted.host}`, ROLE),
    [],
  );
  await locatePrimary(source);
  expect(currentUrl(source)).toContain(promoted.host);
  expect(usable(full)).toEqual([current.host]);
});

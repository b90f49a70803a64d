import { setTimeout as pause } from 'node:timers/promises';
import { SCOPES } from '../../../src/api/access/access';
import { ENTITIES } from '../../../src/server/entities';
import { Database } from '../../../src/database/database';
import { makeDataSource } from '../../../src/database/data-source';
import { ApplicationsRepository } from '../../../src/oauth/applications.repository';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { type CallersService } from '../../../src/oauth/callers.service';
import { OauthRepository } from '../../../src/oauth/oauth.repository';
import { Factories } from '../../factories/factories';
import { flat } from '../../factories/pictures';
import { atScale, figure, FULL_SCALE } from '../../figures';
import { callAt, type Call } from '../../http';
import { testSettings } from '../../settings';
import { Pairs, Reader, statusesOf, Uploader } from '../../topology/load';
import { Topology } from '../../topology/topology';
import { eventually } from '../processes';

jest.setTimeout(900_000);

const USERS = atScale(60, 6);
const ROUNDS = atScale(20, 2);
const RESTARTS = atScale(20, 1);
/** Readers and users who upload; with {@link USERS}, 200 connections. */
const READERS = atScale(120, 4);
const UPLOADERS = atScale(20, 2);
const THINK_MS = atScale(1000, 20);
/** Acknowledged writes, each with a read, between two disturbances, and in all. */
const PAIRS = atScale(200, 60);
const ALL_PAIRS = atScale(100_000, 0);
const LOAD_MS = atScale(300_000, 0);
const MAX_LOAD_MS = 600_000;
const FIRST_BOOK = 8_000_000;

let topology: Topology;
let calls: Call[];
let tokens: string[];

beforeAll(async () => {
  topology = await Topology.start({
    settings: { CAPTCHA_AFTER: '0', LIMIT_ANONYMOUS: '150', LAME_DUCK_SECONDS: '0' },
  });
  calls = topology.servers.map(({ origin }) => callAt(origin));
  const source = makeDataSource(testSettings(), topology.postgres.url, ENTITIES);
  await source.initialize();
  const database = new Database(source);
  const applications = new ApplicationsService(
    database,
    new ApplicationsRepository(database),
    new OauthRepository(database),
    // Only revoking tells the callers that are remembered, which are other processes' here.
    undefined as unknown as CallersService,
  );
  const { clientId } = await applications.create({ name: 'topology', scopes: SCOPES });
  const make = new Factories(database);
  tokens = [];
  for (let at = 0; at < USERS; at += 1) {
    const { id: userId } = await make.aUser();
    await make.aBook({ id: FIRST_BOOK + at });
    tokens.push(await applications.issue({ clientId, userId, scopes: SCOPES, ttl: 36_000 }));
  }
  await source.destroy();
});

afterAll(() => topology?.stop());

const HTTPS = { 'X-Forwarded-Proto': 'https' };

it('limits are exact over all processes', async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const headers = { ...HTTPS, 'X-Forwarded-For': `192.0.2.${round}` };
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async (_, at) => {
        const response = await calls[at % calls.length]?.(`/v2/book/${FIRST_BOOK}`, { headers });
        return response?.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(150);
  }
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The longest time without an acknowledged write, in milliseconds, from a moment on. */
function longestGap(users: readonly Pairs[], from: number): number {
  const times = users.flatMap(({ acknowledged }) => acknowledged).filter((time) => time >= from);
  times.sort((one, other) => one - other);
  return times.reduce((gap, time, at) => Math.max(gap, time - (times[at - 1] ?? from)), 0);
}

it('behind HAProxy, requests fail only during the failover of the primary, not in restarts', async () => {
  const through = callAt(topology.origin, { ca: topology.certificate });
  const jpeg = await flat(40, 40).jpeg().toBuffer();
  const books = tokens.map((_, at) => FIRST_BOOK + at);
  const users = tokens.map((token, at) => new Pairs(token, FIRST_BOOK + at, calls));
  const tokenOf = (at: number): string => tokens[at % tokens.length] as string;
  const many = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  const readers = many(READERS).map((at) => new Reader(tokenOf(at), through, books, THINK_MS));
  const uploaders = many(UPLOADERS).map(
    (at) => new Uploader(tokenOf(at), through, `upload ${at}`, jpeg, 2 * THINK_MS),
  );
  const clients = [...users, ...readers, ...uploaders];
  const began = performance.now();
  for (const client of clients) client.start();
  const written = (): number => sum(users.map(({ acknowledged }) => acknowledged.length));
  const more = async (count: number): Promise<void> => {
    const wanted = written() + count;
    await eventually('further writes', () => Promise.resolve(written() >= wanted));
  };

  const secondsOf = (): string => ((performance.now() - began) / 1000).toFixed(0);
  const processes = [...topology.servers, topology.jobs];
  const [synchronous, asynchronous] = topology.replicas;
  for (let turn = 0; turn < RESTARTS; turn += 1) {
    if (FULL_SCALE)
      process.stderr.write(`restart ${turn} after ${secondsOf()} s, ${written()} pairs\n`);
    for (const server of topology.servers) {
      await server.end('SIGTERM');
      await server.start();
    }
    await more(PAIRS);
    if (turn % 4 === 0) {
      const killed = processes[(turn / 4) % processes.length];
      await killed?.end('SIGKILL');
      await more(PAIRS);
      await killed?.start();
    }
    if (turn % 8 === 0) {
      const replica = turn % 16 === 0 ? asynchronous : synchronous;
      await replica.down('immediate');
      await replica.up();
    }
    if (turn % 10 === 0) {
      await topology.redis.kill();
      await more(PAIRS);
      await topology.redis.start();
    }
  }
  const readsBefore = statusesOf(readers);
  const failedOver = performance.now();
  await topology.failOver();
  await more(PAIRS);
  const gap = longestGap(users, failedOver);
  const unavailable = (statusesOf(readers)[503] ?? 0) - (readsBefore[503] ?? 0);
  const elapsed = (): number => performance.now() - began;
  while (elapsed() < LOAD_MS || (written() < ALL_PAIRS && elapsed() < MAX_LOAD_MS)) {
    await pause(100);
  }
  await Promise.all(clients.map((client) => client.stop()));

  const report = {
    pairs: statusesOf(users),
    reads: statusesOf(readers),
    uploads: statusesOf(uploaders),
  };
  process.stderr.write(`${written()} pairs in ${secondsOf()} s: ${JSON.stringify(report)}\n`);
  expect(users.flatMap(({ stale }) => stale)).toEqual([]);
  // 409: a collection that was stored although its response was 503.
  const expected = new Set([0, 200, 201, 202, 404, 409, 503]);
  // 502: the process of an upload was killed.
  const others = Object.keys(statusesOf(clients)).filter((status) => !expected.has(Number(status)));
  expect(others.filter((status) => status !== '502')).toEqual([]);
  expect(unavailable).toBe(0);
  const lost: string[] = [];
  for (const user of users) {
    const found = await user.read(calls[0] as Call);
    if (found === undefined || found < user.lastAcknowledged) {
      lost.push(`${found} for ${user.lastAcknowledged}`);
    }
  }
  const rows = await synchronous.sql<{ title: string }>('SELECT title FROM notes');
  const titles = new Set(rows.map(({ title }) => title));
  for (const { acknowledged } of uploaders)
    lost.push(...acknowledged.filter((one) => !titles.has(one)));
  expect(lost).toEqual([]);
  figure('ms without an acknowledged write at the promotion', gap, { atMost: 5000 });
});

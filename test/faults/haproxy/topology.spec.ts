import { SCOPES } from '../../../src/api/access/access';
import { ENTITIES } from '../../../src/server/entities';
import { Database } from '../../../src/database/database';
import { makeDataSource } from '../../../src/database/data-source';
import { ApplicationsRepository } from '../../../src/oauth/applications.repository';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { type CallersService } from '../../../src/oauth/callers.service';
import { OauthRepository } from '../../../src/oauth/oauth.repository';
import { Factories } from '../../factories/factories';
import { atScale } from '../../figures';
import { callAt, type Call } from '../../http';
import { testSettings } from '../../settings';
import { Topology } from '../../topology/topology';
import { eventually } from '../processes';

jest.setTimeout(600_000);

const USERS = atScale(50, 6);
const ROUNDS = atScale(20, 2);
/** Pairs of a write and a read between two disturbances. */
const PAIRS = atScale(5000, 60);
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
        const answer = await calls[at % calls.length]?.(`/v2/book/${FIRST_BOOK}`, { headers });
        return answer?.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(150);
  }
});

/** A user who writes through one process and reads through another. */
class Pairs {
  stale: string[] = [];
  readonly statuses = new Set<number>();
  /** Number of acknowledged writes, and the last one. */
  acknowledged = 0;
  lastAcknowledged = -1;
  running = true;
  readonly done: Promise<void>;
  private exists = false;

  constructor(private readonly at: number) {
    this.done = this.run();
  }

  get path(): string {
    return `/v2/book/${FIRST_BOOK + this.at}/collection`;
  }

  /** @returns the number in the comment, -1 without a collection; undefined for other responses */
  async read(call: Call): Promise<number | undefined> {
    const answer = await this.send(call, 'GET');
    if (answer?.status === 404) return -1;
    if (answer?.status !== 200) return undefined;
    return Number((answer.body as { comment: string }).comment);
  }

  private async send(call: Call, method: string, body?: URLSearchParams) {
    const token = String(tokens[this.at]);
    const options = { method, token, headers: HTTPS, ...(body && { body }) };
    const answer = await call(this.path, options).catch(() => undefined);
    if (answer) this.statuses.add(answer.status);
    return answer;
  }

  private async run(): Promise<void> {
    for (let number = 0; this.running; number += 1) {
      const [writer, reader] = [calls[number % 3] as Call, calls[(number + 1) % 3] as Call];
      const body = new URLSearchParams({ status: 'read', comment: String(number) });
      const written = await this.send(writer, this.exists ? 'PUT' : 'POST', body);
      if (written?.status === 409) this.exists = true;
      if (!written || written.status >= 300) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      this.exists = true;
      this.acknowledged += 1;
      this.lastAcknowledged = number;
      const found = await this.read(reader);
      if (found !== undefined && found !== number) this.stale.push(`${found} for ${number}`);
    }
  }
}

it('callers read their own writes through all processes while processes end and restart', async () => {
  const users = tokens.map((_, at) => new Pairs(at));
  const acknowledged = (): number => users.reduce((sum, user) => sum + user.acknowledged, 0);
  const more = async (count: number): Promise<void> => {
    const wanted = acknowledged() + count;
    await eventually('further writes', () => Promise.resolve(acknowledged() >= wanted));
  };
  const [first, second] = topology.servers;
  const [, asynchronous] = topology.replicas;
  await more(PAIRS);
  await first?.end('SIGKILL');
  await more(PAIRS);
  await first?.start();
  await second?.end('SIGTERM');
  await second?.start();
  await more(PAIRS);
  await topology.redis.kill();
  await more(PAIRS);
  await topology.redis.start();
  await more(PAIRS);
  await asynchronous.down('immediate');
  await more(PAIRS);
  await asynchronous.up();
  await more(PAIRS);
  await topology.failOver();
  await more(PAIRS);
  for (const user of users) user.running = false;
  await Promise.all(users.map(({ done }) => done));

  expect(users.flatMap(({ stale }) => stale)).toEqual([]);
  const statuses = new Set(users.flatMap((user) => [...user.statuses]));
  expect(
    [...statuses].filter((status) => ![200, 201, 202, 404, 409, 503].includes(status)),
  ).toEqual([]);
  const lost: string[] = [];
  for (const user of users) {
    const found = await user.read(calls[0] as Call);
    if (found === undefined || found < user.lastAcknowledged) {
      lost.push(`${found} for ${user.lastAcknowledged}`);
    }
  }
  expect(lost).toEqual([]);
});

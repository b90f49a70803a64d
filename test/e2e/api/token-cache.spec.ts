import { type DataSource } from 'typeorm';
import { ENTITIES } from '../../../src/server/entities';
import { makeDataSource } from '../../../src/database/data-source';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { testSettings } from '../../settings';
import { until } from '../process/programs';
import { AccessController } from './probe.access';
import { probing } from './probe.module';
import { serveOn, type Served } from './serve-on';

const PATH = '/v2/probe/common';
const settings = { TOKEN_CACHE_SECONDS: '60' };
const root = probing(AccessController);

/** Two servers on one database, each with a memory of a minute (D13, D15). */
describe('the cache of tokens and API keys of two servers', () => {
  let one: Harness;
  let source: DataSource;
  let other: Served;
  let lookUps: string[];
  beforeAll(async () => {
    one = await startHarness({ root, settings });
    one.database.onStatement = (name) => lookUps.push(name);
    source = makeDataSource(testSettings(), one.url, ENTITIES);
    await source.initialize();
    other = await serveOn(source, { root, settings });
  });
  beforeEach(() => {
    lookUps = [];
  });
  afterAll(async () => {
    await other.close();
    await source.destroy();
    await one.close();
  });

  const statuses = async (token: string): Promise<number[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const responses = [await one.call(PATH, { token }), await other.call(PATH, { headers })];
    return responses.map(({ status }) => status);
  };
  const becomes = (token: string, status: number): Promise<void> =>
    until(async () => (await statuses(token)).every((each) => each === status));

  it('is invalidated when a user is blocked or unblocked', async () => {
    const { id: userId } = await new Factories(one.database).aUser();
    const token = await one.token({ userId });
    expect(await statuses(token)).toEqual([200, 200]);
    await one.source.query('UPDATE users SET blocked_at = now() WHERE id = $1', [userId]);
    await becomes(token, 401);
    await one.source.query('UPDATE users SET blocked_at = NULL WHERE id = $1', [userId]);
    await becomes(token, 200);
  });

  it('is invalidated when an application loses an approval', async () => {
    const token = await one.token();
    expect(await statuses(token)).toEqual([200, 200]);
    await one.source.query(`UPDATE applications SET scopes = '{book_basic_r}'`);
    await becomes(token, 403);
  });

  it('is invalidated when an application is blocked, also for its key', async () => {
    const { clientId } = await one.app
      .get(ApplicationsService, { strict: false })
      .create({ name: 'with a key' });
    const keyed = `/v2/probe/book?apikey=${clientId}`;
    const status = async (): Promise<number[]> => [
      (await one.call(keyed)).status,
      (await other.call(keyed)).status,
    ];
    expect(await status()).toEqual([200, 200]);
    await one.source.query('UPDATE applications SET blocked_at = now() WHERE client_id = $1', [
      clientId,
    ]);
    await until(async () => (await status()).every((each) => each === 403));
  });

  it('is invalidated when a token is revoked or deleted', async () => {
    const [revoked, deleted] = [await one.token(), await one.token()];
    for (const token of [revoked, deleted]) expect(await statuses(token)).toEqual([200, 200]);
    await other.app.get(ApplicationsService, { strict: false }).revoke(revoked);
    await becomes(revoked, 401);
    await one.source.query('DELETE FROM access_tokens WHERE hash = sha256($1::bytea)', [deleted]);
    await becomes(deleted, 401);
  });

  it('keeps other tokens', async () => {
    const [revoked, valid] = [await one.token(), await one.token()];
    for (const token of [revoked, valid]) expect(await statuses(token)).toEqual([200, 200]);
    await one.source.query('UPDATE access_tokens SET revoked_at = now() WHERE hash = sha256($1)', [
      Buffer.from(revoked),
    ]);
    await becomes(revoked, 401);
    lookUps = [];
    expect(await statuses(valid)).toEqual([200, 200]);
    expect(lookUps).toEqual([]);
  });

  it('is invalidated for a deleted application and for many tokens at once', async () => {
    const tokens = [await one.token(), await one.token()] as const;
    for (const token of tokens) expect(await statuses(token)).toEqual([200, 200]);
    await one.source.query(
      `INSERT INTO access_tokens (hash, application_id, scopes, expires_at)
       SELECT sha256(n::text::bytea), application_id, '{}', now()
       FROM access_tokens, generate_series(1, 200) n WHERE hash = sha256($1::bytea)`,
      [tokens[0]],
    );
    await one.source.query(
      `DELETE FROM access_tokens WHERE application_id =
         (SELECT application_id FROM access_tokens WHERE hash = sha256($1::bytea))`,
      [tokens[0]],
    );
    await becomes(tokens[0], 401);
    await one.source.query(
      `DELETE FROM applications WHERE id =
         (SELECT application_id FROM access_tokens WHERE hash = sha256($1::bytea))`,
      [tokens[1]],
    );
    await becomes(tokens[1], 401);
  });
});

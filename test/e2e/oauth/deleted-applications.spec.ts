import { Client } from 'pg';
import { DeprecatedUsageService } from '../../../src/limits/deprecated-usage.service';
import { RequestStatisticsService } from '../../../src/limits/request-statistics.service';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { Browser, hiddenFields } from './browser';
import {
  AUTH,
  authorizationOf,
  callAs,
  codeFor,
  REDIRECT,
  refresh,
  refused,
  TOKEN,
  tokensFor,
  VERIFIER,
  type TestClient,
} from './flows';
import { untilWaiting, withRowLocked } from './lock-row';

const PAGE = '/service/developer';

let harness: Harness;
let dev: Browser;
let watcher: Client;
beforeAll(async () => {
  harness = await startHarness();
  watcher = new Client(harness.url);
  await watcher.connect();
  dev = await new Browser(harness).register('dev');
});
afterAll(async () => {
  await watcher.end();
  await harness.close();
});

interface App extends TestClient {
  readonly path: string;
}

async function anApp(): Promise<App> {
  const fields = { name: 'An app', redirect_uris: REDIRECT };
  const { headers } = await dev.fill(PAGE, `${PAGE}/applications`, fields);
  const [, path = '', clientId = ''] =
    /^(.*\/(\w+))\/keys\?/.exec(headers.get('location') ?? '') ?? [];
  const { text } = await dev.open(`${path}/keys`);
  return { path, clientId, secret: /id="secret">([^<]+)</.exec(text)?.[1] };
}

/** Starts requests, which wait for the deletion of an application that commits then. */
const whileDeleted = <T>(app: TestClient, work: () => Promise<T>, waiters = 1): Promise<T> => {
  const sql = 'DELETE FROM applications WHERE client_id = $1';
  return withRowLocked(harness.url, sql, [app.clientId], work, waiters);
};

const UNKNOWN_CLIENT = refused('invalid_client', 116, 'client_secret_mismatch');

describe('an application that is deleted meanwhile', () => {
  it.each([
    ['a new secret', 'keys', 'secret', {}],
    ['a test key', 'keys', 'test', {}],
    ['new settings', 'settings', 'settings', { name: 'New', redirect_uris: REDIRECT }],
    [
      'a request for a scope',
      'permissions',
      'request',
      { scope: 'book_basic_w', level: 'L2', reason: 'x', agreed: 'yes' },
    ],
    ['its deletion', 'settings', 'delete', { confirm: 'An app' }],
    ['the deletion of its logo', 'settings', 'logo/delete', {}],
  ])('is not found by %s', async (_, tab, form, fields) => {
    const app = await anApp();
    const hidden = hiddenFields((await dev.open(`${app.path}/${tab}`)).text);
    const response = await whileDeleted(app, () =>
      dev.post(`${app.path}/${form}`, { ...hidden, ...fields }),
    );
    expect(response.status).toBe(404);
  });

  it('is unknown on the authorization page', async () => {
    const app = await anApp();
    const page = authorizationOf(app);
    const hidden = hiddenFields((await dev.open(page)).text);
    const response = await whileDeleted(app, () =>
      dev.post(AUTH, { ...hidden, decision: 'allow' }),
    );
    const { status, text, headers } = response;
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('client not found');
  });

  it('is not found by the form for a token of the documentation', async () => {
    const app = await anApp();
    const form_token = await dev.formToken();
    const { status } = await whileDeleted(app, () =>
      dev.post('/service/docs/credentials', { form_token, client_id: app.clientId }),
    );
    expect(status).toBe(404);
  });

  it('is an unknown client at the token endpoint', async () => {
    const app = await anApp();
    const { refresh_token } = await tokensFor(harness, dev, app);
    const code = await codeFor(dev, app);
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
    const responses = await whileDeleted(
      app,
      () =>
        Promise.all([
          callAs(harness, app, TOKEN, { grant_type: 'client_credentials' }),
          callAs(harness, app, TOKEN, { ...exchange, code_verifier: VERIFIER }),
          refresh(harness, app, refresh_token),
        ]),
      3,
    );
    for (const { status, body } of responses) expect([status, body]).toEqual([401, UNKNOWN_CLIENT]);
  });

  it('has no valid tokens for a POST with an Idempotency-Key', async () => {
    const make = new Factories(harness.database);
    const userId = (await make.aUser()).id;
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const scopes = ['book_basic_w'];
    const post = async (
      whileWaiting: (send: () => Promise<TestResponse>, app: TestClient) => Promise<TestResponse>,
    ): Promise<TestResponse> => {
      const app = await applications.create({ name: 'An app', scopes });
      const token = await applications.issue({ clientId: app.clientId, userId, scopes, ttl: 60 });
      const path = `/v2/book/${await make.aBook()}/collection`;
      // Afterwards the server has the token in its cache.
      expect((await harness.call(path, { method: 'DELETE', token })).status).toBe(404);
      const headers = { 'Idempotency-Key': 'once' };
      const body = new URLSearchParams({ status: 'wish' });
      return whileWaiting(() => harness.call(path, { method: 'POST', token, headers, body }), app);
    };
    const early = await post((send, app) => whileDeleted(app, send));
    // The key is stored, and the write waits for the book.
    const late = await post((send, { clientId }) =>
      withRowLocked(harness.url, 'SELECT FROM books FOR UPDATE', [], send, 1, () =>
        watcher.query('DELETE FROM applications WHERE client_id = $1', [clientId]),
      ),
    );
    for (const { status, body, headers } of [early, late]) {
      expect([status, body.code]).toEqual([401, 103]);
      expect(headers.get('www-authenticate')).toContain('invalid_token');
    }
  });

  it('does not prevent the statistics of other applications', async () => {
    const [deleted, other] = [await anApp(), await anApp()];
    const idOf = async ({ clientId }: App): Promise<number> => {
      const sql = 'SELECT id::int FROM applications WHERE client_id = $1';
      return (await harness.source.query<{ id: number }[]>(sql, [clientId]))[0]?.id ?? 0;
    };
    const ids = [await idOf(deleted), await idOf(other)];
    const statistics = harness.app.get(RequestStatisticsService, { strict: false });
    const deprecated = harness.app.get(DeprecatedUsageService, { strict: false });
    await statistics.flush();
    for (const app of [deleted, other]) await harness.call(`/v2/nowhere?apikey=${app.clientId}`);
    for (const id of ids) deprecated.record(id, 'GET /v2/old');
    await whileDeleted(deleted, () => Promise.all([statistics.flush(), deprecated.flush()]), 2);
    for (const table of ['application_requests', 'application_failures', 'deprecated_requests']) {
      const sql = `SELECT application_id::int AS id FROM ${table}
        WHERE application_id = ANY($1::bigint[])`;
      const rows = await harness.source.query<{ id: number }[]>(sql, [ids]);
      expect([table, rows]).toEqual([table, [{ id: ids[1] }]]);
    }
  });
});

describe('the deletion of an application', () => {
  it('waits for its token requests without a deadlock', async () => {
    const app = await anApp();
    const { refresh_token } = await tokensFor(harness, dev, app);
    const hidden = hiddenFields((await dev.open(`${app.path}/settings`)).text);
    const statements: string[] = [];
    harness.database.onStatement = (name) => statements.push(name);
    const row = `SELECT FROM refresh_tokens r JOIN grants g ON g.id = r.grant_id
      JOIN applications a ON a.id = g.application_id WHERE a.client_id = $1 FOR UPDATE OF r`;
    const [refreshed, deleted] = await withRowLocked(
      harness.url,
      row,
      [app.clientId],
      async () => {
        const refreshing = refresh(harness, app, refresh_token);
        await untilWaiting(watcher, 1);
        const deleting = dev.post(`${app.path}/delete`, { ...hidden, confirm: 'An app' });
        return Promise.all([refreshing, deleting]);
      },
      2,
    );
    harness.database.onStatement = undefined;
    expect([refreshed.status, deleted.status]).toEqual([200, 303]);
    // A deadlock would repeat one of the transactions.
    for (const name of ['grants.use_refresh_token', 'applications.delete'])
      expect(statements.filter((one) => one === name)).toEqual([name]);
    expect((await dev.open(app.path)).status).toBe(404);
  });

  it('is not found by a second request', async () => {
    const app = await anApp();
    const hidden = hiddenFields((await dev.open(`${app.path}/settings`)).text);
    const both = Array.from({ length: 2 }, () =>
      dev.post(`${app.path}/delete`, { ...hidden, confirm: 'An app' }),
    );
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([303, 404]);
  });
});

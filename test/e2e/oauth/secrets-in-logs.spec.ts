import { startHarness, type Harness } from '../../harness';
import { LogLines } from '../api/log-lines';
import { Browser } from './browser';
import {
  aClient,
  AUTH,
  authorizationOf,
  callAs,
  codeFor,
  exchange,
  refresh,
  sha256,
  TOKEN,
  type TestClient,
} from './flows';

const PASSWORD = 'a password nobody guesses';
const SECOND_PASSWORD = 'another password nobody guesses';

let harness: Harness;
let log: LogLines;
let client: TestClient;
/** Everything that must be known to its owner alone, after it was all used. */
let secrets: Readonly<Record<string, string>>;
let lastRequest: string;

beforeAll(async () => {
  log = new LogLines('trace');
  harness = await startHarness({ logger: log.logger, costlyPasswords: true });
  const browser = await new Browser(harness).register('ann', PASSWORD);
  const session = browser.cookie;
  client = await aClient(harness);
  const code = await codeFor(browser, client, { state: 'state-of-the-client' });
  const unused = await codeFor(browser, client);
  const first = (await exchange(harness, client, code)).body;
  const second = (await refresh(harness, client, first.refresh_token)).body;
  const own = await callAs(harness, client, TOKEN, { grant_type: 'client_credentials' });
  // Where they do not belong, and in requests that fail.
  await harness.call(`/v2/book/0?access_token=${second.access_token}`);
  await harness.call(`/v2/nowhere?client_secret=${client.secret}`);
  await exchange(harness, client, code);
  await callAs(harness, { ...client, clientId: 'nobody' }, TOKEN, {
    refresh_token: second.refresh_token,
  });
  await callAs(harness, client, '/service/auth2/introspect', { token: second.access_token });
  await harness.call(TOKEN, { method: 'POST', body: `{"client_secret":"${client.secret}"` });
  await browser.open(`${authorizationOf(client)}&code=${unused}`);
  await browser.open(`/service/sign-in?password=${PASSWORD}`);
  const made = await browser.fillAndFollow(
    '/service/developer',
    '/service/developer/applications',
    {
      name: 'Own',
      redirect_uris: '',
    },
  );
  await browser.fill('/service/account', '/service/account/password', {
    current: PASSWORD,
    fresh: SECOND_PASSWORD,
  });
  const second_session = new Browser(harness);
  const last = await second_session.signIn('ann', SECOND_PASSWORD);
  lastRequest = String(last.headers.get('x-request-id'));
  secrets = {
    password: PASSWORD,
    'second password': SECOND_PASSWORD,
    session,
    'second session': second_session.cookie,
    'device cookie': second_session.held('commonplace_device'),
    code,
    'unused code': unused,
    'access token': first.access_token,
    'second access token': second.access_token,
    'own access token': own.body.access_token,
    'refresh token': first.refresh_token,
    'second refresh token': second.refresh_token,
    'client secret': String(client.secret),
    'shown client secret': String(/id="secret">([^<]+)</.exec(made.text)?.[1]),
  };
});
afterAll(() => harness.close());

/** Every value of every row of every table, as text; bytes in hex. */
async function everything(): Promise<string> {
  const tables = await harness.source.query(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }: { name: string }) =>
      harness.source.query(`SELECT '${name} ' || t::text AS row FROM ${name} t`),
    ),
  );
  return rows
    .flat()
    .map(({ row }: { row: string }) => row)
    .join('\n');
}

const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');

describe('tokens, codes, secrets, sessions and passwords (D18)', () => {
  it('are each present in the fixture, with a distinct value', () => {
    expect(Object.entries(secrets).filter(([, secret]) => secret.length < 20)).toEqual([]);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  });

  it('are not in the database, neither as text nor as bytes', async () => {
    const text = await everything();
    // The search finds secrets that are present, in either form.
    expect(text).toContain(client.clientId);
    for (const name of ['access token', 'unused code', 'client secret', 'second session']) {
      expect([name, text.includes(sha256(String(secrets[name])).toString('hex'))]).toEqual([
        name,
        true,
      ]);
    }
    for (const [name, secret] of Object.entries(secrets)) {
      const forms = [secret, hex(secret), base64(secret), secret.replace(/^cp.._/, '')];
      expect([name, forms.filter((form) => text.includes(form))]).toEqual([name, []]);
    }
  });

  it('are not in the log', async () => {
    await log.requestLine(lastRequest);
    expect(log.lines.length).toBeGreaterThan(20);
    expect(log.text).toContain(AUTH);
    const found = Object.entries(secrets).filter(
      ([, secret]) => log.text.includes(secret) || log.text.includes(encodeURIComponent(secret)),
    );
    expect(found).toEqual([]);
    expect(log.text).not.toContain('state-of-the-client');
  });

  it('have passwords stored with a salt and a slow function', async () => {
    const hashes = await harness.source.query('SELECT hash FROM passwords');
    expect(hashes).toEqual([
      { hash: expect.stringMatching(/^scrypt\$32768\$8\$3\$[\w+/]{22}==\$[\w+/]{43}=$/) },
    ]);
  });
});

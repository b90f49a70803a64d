import { randomUUID } from 'node:crypto';
import { startHarness, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';
import { until } from './programs';
import { Shell } from './shell';

let opened: Harness;
let shell: Shell;

beforeAll(async () => {
  // It remembers callers for long: what is decided elsewhere must reach it.
  opened = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '300' } });
  shell = new Shell({ DATABASE_URL: opened.url });
});

afterAll(async () => {
  await opened.close();
});

const run = (...args: string[]) => shell.result(...args);

/** Status and code of a call that needs a user who may read books; 200 for who is let in. */
async function standing(token: string): Promise<number | [number, number]> {
  const { status, body } = await opened.call('/v2/book/0/collection', { token });
  return body.code === 6000 ? 200 : [status, body.code as number];
}

const becomes = (token: string, wanted: number | [number, number]): Promise<void> =>
  until(async () => JSON.stringify(await standing(token)) === JSON.stringify(wanted));

/** An application with a token of a user's, without a process for each. */
async function aToken(): Promise<{ clientId: string; uid: string; token: string }> {
  const token = `cpat_${randomUUID()}`;
  const [{ uid, client_id: clientId }] = await opened.source.query(
    `WITH u AS (INSERT INTO users (uid, name) VALUES ('u' || gen_random_uuid(), 'U')
         RETURNING id, uid),
       a AS (INSERT INTO applications (client_id, name, scopes)
         VALUES ('a' || md5(random()::text), 'An app', '{book_basic_r}') RETURNING id, client_id),
       t AS (INSERT INTO access_tokens (hash, application_id, user_id, scopes, expires_at)
         SELECT sha256($1::bytea), a.id, u.id, '{book_basic_r}', now() + interval '1 hour'
         FROM u, a)
     SELECT uid, client_id FROM u, a`,
    [token],
  );
  return { clientId, uid, token };
}

it('app create creates public applications with redirect URIs, and rejects invalid ones', async () => {
  const create = ['app', 'create', '--name', 'Phone', '--public'];
  const uris = ['https://client.example/callback', 'com.example.app:/callback'];
  const made = await run(...create, ...uris.flatMap((uri) => ['--redirect-uri', uri]));
  expect(made).toMatchObject({ public: true, redirect_uris: uris, level: 'L1' });
  expect(made).not.toHaveProperty('client_secret');
  const wrong = await shell.run([...create, '--redirect-uri', 'javascript:alert(1)']);
  expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).toMatch(/^commonplace: invalid redirect URI: javascript:alert\(1\); .*\n$/);
  expect(await shell.lines(['app', 'list'])).toEqual([
    expect.objectContaining({
      client_id: made.client_id,
      name: 'Phone',
      owner: null,
      blocked: false,
      redirect_uris: uris,
    }),
  ]);
});

it('app approve, decline and suspend take effect on a running server, and are in the audit log', async () => {
  const { clientId, token } = await aToken();
  expect(await standing(token)).toBe(200);
  const decide = (verb: string, ...args: string[]) =>
    run('app', verb, clientId, ...args, '--reason', `to ${verb}`);
  const suspended = await decide('suspend', '--scopes', 'book_basic_r');
  expect(suspended).toMatchObject({ client_id: clientId, scopes: [] });
  await becomes(token, [403, 1000]);
  const more = ['--scopes', 'book_basic_r,movie_advance_r', '--level', 'L2'];
  expect(await decide('approve', ...more)).toMatchObject({
    level: 'L2',
    scopes: ['book_basic_r', 'movie_advance_r'],
  });
  await becomes(token, 200);
  await decide('decline', '--level', 'L3');
  const shown = await run('app', 'show', clientId);
  expect(shown).toMatchObject({ client_id: clientId, level: 'L2', owner: null, secrets: [] });
  const row = (subject: string, state: string, verb: string) => ({
    subject,
    state,
    actor: 'administrator',
    reason: `to ${verb}`,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
  });
  expect(shown.decisions).toEqual([
    row('L3', 'declined', 'decline'),
    row('L2', 'approved', 'approve'),
    row('movie_advance_r', 'approved', 'approve'),
    row('book_basic_r', 'approved', 'approve'),
    row('book_basic_r', 'suspended', 'suspend'),
  ]);
});

it('app block and unblock take effect on a running server', async () => {
  const { clientId, token } = await aToken();
  expect(await standing(token)).toBe(200);
  const notice = ['--reason', 'It copies', '--contact', 'help@service.example'];
  const blocked = await run('app', 'block', clientId, ...notice);
  expect(blocked).toMatchObject({ blocked: true, blocked_reason: 'It copies' });
  await becomes(token, [403, 105]);
  expect(await run('app', 'unblock', clientId)).toMatchObject({ blocked: false });
  await becomes(token, 200);
});

it('user block and unblock take effect on a running server', async () => {
  const { uid, token } = await aToken();
  expect(await standing(token)).toBe(200);
  expect(await run('user', 'block', uid)).toEqual({ uid, blocked: true });
  await becomes(token, [401, 122]);
  expect(await run('user', 'unblock', uid)).toEqual({ uid, blocked: false });
  await becomes(token, 200);
});

it('user password enables sign-in, and ends existing sessions', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('ann', 'Ann')`);
  const set = (password: string) => shell.run(['user', 'password', 'ann'], password);
  const browser = new Browser(opened);
  expect((await browser.signIn('ann', 'first password')).status).toBe(403);
  const first = await set('first password\n');
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { uid: 'ann', password: 'set' }]);
  expect((await browser.signIn('ann', 'first password')).status).toBe(303);
  expect((await browser.open('/service/account')).status).toBe(200);
  expect((await set('second password')).code).toBe(0);
  expect((await browser.open('/service/account')).status).toBe(303);
  const short = await set('short\n');
  expect([short.code, short.stdout]).toEqual([1, '']);
  expect(short.stderr).toMatch(/^commonplace: invalid password: .*\n$/);
  expect((await browser.signIn('ann', 'second password')).status).toBe(303);
});

it('user role creates administrators, whose tokens work until the role is removed; one must remain', async () => {
  const { clientId, uid: ann } = await aToken();
  const { uid: bob } = await aToken();
  await run('app', 'approve', clientId, '--scopes', 'admin');
  expect(await run('user', 'role', ann, 'administrator')).toEqual({
    uid: ann,
    role: 'administrator',
  });
  await run('user', 'role', bob, 'administrator');
  const issue = ['token', 'issue', '--app', clientId, '--user', ann, '--scopes', 'admin'];
  const alone = await shell.run(['token', 'issue', '--app', clientId, '--scopes', 'admin']);
  expect([alone.code, alone.stdout, alone.stderr]).toEqual([
    ...[1, '', 'commonplace: tokens with the scope admin require --user\n'],
  ]);
  const token = String((await run(...issue)).access_token);
  const status = async () => (await opened.call('/admin/v1/audit', { token })).status;
  expect(await status()).toBe(200);
  await run('user', 'role', ann, 'member');
  await until(async () => (await status()) === 403);
  const last = await shell.run(['user', 'role', bob, 'member']);
  expect([last.code, last.stderr]).toEqual([1, 'commonplace: this is the last administrator\n']);
});

it('decisions about unknown objects fail with one line', async () => {
  const { clientId } = await aToken();
  const decided = await Promise.all([
    shell.run(['app', 'approve', 'nobody', '--level', 'L2']),
    shell.run(['app', 'approve', clientId]),
    shell.run(['app', 'suspend', clientId, '--scopes', 'everything', '--reason', 'r']),
    shell.run(['user', 'block', 'nobody']),
  ]);
  expect(decided.map(({ code, stdout }) => [code, stdout])).toEqual(decided.map(() => [1, '']));
  expect(decided.map(({ stderr }) => stderr)).toEqual([
    'commonplace: application not found: nobody\n',
    'commonplace: at least one scope or a level is required\n',
    expect.stringMatching(/^commonplace: unknown scopes: everything; existing scopes: .*\n$/),
    'commonplace: user not found\n',
  ]);
  const [{ n }] = await opened.source.query(
    `SELECT count(*)::int AS n FROM application_decisions d JOIN applications a
     ON a.id = d.application_id WHERE a.client_id = $1`,
    [clientId],
  );
  expect(n).toBe(0);
});

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOGGED } from '../../contract/commands';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Shell } from './shell';

let opened: TestDatabase;
let shell: Shell;
let folder: string;
beforeAll(async () => {
  opened = await openTestDatabase();
  shell = new Shell({ DATABASE_URL: opened.url });
  folder = await mkdtemp(join(tmpdir(), 'commonplace-commands-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await opened.close();
});

const query = <T>(sql: string): Promise<T[]> => opened.source.query<T[]>(sql);
const ran = new Set<string>();
const say = async (command: string, args: readonly (string | number)[] = [], input?: string) => {
  ran.add(command);
  const [line] = await shell.lines([...command.split(' '), ...args.map(String)], input);
  return line ?? {};
};
interface Entry {
  readonly action: string;
  readonly target: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}
/** The latest entries of the log about a kind, the latest first. */
const entries = async (kind: string): Promise<Entry[]> =>
  (await shell.lines(['audit', 'list', '--kind', kind])) as never;

it('series and books are created, listed, updated and deleted', async () => {
  const { id } = await say('record put', ['series'], '{"title": " First "}');
  expect(await say('record put', ['series', Number(id)], '{"title": "Second"}')).toEqual({
    id,
    title: 'Second',
    books: 0,
  });
  const book = await say('record put', ['books'], '{"title": "A book"}');
  await say('record put', ['books', Number(book.id)], '{"title": "Another"}');
  expect(await say('record list', ['books', 'noth'])).toMatchObject({ id: book.id });
  expect(await say('record list', ['series'])).toMatchObject({ title: 'Second' });
  const double = await say('record put', ['books'], '{"title": "The same book"}');
  const merged = await say('record merge', ['books', Number(double.id), Number(book.id)]);
  expect(merged).toMatchObject({ id: book.id });
  await say('record remove', ['series', Number(id)]);
  await say('record remove', ['book', Number(book.id)]);
  expect(await say('record list', ['books', '--state', 'deleted'])).toMatchObject({ id: book.id });
  for (const [args, input, message] of [
    [['put', 'series'], '{}', 'a series requires a title of at most 1000 characters'],
    [['put', 'series'], '{"title": "x", "id": "-1"}', 'id must be a positive integer below 2^53'],
    [['put', 'songs'], '{}', 'unknown kind: songs; allowed values: books, '],
    [['list', 'series', '--state', 'deleted'], '', 'deleted series cannot be listed'],
    [['show', 'series', '4711'], '', 'series not found: 4711'],
  ] as const) {
    const { code, stdout, stderr } = await shell.run(['record', ...args], input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^commonplace: ${message.replace('^', '\\^')}.*\n$`));
  }
});

it('charts and showings are written, listed and deleted', async () => {
  await query(`INSERT INTO subjects (id, title, rating_average, ratings_count)
    VALUES (1, 'Film', 8, 100)`);
  await query(`INSERT INTO cities (id, uid, name) VALUES (1, 'beijing', '北京')`);
  const until = ['1', '北京', '2026-01-01', '2026-02-01'];
  const showing = await say('showing write', until);
  expect(await say('showing list', ['--city', 'beijing', '--subject', '1'])).toEqual(showing);
  const day = ['--date', '2026-01-02'];
  const period = ['--period', '1月1日 - 1月7日'];
  const entry = '[{"rank": 1, "subject_id": "1", "box": 5}]';
  expect(await say('chart write', ['us_box', ...day, ...period], entry)).toMatchObject({
    name: 'us_box',
  });
  expect(await say('chart compute', ['top250', ...day])).toEqual({
    ...{ name: 'top250', date: '2026-01-02', snapshots: 1, entries: 1 },
  });
  const here = ['in_theaters', '--city', '北京', ...day];
  expect(await say('chart compute', here)).toMatchObject({ snapshots: 1, entries: 1 });
  const { id } = await say('chart list', ['us_box']);
  expect(await say('chart show', [Number(id)])).toMatchObject({ id, date: '2026-01-02' });
  await say('chart remove', [Number(id)]);
  await say('showing remove', [Number(showing.id)]);
  for (const [args, message] of [
    [['chart', 'write', 'us_box'], 'chart write: --date is required'],
    [['showing', 'write', '1', 'nowhere', '2026-01-01'], 'city not found: nowhere'],
    [['showing', 'write', '2', 'beijing', '2026-01-01'], 'subjects not found: 2'],
    [['showing', 'write', '1', 'beijing', '2026-02-30'], 'from must be a day like 2013-12-25'],
    [['chart', 'compute', 'us_box'], 'us_box cannot be computed'],
    [['chart', 'compute', 'top100'], 'chart not found: top100'],
    [['chart', 'compute', 'top250', '--date', '2026-02-30'], '--date must be a day like'],
    [['chart', 'compute', 'in_theaters', '--city', 'nowhere'], 'city not found: nowhere'],
    [['chart', 'compute', 'weekly', '--city', '北京'], 'only the chart in_theaters accepts a city'],
  ] as const) {
    const { code, stdout, stderr } = await shell.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`commonplace: ${message}`);
  }
});

it('users are created, shown and befriended; the audit log has no password', async () => {
  const { id } = await say('user create', ['--uid', 'ann', '--name', 'Ann']);
  await say('user create', ['--uid', 'bo', '--name', 'Bo']);
  await say('user password', ['ann'], 'a long password\n');
  await say('user block', ['ann']);
  expect(await say('user list', ['--blocked'])).toMatchObject({ uid: 'ann', blocked: true });
  await say('user unblock', ['ann']);
  await say('user role', ['ann', 'administrator']);
  expect(await say('user show', ['ann'])).toMatchObject({ id, role: 'administrator' });
  await say('friend add', ['ann', 'bo']);
  await say('friend add', ['bo', 'ann']);
  await say('friend remove', ['ann', 'bo']);
  expect((await entries('friends')).map(({ action }) => action)).toEqual([
    'user.part',
    'user.befriend',
  ]);
  const [, , , password, created] = await entries('user');
  expect(password).toMatchObject({
    action: 'user.password',
    before: { uid: 'ann', password_since: null },
    after: { uid: 'ann', password_since: expect.any(String) },
  });
  expect(created).toMatchObject({ action: 'user.create', before: null, after: { uid: 'bo' } });
});

it('applications and tokens are created; the audit log has no secret', async () => {
  const scopes = ['--scopes', 'book_basic_r'];
  const made = await say('app create', ['--name', 'Console', ...scopes]);
  const client = String(made.client_id);
  await say('app approve', [client, '--level', 'L2']);
  await say('app decline', [client, '--level', 'L3', '--reason', 'r']);
  await say('app block', [client, '--reason', 'It copies', '--contact', 'help@service.example']);
  expect(await say('app list', ['onsol', '--state', 'blocked'])).toMatchObject({
    client_id: client,
  });
  await say('app unblock', [client]);
  await say('app limit', [client, '--per-hour', '7']);
  expect(await say('app show', [client])).toMatchObject({ level: 'L2', secrets: [{}] });
  const issued = await say('token issue', ['--app', client, '--user', 'ann', ...scopes]);
  const token = String(issued.access_token);
  expect(await say('token revoke', [token])).toEqual({ revoked: true });
  await say('app suspend', [client, ...scopes, '--reason', 'r']);
  expect(await entries('token')).toMatchObject([
    { action: 'token.revoke', target: client, before: { revoked: false } },
    { action: 'token.issue', target: client, after: { scopes: ['book_basic_r'] } },
  ]);
  const [{ log }] = (await query<{ log: string }>(
    'SELECT json_agg(row_to_json(audit_log))::text AS log FROM audit_log',
  )) as [{ log: string }];
  for (const secret of [token, String(made.client_secret), 'a long password']) {
    const hash = createHash('sha256').update(secret).digest();
    for (const form of [secret, hash.toString('hex'), hash.toString('base64')]) {
      expect(log).not.toContain(form);
    }
  }
});

it('limits, words, queued texts and reports are changed', async () => {
  await say('limit set', ['LIMIT_ADDRESS', '9']);
  expect(await say('limit show', ['LIMIT_ADDRESS'])).toMatchObject({ value: 9 });
  await say('limit reset', ['LIMIT_ADDRESS']);
  const file = join(folder, 'words.txt');
  await writeFile(file, 'zarfel\n');
  await say('word add', ['grobnik']);
  await say('word import', [file, '--action', 'hold']);
  await say('word remove', ['grobnik']);
  await query(`INSERT INTO books (id, title) VALUES (900, 'B')`);
  await query(`INSERT INTO reviews (id, book_id, user_id, title, content, hidden)
    SELECT 1, 900, id, 't', 'zarfel', true FROM users WHERE uid = 'ann'`);
  await query(`INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
    SELECT 'review', 1, id, '{zarfel}', 'zarfel' FROM users WHERE uid = 'ann'`);
  const { id: queued } = await say('moderation list');
  await say('moderation reject', [Number(queued)]);
  expect(await say('moderation show', [Number(queued)])).toMatchObject({ state: 'rejected' });
  await say('moderation release', [Number(queued)]);
  await query(`INSERT INTO reports (kind, target_id, user_id, reason)
    SELECT kind, 1, id, 'bad' FROM users, unnest('{review,user}'::text[]) kind WHERE uid = 'bo'`);
  const { id: review } = await say('report list', ['--kind', 'review']);
  const { id: user } = await say('report list', ['--kind', 'user']);
  await say('report resolve', [Number(review), 'hide']);
  await say('report resolve', [Number(user), 'dismiss', '--comment', 'no']);
  expect(await say('report show', [Number(review)])).toMatchObject({ state: 'hidden' });
  expect(await say('report list', ['--state', 'dismissed'])).toMatchObject({ comment: 'no' });
});

it('jobs are created and cancelled; imports write audit entries at begin and end', async () => {
  const { id } = await say('job start', ['export', 'user', 'users.ndjson']);
  expect(await say('job list', ['--state', 'waiting'])).toMatchObject({ id, kind: 'user' });
  expect(await say('job cancel', [Number(id)])).toMatchObject({ state: 'cancelled' });
  expect(await say('job show', [Number(id)])).toMatchObject({ state: 'cancelled' });
  expect(await shell.lines(['job', 'report', String(id)])).toEqual([]);
  const file = join(folder, 'users.ndjson');
  await writeFile(file, '{"id": "70", "uid": "cy", "name": "Cy"}\n');
  await say('import', ['user', file, '--dry-run']);
  expect(await entries('import')).toEqual([]);
  await say('import', ['user', file]);
  expect(await entries('import')).toMatchObject([
    { action: 'import.end', target: 'user', after: { imported: 1, failed: 0 } },
    { action: 'import.begin', target: 'user', after: { files: [file] } },
  ]);
  await say('synthetic', ['--users', '1']);
  await query('UPDATE books SET rating_count = 7, rating_sum = 9 WHERE id = 900');
  expect(await say('recount')).toEqual({ drift: 2, repaired: 2 });
});

it('a recount does not repair beside another one', async () => {
  await query('UPDATE books SET rating_count = 7, rating_sum = 9 WHERE id = 900');
  await opened.source.transaction(async (manager) => {
    await manager.query(`SELECT pg_advisory_xact_lock(x'72636e74'::int)`);
    expect(await shell.run(['recount'])).toMatchObject({
      code: 1,
      stderr: 'commonplace: another recount is running\n',
    });
  });
  expect(await shell.lines(['recount'])).toEqual([{ drift: 2, repaired: 2 }]);
});

it('every change is in the audit log, with the account that ran the command', async () => {
  const actions = await query<{ action: string; actor: string }>(
    'SELECT DISTINCT action, actor FROM audit_log',
  );
  const loggedActions = new Set(actions.map(({ action }) => action));
  const unlogged = LOGGED.filter(([command]) => ran.has(command));
  expect(LOGGED.filter(([command]) => !ran.has(command)).map(([command]) => command)).toEqual([
    // In tests of their own.
    'sample load',
    'sample token',
  ]);
  for (const [command, ...wanted] of unlogged) {
    expect([command, wanted.filter((action) => !loggedActions.has(action))]).toEqual([command, []]);
  }
  for (const { actor } of actions) expect(actor).toMatch(/^cli/);
});

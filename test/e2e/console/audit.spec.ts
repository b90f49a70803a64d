import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_TERMS } from '../../../src/console/messages/log-terms';
import { addPictures } from '../../../src/images/pictures.repository';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { ban } from '../moderation/words';
import { hiddenFields, type Browser } from '../oauth/browser';
import { aClient } from '../oauth/flows';
import { signedInAdministrator } from './administrator';
import { CONSOLE_FORMS } from './routes';

/** A form of the console as an administrator sends it. */
interface Example {
  /** The path with the ids of existing records. */
  readonly path: string;
  readonly fields?: Readonly<Record<string, string | string[]>>;
  /** The action in the audit log; undefined for a form that changes nothing. */
  readonly action: string | undefined;
}

let harness: Harness;
let administrator: Browser;
let form_token: string;
let folder: string;
let make: Factories;
/** One step for each form; each prepares what the form needs. */
let steps: Readonly<Record<string, () => Promise<Example>>>;

const idOf = async (sql: string): Promise<string> => {
  const [row] = await harness.source.query<{ id: string }[]>(sql);
  return String(row?.id);
};

async function queuedText(): Promise<string> {
  const token = await harness.token({ userId: (await make.aUser()).id });
  const body = new URLSearchParams({ title: 'A day', content: 'in the casino' });
  await harness.call('/v2/notes', { method: 'POST', token, body });
  return idOf('SELECT max(id) AS id FROM moderation_queue');
}

async function report(): Promise<string> {
  const token = await harness.token({ userId: (await make.aUser()).id });
  const { id } = await make.aNote();
  const body = new URLSearchParams({ kind: 'note', id: String(id), reason: 'spam' });
  await harness.call('/v2/report', { method: 'POST', token, body });
  return idOf('SELECT max(id) AS id FROM reports');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await writeFile(join(folder, 'books.ndjson'), '{"id":"1","title":"One"}\n');
  // The service can back up an embedded database only.
  const DATABASE_URL = String(process.env.TEST_SERVER_URL);
  harness = await startHarness({ settings: { TRANSFER_DIR: folder, DATABASE_URL } });
  make = new Factories(harness.database);
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  await ban(harness, 'hold', 'casino');
  const { clientId } = await aClient(harness);
  const user = await make.aUser();
  const application = `/admin/applications/${clientId}`;
  const person = `/admin/users/${user.id}`;
  const book = await make.aBook();
  const record = `/admin/catalogue/books/${book}`;
  const movies = new MovieFactories(harness.database);
  const film = await movies.aSubject();
  await movies.aCity('Town', 'town');
  const example =
    (path: string, action: string | undefined, fields: Example['fields'] = {}) =>
    (): Promise<Example> =>
      Promise.resolve({ path, action, fields });
  steps = {
    '/admin/queue/decide': async () => ({
      path: '/admin/queue/decide',
      fields: { id: await queuedText(), decision: 'release' },
      action: 'moderation.release',
    }),
    '/admin/reports/resolve': async () => ({
      path: '/admin/reports/resolve',
      fields: { id: await report(), decision: 'dismiss', comment: 'fine' },
      action: 'report.dismiss',
    }),
    '/admin/applications/:clientId/decide': example(
      `${application}/decide`,
      'application.approve',
      {
        ...{ verb: 'approve', scope: ['movie_premium_r'], level: 'L2', reason: 'fine' },
      },
    ),
    '/admin/applications/:clientId/limit': example(`${application}/limit`, 'application.limit', {
      per_hour: '77',
    }),
    '/admin/applications/:clientId/logo/delete': async () => {
      const picture = {
        hash: 'ab'.repeat(32),
        extension: 'png',
        width: 1,
        height: 1,
        size: 1,
        smallSize: 1,
      } as const;
      await addPictures(harness.database, [picture]);
      await harness.app.get(ApplicationsService, { strict: false }).replaceLogo(clientId, picture);
      return { path: `${application}/logo/delete`, action: 'application.delete_logo' };
    },
    '/admin/applications/:clientId/block': example(`${application}/block`, 'application.block', {
      ...{ reason: 'spam', contact: 'help@example.org' },
    }),
    '/admin/applications/:clientId/unblock': example(
      `${application}/unblock`,
      'application.unblock',
    ),
    '/admin/users/:id/block': example(`${person}/block`, 'user.block', {
      ...{ reason: 'spam', until: '2999-12-31' },
    }),
    '/admin/users/:id/unblock': example(`${person}/unblock`, 'user.unblock'),
    '/admin/users/:id/role': example(`${person}/role`, 'user.role', { role: 'administrator' }),
    '/admin/users/:id/revoke': async () => {
      await harness.source.query(
        `WITH g AS (INSERT INTO grants (application_id, user_id, scopes)
           SELECT id, $1, '{book_basic_r}' FROM applications WHERE client_id = $2 RETURNING id)
         INSERT INTO refresh_tokens (hash, grant_id, scopes, expires_at)
         SELECT '\\x01', id, '{book_basic_r}', now() + interval '1 day' FROM g`,
        [user.id, clientId],
      );
      return { path: `${person}/revoke`, fields: { client_id: clientId }, action: 'user.revoke' };
    },
    '/admin/settings/limits/:name': example('/admin/settings/limits/LIMIT_ANONYMOUS', 'limit.set', {
      value: '151',
    }),
    '/admin/words/add': example('/admin/words/add', 'word.add', { words: 'poker', action: 'hold' }),
    '/admin/words/preview': example('/admin/words/preview', undefined, {
      ...{ words: 'day\nnothing', action: 'hold' },
    }),
    '/admin/words/remove': async () => ({
      path: '/admin/words/remove',
      fields: { id: await idOf('SELECT max(id) AS id FROM banned_words') },
      action: 'word.remove',
    }),
    '/admin/catalogue/:type/:id/preview': example(`${record}/preview`, undefined, {
      'member.title': 'New',
    }),
    '/admin/catalogue/:type/:id/save': example(`${record}/save`, 'book.update', {
      changes: '{"title":"New"}',
    }),
    '/admin/catalogue/:type/:id/delete': example(`${record}/delete`, 'book.remove'),
    '/admin/catalogue/:type/:id/restore': example(`${record}/restore`, 'book.update'),
    '/admin/catalogue/:type/:id/merge': async () => ({
      path: `/admin/catalogue/books/${await make.aBook()}/merge`,
      fields: { into: String(book) },
      action: 'book.merge',
    }),
    '/admin/series/create': example('/admin/series/create', 'series.create', { title: 'First' }),
    '/admin/series/:id/rename': async () => ({
      path: `/admin/series/${await idOf('SELECT max(id) AS id FROM series')}/rename`,
      fields: { title: 'Second' },
      action: 'series.update',
    }),
    '/admin/series/:id/delete': async () => ({
      path: `/admin/series/${await idOf('SELECT max(id) AS id FROM series')}/delete`,
      fields: { sure: 'yes' },
      action: 'series.remove',
    }),
    '/admin/showings/write': example('/admin/showings/write', 'showing.write', {
      ...{ subject_id: String(film), city: 'town', from: '2026-01-01', until: '' },
    }),
    '/admin/showings/:id/delete': async () => ({
      path: `/admin/showings/${await idOf('SELECT max(id) AS id FROM showings')}/delete`,
      fields: { sure: 'yes' },
      action: 'showing.remove',
    }),
    '/admin/charts/write': example('/admin/charts/write', 'chart.write', {
      ...{ name: 'weekly', date: '2026-01-01', city: '', entries: `${film}\n` },
    }),
    '/admin/charts/compute': example('/admin/charts/compute', 'chart.compute', {
      ...{ name: 'top250', date: '2026-01-01' },
    }),
    '/admin/charts/:id/delete': async () => ({
      path: `/admin/charts/${await idOf('SELECT min(id) AS id FROM chart_snapshots')}/delete`,
      fields: { sure: 'yes' },
      action: 'chart.remove',
    }),
    '/admin/transfers/preview': example('/admin/transfers/preview', undefined, {
      ...{ kind: 'book', path: 'books.ndjson' },
    }),
    '/admin/transfers/start': example('/admin/transfers/start', 'job.import', {
      ...{ type: 'import', kind: 'book', path: 'books.ndjson' },
    }),
    '/admin/transfers/jobs/:id/cancel': async () => {
      const id = await idOf(
        `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by)
         VALUES ('export', 'book', 'out.ndjson', false, 'root') RETURNING id`,
      );
      return { path: `/admin/transfers/jobs/${id}/cancel`, action: 'job.cancel' };
    },
    '/admin/transfers/backup': example('/admin/transfers/backup', undefined),
  };
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

const lastEntry = () => idOf('SELECT coalesce(max(id), 0) AS id FROM audit_log');

it('every form of the console has an example here', () => {
  expect(Object.keys(steps).sort()).toEqual([...CONSOLE_FORMS].sort());
});

it('every action of the console is in the audit log, with the administrator and the request', async () => {
  const seen: unknown[] = [];
  const expected: unknown[] = [];
  for (const [form, prepare] of Object.entries(steps)) {
    const { path, fields = {}, action } = await prepare();
    const before = await lastEntry();
    const { status, headers, text } = await administrator.post(path, { form_token, ...fields });
    if (action !== undefined && status !== 303)
      throw new Error(`${form}: ${status} ${text.replace(/<[^>]+>/g, ' ')}`);
    const rows = await harness.source.query<{ action: string; request_id: string }[]>(
      `SELECT action, request_id FROM audit_log WHERE id > $1 AND actor = 'root'
       GROUP BY action, request_id ORDER BY min(id)`,
      [before],
    );
    seen.push([form, ...rows.map((row) => [row.action, row.request_id])]);
    const id = headers.get('x-request-id');
    expected.push(action === undefined ? [form] : [form, [action, id]]);
  }
  expect(seen).toEqual(expected);

  const actions = await harness.source.query<{ action: string; kind: string }[]>(
    'SELECT DISTINCT action, target_kind AS kind FROM audit_log',
  );
  for (const { kinds, verbs } of Object.values(LOG_TERMS)) {
    const untold = actions.filter(({ action, kind }) => {
      const [target = '', verb = ''] = action.split('.');
      return kinds[kind] === undefined || kinds[target] === undefined || verbs[verb] === undefined;
    });
    expect(untold).toEqual([]);
  }
});

import { RecentTextSearch } from '../../../src/console/words/recent-text-search.service';
import { startHarness, type Harness } from '../../harness';
import { hiddenFields, type Browser, type Fields } from '../oauth/browser';
import { until } from '../process/programs';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let search: RecentTextSearch;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  search = harness.app.get(RecentTextSearch, { strict: false });
});
afterAll(() => harness.close());

/** Notes of the administrator with a content. */
const insertNotes = (count: number, privacy: string, content: string): Promise<unknown> =>
  harness.source.query(
    `INSERT INTO notes (user_id, title, content, privacy, published_at, updated_at)
     SELECT u.id, 'n', $3, $2, now(), now() FROM users u, generate_series(1, $1::int)
     WHERE u.uid = 'root'`,
    [count, privacy, content],
  );

it('does not find private texts', async () => {
  await insertNotes(1, 'private', 'a hidden word');
  await insertNotes(1, 'friend', 'a hidden word');
  expect((await administrator.open('/admin/words?word=hidden')).text).toMatch(/0 texts of/);
  await insertNotes(1, 'public', 'a hidden word');
  expect((await administrator.open('/admin/words?word=hidden')).text).toMatch(/1 text of/);
});

it('serves other requests during a search, runs one at a time, and ends with its request', async () => {
  await insertNotes(1000, 'public', 'many words '.repeat(180));
  const leaving = new AbortController();
  const headers = { cookie: `commonplace_login=${administrator.cookie}`, accept: 'text/html' };
  const first = fetch(`${harness.origin}/admin/words?word=many`, {
    headers,
    signal: leaving.signal,
  }).catch(() => 'left');
  await until(() => Promise.resolve(search.isBusy));
  expect((await harness.call('/healthz')).status).toBe(200);
  const second = await administrator.open('/admin/words?word=words');
  expect([second.status, search.isBusy]).toEqual([400, true]);
  expect(second.text).toMatch('Another search of texts runs');
  leaving.abort();
  expect(await first).toBe('left');
  await until(() => Promise.resolve(!search.isBusy));
  expect((await administrator.open('/admin/words?word=other')).text).toMatch(/0 texts of/);
});

it('offers to add the word that the administrator has removed, not one of the address', async () => {
  const { form_token = '' } = hiddenFields((await administrator.open('/admin')).text);
  const post = (path: string, fields: Fields) =>
    administrator.post(`/admin/words/${path}`, { form_token, ...fields });
  const ofLink = async () => (await administrator.open('/admin/words?removed=bread&was=hold')).text;
  expect(await ofLink()).not.toContain('was removed');
  await post('add', { words: 'casino\ngambling', action: 'refuse' });
  const [word] = await harness.source.query<{ id: string }[]>(
    `SELECT id::text FROM banned_words WHERE word = 'casino'`,
  );
  const removed = await post('remove', { id: word?.id ?? '' });
  expect(removed.headers.get('location')).toBe('/admin/words?did=word');
  const page = await ofLink();
  expect(page).toContain('“casino” was removed.');
  const [form = ''] =
    /<form[^>]*>(?:(?!<\/form>)[^])*name="words" value[^]*?<\/form>/.exec(page) ?? [];
  expect(hiddenFields(form)).toMatchObject({ words: 'casino', action: 'refuse' });
  // Another administrator is offered nothing, and nobody is after the word was added again.
  const other = await signedInAdministrator(harness, 'other');
  expect((await other.open('/admin/words')).text).not.toContain('was removed');
  await post('add', { words: 'casino', action: 'refuse' });
  expect((await administrator.open('/admin/words')).text).not.toContain('was removed');
});

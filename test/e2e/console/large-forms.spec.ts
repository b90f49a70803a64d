import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let form_token: string;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
});
afterAll(() => harness.close());

const aBook = async () => {
  const id = await new Factories(harness.database).aBook({ title: 'A book' });
  return { id, path: `/admin/catalogue/books/${id}` };
};

/** Each character has 9 bytes in a form. */
const LONG = '很长'.repeat(10_000);

it('previews and stores a record with a long text', async () => {
  const { id, path } = await aBook();
  const fields = { form_token, 'member.title': 'A book', 'member.summary': LONG };
  const preview = await administrator.post(`${path}/preview`, fields);
  expect(preview.status).toBe(200);
  const { changes = '', before = '' } = hiddenFields(preview.text);
  const saved = await administrator.post(`${path}/save`, { form_token, changes, before });
  expect(saved.headers.get('location')).toBe(`${path}?did=saved`);
  expect((await harness.call(`/v2/book/${id}`)).body.summary).toBe(LONG);
});

it('adds a long list of words', async () => {
  const words = Array.from({ length: 3000 }, (_, number) => `很长的词语${number}`);
  const fields = { form_token, action: 'hold', words: words.join('\n') };
  expect((await administrator.post('/admin/words/add', fields)).status).toBe(303);
  const [count] = await harness.source.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM banned_words',
  );
  expect(count).toEqual({ count: words.length });
});

it('400: other callers have the limit of public forms', async () => {
  const { path } = await aBook();
  const user = await new Browser(harness).register('reader');
  for (const browser of [user, new Browser(harness)]) {
    const token = hiddenFields((await browser.open('/service/account')).text).form_token ?? '';
    const sent = (text: string) =>
      browser.post(`${path}/preview`, { form_token: token, 'member.summary': text });
    const statuses = [(await sent('short')).status, (await sent(LONG)).status];
    expect(statuses).toEqual([403, 400]);
  }
});

it('403: the large form of an administrator without the CSRF token changes nothing', async () => {
  const { id, path } = await aBook();
  const changes = JSON.stringify({ summary: LONG });
  const sent = await administrator.post(`${path}/save`, { form_token: 'wrong', changes });
  expect(sent.status).toBe(403);
  expect((await harness.call(`/v2/book/${id}`)).body.summary).not.toBe(LONG);
});

it.each(['changes', 'before'])('400: %s is nested too deeply', async (name) => {
  const { path } = await aBook();
  const deep = `{"title":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const fields = { form_token, changes: '{}', before: '', [name]: deep };
  const { status, text } = await administrator.post(`${path}/save`, fields);
  expect(status).toBe(400);
  expect(text).toContain(`${name} is nested too deeply`);
});

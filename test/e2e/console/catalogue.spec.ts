import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let form_token: string;
let book: number;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  const wire = { title: 'Old <i>title</i>', author: ['A', 'B'], summary: 'Long.' };
  book = await new Factories(harness.database).aBook(wire);
});
afterAll(() => harness.close());

const bookNow = async () => (await harness.call(`/v2/book/${book}`)).body;

it('previews a change, and then stores it', async () => {
  const path = `/admin/catalogue/books/${book}`;
  const { text } = await administrator.open(path);
  expect(text).toMatch(/name="member\.title" value="Old &lt;i&gt;title&lt;\/i&gt;"/);
  expect(text).toMatch(/>\s*A\nB<\/textarea>/);
  const fields = {
    form_token,
    'member.title': 'New',
    'member.author': 'A\r\nC\r\n',
    'member.summary': 'Long.',
  };
  const preview = await administrator.post(`${path}/preview`, fields);
  expect(preview.text).toMatch(/<del>Old &lt;i&gt;[^]*<ins>New<\/ins>/);
  const { changes = '' } = hiddenFields(preview.text);
  expect(JSON.parse(changes)).toEqual({ title: 'New', author: ['A', 'C'] });
  expect((await bookNow()).title).toBe('Old <i>title</i>');
  const saved = await administrator.post(`${path}/save`, { form_token, changes });
  expect(saved.headers.get('location')).toBe(`${path}?did=saved`);
  expect(await bookNow()).toMatchObject({ title: 'New', author: ['A', 'C'], summary: 'Long.' });
  expect((await administrator.open(path)).text).toMatch(/book\.update/);
});

it('deletes and restores a book', async () => {
  const path = `/admin/catalogue/books/${book}`;
  await administrator.post(`${path}/delete`, { form_token });
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(404);
  expect((await administrator.open('/admin/catalogue?type=books&state=deleted')).text).toContain(
    path,
  );
  const restored = await administrator.post(`${path}/restore`, { form_token });
  expect(restored.headers.get('location')).toBe(`${path}?did=restored`);
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(200);
});

it('creates a record, and explains the error of an invalid one', async () => {
  const changes = JSON.stringify({ title: '新书', isbn13: '9787111128069' });
  const path = '/admin/catalogue/books/new';
  const made = await administrator.post(`${path}/save`, { form_token, changes });
  expect(made.headers.get('location')).toMatch(/^\/admin\/catalogue\/books\/\d+\?did=created$/);
  const nameless = await administrator.post(`${path}/save`, { form_token, changes: '{}' });
  expect([nameless.status, /class="error"/.test(nameless.text)]).toEqual([400, true]);
  const broken = { form_token, 'member.images': '{' };
  expect((await administrator.post(`${path}/preview`, broken)).text).toMatch(/not valid JSON/);
});

it('edits a film', async () => {
  const id = await new MovieFactories(harness.database).aSubject({ title: '旧片' });
  const changes = JSON.stringify({ title: '新片' });
  const path = `/admin/catalogue/subjects/${id}`;
  expect((await administrator.open(path)).text).toMatch(/旧片/);
  await administrator.post(`${path}/save`, { form_token, changes });
  expect((await administrator.open('/admin/catalogue?type=subjects&q=新片')).text).toContain(path);
});

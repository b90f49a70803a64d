import { Factories } from '../../factories/factories';
import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let form_token: string;
let make: Factories;
let movies: MovieFactories;
let book: number;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  const wire = { title: 'Old <i>title</i>', author: ['A', 'B'], summary: 'Long.' };
  make = new Factories(harness.database);
  movies = new MovieFactories(harness.database);
  book = await make.aBook(wire);
});
afterAll(() => harness.close());

const bookNow = async () => (await harness.call(`/v2/book/${book}`)).body;

it('previews a change, and then stores it', async () => {
  const path = `/admin/catalogue/books/${book}`;
  const { text } = await administrator.open(path);
  expect(text).toMatch(/name="member\.title"[^>]*value="Old &lt;i&gt;title&lt;\/i&gt;"/);
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
  expect((await administrator.open(path)).text).toMatch(
    /Book: changed<[^]*<strong>Title<\/strong>/,
  );
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
  expect([nameless.status, /id="error-title">Enter a value\./.test(nameless.text)]).toEqual([
    400,
    true,
  ]);
  await movies.aCity('Town', 'town');
  const taken = JSON.stringify({ name: 'Other', uid: 'town' });
  const { text } = await administrator.post('/admin/catalogue/locs/new/save', {
    ...{ form_token, changes: taken },
  });
  expect(text).toMatch(/id="error-uid">Another record has this value[^]*value="Other"/);
});

it('edits the parts of objects and the lines of lists', async () => {
  const wire = { title: 'T', images: { medium: '/m.jpg' }, tags: [{ name: 'a b', count: 3 }] };
  const id = await make.aBook(wire);
  const path = `/admin/catalogue/books/${id}`;
  const { text } = await administrator.open(path);
  expect(text).toMatch(/<img src="\/m\.jpg"[^]*href="\/book\/\d+\/">Public page/);
  expect(text).toMatch(/<label for="field-origin_title">Original title<[^]*<code>origin_title</);
  const fields = {
    ...{ form_token, 'member.images.small': '/s.jpg', 'member.images.large': '/m.jpg' },
    ...{ 'member.images.medium': '/m.jpg', 'member.tags': 'a b 3\nc 2' },
    ...{ 'member.series.id': '7', 'member.series.title': '', 'member.rating.average': '8.5' },
  };
  const { changes = '' } = hiddenFields((await administrator.post(`${path}/preview`, fields)).text);
  await administrator.post(`${path}/save`, { form_token, changes });
  const stored = (await administrator.open(path)).text;
  expect(stored).toMatch(/name="member\.images\.small"[^>]*value="\/s\.jpg"/);
  expect(stored).toMatch(/>\s*a b 3\nc 2<\/textarea>/);
  expect(stored).toMatch(/name="member\.series\.id"[^>]*value="7"/);
  expect(stored).toMatch(/name="member\.rating\.average"[^>]*value="8\.5"/);
});

it('edits a film', async () => {
  const id = await movies.aSubject({ title: '旧片' });
  const changes = JSON.stringify({ title: '新片' });
  const path = `/admin/catalogue/subjects/${id}`;
  expect((await administrator.open(path)).text).toMatch(/旧片/);
  await administrator.post(`${path}/save`, { form_token, changes });
  expect((await administrator.open('/admin/catalogue?type=subjects&q=新片')).text).toContain(path);
  const fields = { form_token, changes: JSON.stringify({ name: 'P' }) };
  const person = await administrator.post('/admin/catalogue/celebrities/new/save', fields);
  const page = String(person.headers.get('location')).replace(/\?.*/, '');
  const directors = [{ id: page.replace(/.*\//, '') }];
  const credited = { form_token, changes: JSON.stringify({ directors }) };
  await administrator.post(`${path}/save`, credited);
  expect((await administrator.open(page)).text).toMatch(
    /Films of this person[^]*>新片<\/a>[^]*Director</,
  );
});

it('shows all errors of a form at their fields, keeps the form, and stores nothing', async () => {
  const id = await movies.aSubject({
    title: '片',
    rating: { average: 8 },
  });
  const path = `/admin/catalogue/subjects/${id}`;
  const entries = async () => (await administrator.open('/admin/log/export')).text;
  const before = await entries();
  const fields = {
    ...{
      form_token,
      'member.title': '新',
      'member.year': 'abcd',
      'member.directors': '999 Nobody',
    },
    ...{ 'member.rating.average': '99', 'member.website': 'javascript:alert(1)' },
  };
  const { status, text } = await administrator.post(`${path}/preview`, fields);
  expect(status).toBe(400);
  const errors = [...text.matchAll(/id="error-(\w+)">([^<]+)</g)].map(([, ...error]) => error);
  expect(errors).toEqual([
    ['rating', 'Enter a number from 0 to 10.'],
    ['year', 'Enter a year of four digits.'],
    ['directors', 'There are no records with these ids: 999'],
    ['website', expect.stringMatching(/^Enter an address/)],
  ]);
  expect(text).toMatch(/name="member\.year"[^>]*aria-invalid="true"[^>]*value="abcd"/);
  expect(text).toMatch(/href="#field-rating">Rating</);
  const chinese = { 'accept-language': 'zh-TW' };
  const translated = await administrator.post(`${path}/preview`, fields, chinese);
  expect(translated.text).toMatch(/id="error-year">請填寫四位數的年份。/);
  const valid = { form_token, 'member.rating.average': '9', 'member.year': '1994' };
  const preview = await administrator.post(`${path}/preview`, valid);
  expect(preview.text).toMatch(
    /<strong>Rating<\/strong>[^]*<del>[^<]*8[^<]*40<[^]*<ins>[^<]*9[^<]*45</,
  );
  const { changes = '' } = hiddenFields(preview.text);
  const form = await administrator.post(`${path}/preview`, { form_token, changes, edit: 'yes' });
  expect(form.text).toMatch(/name="member\.year"[^>]*value="1994"/);
  expect((await administrator.open(path)).text).toMatch(/name="member\.title"[^>]*value="片"/);
  expect(await entries()).toBe(before);
});

it('explains in the form why records cannot be merged', async () => {
  const path = `/admin/catalogue/books/${book}/merge`;
  for (const [into, status, error] of [
    [String(book), 400, 'A record cannot be merged into itself.'],
    ['999999', 404, 'There is no entry 999999, or it was deleted.'],
    ['x', 400, 'Enter an id'],
  ] as const) {
    const page = await administrator.open(`${path}?into=${into}`);
    expect([page.status, page.text.includes(error)]).toEqual([status, true]);
    expect(page.text).toMatch(new RegExp(`name="into"[^>]*value="${into}"`));
  }
});

it('shows the imports that stored a record, and the merge on the page of the former record', async () => {
  const [former, survivor] = [await make.aBook({ title: 'A' }), await make.aBook({ title: 'B' })];
  const path = `/admin/catalogue/books/${former}`;
  const job = `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by, started_at, finished_at)
    SELECT 'import', 'book', $2, false, 'ann', created_at + $3, created_at + $4 FROM books
    WHERE id = $1`;
  const add = (name: string, from: string, to: string) =>
    harness.source.query(job, [former, name, from, to]);
  await add('earlier.ndjson', '-2 minutes', '-1 minute');
  await add('running.ndjson', '-0.5 seconds', '1 minute');
  await harness.source.query(
    `INSERT INTO audit_log (at, actor, action, target_kind, target_id)
     SELECT created_at + shift::interval, 'cli:bob', action, 'import', 'sample' FROM books,
       (VALUES ('-1 minute', 'import.begin'), ('1 minute', 'import.end')) AS v(shift, action)
     WHERE id = $1`,
    [former],
  );
  const { text } = await administrator.open(path);
  expect(text).toMatch(/Created at 20\d\d-/);
  expect(text).toMatch(/actor=ann"[^]*Import<[^]*jobs\/\d+">running\.ndjson</);
  expect(text).toMatch(/actor=cli%3Abob"/);
  expect(text).not.toMatch(/earlier\.ndjson/);
  await administrator.post(`${path}/merge`, { form_token, into: String(survivor) });
  const merged = await administrator.open(path);
  expect(merged.text).toMatch(
    new RegExp(`actor=root"[^]*Book: merged<[^]*<strong>Merged into</strong>\\s*<ins>${survivor}<`),
  );
});

it('charts name their city and films, and an edit keeps the box office', async () => {
  const [one, other] = [
    await movies.aSubject({ title: '甲' }),
    await movies.aSubject({ title: '乙' }),
  ];
  await movies.aCity('Harbour', 'harbour');
  const write = async (fields: Record<string, string>): Promise<string> => {
    const path = '/admin/charts/write';
    expect((await administrator.post(path, { form_token, ...fields })).status).toBe(303);
    const [row] = await harness.source.query<{ id: string }[]>(
      `SELECT id FROM chart_snapshots WHERE name = $1`,
      [fields.name],
    );
    return String(row?.id);
  };
  const cinema = { name: 'in_theaters', date: '2026-01-01', city: 'harbour', entries: `${one}` };
  const page = await administrator.open(`/admin/charts/${await write(cinema)}`);
  expect(page.text).toMatch(
    /<h1>In cinemas · Harbour · 2026-01-01[^]*>甲<\/a[^]*>\n?\d+ 甲<\/textarea>/,
  );
  const box = { name: 'us_box', date: '2026-01-01', city: '', entries: `${one} 甲\r\n${other}` };
  const edited = await write(box);
  await harness.source.query(
    `UPDATE chart_entries SET box = 7, new = true WHERE snapshot_id = $1 AND subject_id = $2`,
    [edited, one],
  );
  await write({ ...box, entries: `${other} 乙\n${one} 甲\n`, edited });
  const rows = await harness.source.query(
    `SELECT rank, box::int, new FROM chart_entries WHERE subject_id = $1 AND box > 0`,
    [one],
  );
  expect(rows).toEqual([{ rank: 2, box: 7, new: true }]);
});

it('asks before it deletes a photo, which cannot be restored', async () => {
  const id = await movies.aSubject({ title: '影' });
  const changes = JSON.stringify({ subject_id: String(id), image: '/p.jpg' });
  const made = await administrator.post('/admin/catalogue/photos/new/save', {
    form_token,
    changes,
  });
  const path = String(made.headers.get('location')).replace(/\?.*/, '');
  expect((await administrator.open(path)).text).toMatch(/A photo is deleted permanently/);
  const asked = await administrator.post(`${path}/delete`, { form_token });
  expect(asked.text).toMatch(/Delete permanently\?[^]*This deletion cannot be undone/);
  expect((await administrator.open(path)).status).toBe(200);
  const deleted = await administrator.post(`${path}/delete`, hiddenFields(asked.text));
  expect(deleted.headers.get('location')).toBe('/admin/catalogue?type=photos&did=removed');
  expect((await administrator.open(path)).status).toBe(404);
});

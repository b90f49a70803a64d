import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let form_token: string;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

it('does not overwrite a value that somebody else changed after the preview', async () => {
  const id = await make.aBook({ title: 'First', subtitle: 'S' });
  const path = `/admin/catalogue/books/${id}`;
  const fields = { form_token, 'member.title': 'Mine' };
  const preview = hiddenFields((await administrator.post(`${path}/preview`, fields)).text);
  const save = async (title: string) =>
    administrator.post(`${path}/save`, { form_token, changes: JSON.stringify({ title }) });
  expect((await save('Yours')).status).toBe(303);
  const { status, text } = await administrator.post(`${path}/save`, preview);
  expect([status, /id="error-title">Somebody else/.test(text)]).toEqual([400, true]);
  expect(text).toMatch(/name="member\.title"[^>]*value="Mine"/);
  expect((await harness.call(`/v2/book/${id}`)).body.title).toBe('Yours');
});

it('keeps a member that somebody else changed after the form was shown', async () => {
  const id = await make.aBook({ title: 'First', subtitle: 'S' });
  const path = `/admin/catalogue/books/${id}`;
  const shown = hiddenFields((await administrator.open(path)).text);
  const other = { form_token, changes: JSON.stringify({ subtitle: 'Yours' }) };
  expect((await administrator.post(`${path}/save`, other)).status).toBe(303);
  const fields = { ...shown, 'member.title': 'Mine', 'member.subtitle': 'S' };
  const preview = hiddenFields((await administrator.post(`${path}/preview`, fields)).text);
  expect(JSON.parse(preview.changes ?? '')).toEqual({ title: 'Mine' });
  expect((await administrator.post(`${path}/save`, preview)).status).toBe(303);
  const { body } = await harness.call(`/v2/book/${id}`);
  expect(body).toMatchObject({ title: 'Mine', subtitle: 'Yours' });
});

it('keeps a part of an object that somebody else changed before the return from the preview', async () => {
  const stored = { small: '/s.jpg', medium: '/m.jpg', large: '/l.jpg' };
  const id = await make.aBook({ title: 'First', images: stored });
  const path = `/admin/catalogue/books/${id}`;
  const shown = hiddenFields((await administrator.open(path)).text);
  const fields = { ...shown, 'member.images.small': '/mine.jpg' };
  const preview = hiddenFields((await administrator.post(`${path}/preview`, fields)).text);
  const changes = JSON.stringify({ images: { ...stored, large: '/yours.jpg' } });
  expect((await administrator.post(`${path}/save`, { form_token, changes })).status).toBe(303);
  const { text } = await administrator.post(`${path}/preview`, { ...preview, edit: 'true' });
  const valueOf = (part: string) =>
    new RegExp(`name="member\\.images\\.${part}"[^>]*value="([^"]*)"`).exec(text)?.[1];
  expect(['small', 'medium', 'large'].map(valueOf)).toEqual(['/mine.jpg', '/m.jpg', '/yours.jpg']);
});

it('does not restore a record that somebody else deleted after the preview', async () => {
  const id = await make.aBook({ title: 'First' });
  const path = `/admin/catalogue/books/${id}`;
  const fields = { form_token, 'member.title': 'Mine' };
  const preview = hiddenFields((await administrator.post(`${path}/preview`, fields)).text);
  expect((await administrator.post(`${path}/delete`, { form_token })).status).toBe(303);
  const { status, text } = await administrator.post(`${path}/save`, preview);
  expect([status, /was deleted at/.test(text)]).toEqual([400, true]);
  expect((await harness.call(`/v2/book/${id}`)).status).toBe(404);
});

it('keeps times and lines that somebody else changed, although browsers send them in another form', async () => {
  const stored = { title: 'First', begin_time: '2030-01-02 10:00:00', address: 'A\nB' };
  const { id } = await make.anEvent({ ...stored, end_time: '2030-01-02 12:00:30' });
  const path = `/admin/catalogue/events/${id}`;
  const shown = hiddenFields((await administrator.open(path)).text);
  const changes = JSON.stringify({ begin_time: '2030-01-01 11:00:00', address: 'C' });
  expect((await administrator.post(`${path}/save`, { form_token, changes })).status).toBe(303);
  const preview = await administrator.post(`${path}/preview`, {
    ...shown,
    'member.title': 'Mine',
    'member.begin_time': '2030-01-02T10:00',
    'member.end_time': '2030-01-02T12:00:30',
    'member.address': 'AB',
  });
  expect(JSON.parse(hiddenFields(preview.text).changes ?? '')).toEqual({ title: 'Mine' });
});

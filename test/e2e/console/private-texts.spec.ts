import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer, type Writer } from '../books/writes';
import { ban } from '../moderation/words';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let make: Factories;
let administrator: Browser;
let form_token: string;
let author: Writer;
let reporter: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  reporter = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', 'casino');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

const PUBLISHED = 'published casino';
const SECRET = 'a secret thought';

/** Releases the open entry of the author's text. */
async function release(): Promise<void> {
  const [entry] = await harness.source.query<{ id: string }[]>(
    'SELECT id::text FROM moderation_queue WHERE user_id = $1 AND decision IS NULL',
    [author.id],
  );
  const fields = { form_token, decision: 'release', id: entry?.id ?? '' };
  expect((await administrator.post('/admin/queue/decide', fields)).status).toBe(303);
}

async function report(kind: string, id: number): Promise<void> {
  const made = await reporter.post('/v2/report', { kind, id, reason: 'rude' });
  expect(made.status).toBe(201);
}

const SENTENCE = 'The author has made this text private since.';

/** The pages with released texts, with reports, and of the author. */
async function pages(): Promise<string[]> {
  const paths = ['/admin/queue?state=released', '/admin/reports', `/admin/users/${author.id}`];
  return Promise.all(paths.map(async (path) => (await administrator.open(path)).text));
}

/** Texts of the kinds that can be private: published with a word, then private with other text. */
const KINDS = {
  note: async () => {
    const { body } = await author.post('/v2/notes', { title: 'A day', content: PUBLISHED });
    const makePrivate = () =>
      author.put(`/v2/note/${body.id}`, { title: 'A day', content: SECRET, privacy: 'private' });
    return { id: Number(body.id), makePrivate };
  },
  annotation: async () => {
    const fields = (content: string) => ({ content: content.padEnd(200, '.'), page: 1 });
    const path = `/v2/book/${await make.aBook()}/annotations`;
    const { body } = await author.post(path, fields(PUBLISHED));
    const makePrivate = () =>
      author.put(`/v2/book/annotation/${body.id}`, { ...fields(SECRET), privacy: 'private' });
    return { id: Number(body.id), makePrivate };
  },
  collection: async () => {
    const path = `/v2/book/${await make.aBook()}/collection`;
    const { body } = await author.post(path, { status: 'read', comment: PUBLISHED });
    const makePrivate = () =>
      author.put(path, { status: 'read', comment: SECRET, privacy: 'private' });
    return { id: Number(body.id), makePrivate };
  },
};

it.each(Object.entries(KINDS))(
  'shows no %s that its author has made private since its release or a report',
  async (kind, publish) => {
    const { id, makePrivate } = await publish();
    await release();
    await report(kind, id);
    for (const page of await pages()) expect(page).toContain('published');
    expect((await makePrivate()).status).toBe(202);
    const [queue = '', reports = '', user = ''] = await pages();
    for (const page of [queue, reports, user]) expect(page).not.toContain(SECRET);
    expect(queue).toContain('published');
    expect(queue).not.toContain('View on the site');
    expect(reports).toContain(SENTENCE);
    expect(user).toContain('published');
    await harness.source.query('DELETE FROM reports');
  },
);

it('shows neither replies to a note that is private since nor its title', async () => {
  const content = 'fine';
  const { body } = await reporter.post('/v2/notes', { title: 'My diary', content });
  const made = await author.post(`/v2/note/${body.id}/comments`, { content: PUBLISHED });
  expect(made.status).toBe(201);
  await release();
  await report('note_reply', Number(made.body.id));
  for (const page of await pages()) expect(page).toContain('My diary');
  await reporter.put(`/v2/note/${body.id}`, { title: 'My diary', content, privacy: 'private' });
  const found = await pages();
  for (const page of found) expect(page).not.toContain('My diary');
  expect(found[1]).toContain(SENTENCE);
});

it('shows the complete private text that has an open entry', async () => {
  const content = `${'long '.repeat(200)} casino, the end`;
  const fields = { title: 'A day', content, privacy: 'private' };
  expect((await author.post('/v2/notes', fields)).status).toBe(201);
  expect((await administrator.open('/admin/queue')).text).toMatch(/<mark>casino<\/mark>, the end/);
});

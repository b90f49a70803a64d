import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { AuditRepository } from '../../../src/audit/audit.repository';
import { MAX_RESPONSE_BYTES } from '../../../src/api/resources/list-writer';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator } from '../admin/administrators';
import { unescaped, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

let harness: Harness;
let administrator: Browser;
let log: AuditRepository;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await signedInAdministrator(harness, 'root');
  log = harness.app.get(AuditRepository, { strict: false });
});
/** The target of the entries of a test: the log is append-only. */
let id = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  id = String(tests);
});
afterAll(() => harness.close());

/** Entries of changes of a book, each after the one before it. */
const insertEntries = (before: object | null, after: object | null, count = 1): Promise<unknown> =>
  harness.source.query(
    `INSERT INTO audit_log (actor, action, target_kind, target_id, before, after)
     SELECT 'root', 'book.update', 'book', $4, $1, $2 FROM generate_series(1, $3::int)`,
    [before && JSON.stringify(before), after && JSON.stringify(after), count, id],
  );

/** The text of a page in one line, without markup. */
const textOf = (markup: string): string =>
  unescaped(markup.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');

const shown = async (): Promise<string> =>
  textOf((await administrator.open(`/admin/log?id=${id}`)).text);

it('shows short values of changed members whole', async () => {
  await insertEntries(
    { title: 'Old', tags: ['a', 'b'], same: 'same', gone: null, pages: 1 },
    { title: 'New', tags: ['a'], same: 'same', pages: 2 },
  );
  const text = await shown();
  expect(text).toMatch(/tags : \["a","b"\] \["a"\]/);
  expect(text).toMatch(/title : Old New/);
  expect(text).toMatch(/pages : 1 2/);
  expect(text).toMatch(/gone : null/);
  expect(text).not.toMatch(/same/);
  const { items } = await log.listShown({ id }, { start: 0, count: 9 });
  expect(items[0]?.before).toEqual({ title: 'Old', tags: ['a', 'b'], gone: null, pages: 1 });
});

it('shows states of created and deleted records, and entries without states', async () => {
  await insertEntries(null, { title: 'Made' });
  await insertEntries({ title: 'Lost' }, null);
  await insertEntries(null, null);
  const text = await shown();
  expect(text).toMatch(/title : Lost .* title : Made/);
});

it('shortens long values to the part around the first difference', async () => {
  const old = `${'书'.repeat(40_000)}old${'é'.repeat(40_000)}`;
  const fresh = `${'书'.repeat(40_000)}new${'é'.repeat(40_000)}`;
  const list = Array.from({ length: 3000 }, (_, at) => `tag${at}`);
  await insertEntries({ summary: old, tags: list }, { summary: fresh, tags: [...list, 'last'] });
  await insertEntries(null, { summary: `begin${old}` });
  const { items } = await log.listShown({ id }, { start: 0, count: 9 });
  const [made, changed] = items as unknown as {
    before: unknown;
    after: { summary: string; tags: string };
  }[];
  expect(made?.before).toBeNull();
  expect(made?.after.summary).toBe(`begin${'书'.repeat(995)}…`);
  expect(changed?.before).toMatchObject({ summary: expect.stringMatching(/^…书+olde?é+…$/) });
  expect(changed?.after.summary).toMatch(/^…书+newé+…$/);
  expect(changed?.after.summary).toHaveLength(1002);
  expect(changed?.after.tags).toMatch(/^….*"tag2999", "last"\]$/);
});

it('reads and shows little of large states, on the pages of the log and of a record', async () => {
  const states = ['a', 'b'].map((letter) => ({ summary: letter + '"'.repeat(510_000) }));
  await harness.source.query(`INSERT INTO books (id, title) VALUES ($1, 'Large')`, [id]);
  await insertEntries(states[0] ?? null, states[1] ?? null, 50);
  const { items } = await log.listShown({ id }, { start: 0, count: 50 });
  expect(items).toHaveLength(50);
  expect(JSON.stringify(items).length).toBeLessThan(250_000);
  for (const path of [`/admin/log?id=${id}`, `/admin/catalogue/books/${id}`]) {
    const { status, text } = await administrator.open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text.length).toBeLessThan(800_000);
    expect(textOf(text)).toMatch(/a"{999}… b"{999}…/);
  }
});

it('bounds a page of many members', async () => {
  const state = (letter: string): object =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, letter.repeat(900)]));
  await insertEntries(state('a'), state('b'), 2);
  const { items } = await log.listShown({ id }, { start: 0, count: 9 });
  expect(JSON.stringify(items).length).toBeLessThan(2 * 2 * 200 * 130);
});

it('GET /admin/v1/audit reads no more states than a response can have, and those whole', async () => {
  const admin = await anAdministrator(harness);
  await insertEntries({ summary: 'x'.repeat(900_000) }, { summary: 'y'.repeat(900_000) }, 30);
  const { items } = await log.list({ id }, { start: 0, count: 100 });
  expect(JSON.stringify(items).length).toBeLessThan(3 * MAX_RESPONSE_BYTES);
  const { body } = await admin.get(`/audit?id=${id}&count=100`);
  expect([body.count, body.total]).toEqual([4, 30]);
  for (const { before, after } of body.entries) {
    expect(before.summary).toHaveLength(900_000);
    expect(after.summary).toHaveLength(900_000);
  }
});

it('exports whole values to a slow reader, and leaves no listeners', async () => {
  await insertEntries(null, { summary: 'é'.repeat(100_000) }, 60);
  const responses: ServerResponse[] = [];
  const server = harness.app.getHttpServer() as NodeJS.EventEmitter;
  const note = (_request: IncomingMessage, response: ServerResponse): void => {
    responses.push(response);
  };
  server.on('request', note);
  const headers = { cookie: `commonplace_login=${administrator.cookie}` };
  const request = get(`${harness.origin}/admin/log/export?id=${id}`, { headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  let most = 0;
  for await (const piece of answer.setEncoding('utf8')) {
    text += String(piece);
    most = Math.max(most, responses[0]?.listenerCount('close') ?? 0);
  }
  server.off('request', note);
  const lines = text.trim().split('\n');
  expect(lines).toHaveLength(60);
  const [line = ''] = lines;
  expect((JSON.parse(line) as { after: { summary: string } }).after.summary).toHaveLength(100_000);
  expect(responses).toHaveLength(1);
  expect(most).toBeLessThan(10);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type QueueRow } from '../../../src/moderation/queue-entry';
import { WordList } from '../../../src/moderation/word-list';
import { readManifest } from '../../../src/import-export/full/manifest';
import { FullExport } from '../../../src/import-export/full/full-export';
import { FullImport } from '../../../src/import-export/full/full-import';
import { Factories } from '../../factories/factories';
import { type TestResponse, type Harness } from '../../harness';
import { writer, type Writer } from '../books/writes';
import { ban } from '../moderation/words';
import { send } from '../notes/parts';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { anAdministrator, type Administrator } from './administrators';

const WORD = '云间';
const LONG = '很'.repeat(151);

let first: Harness;
let second: Harness;
let folder: string;
let authorId: number;
let readerId: number;
let author: Writer;
let reader: Writer;
let admin: Administrator;
let before: readonly unknown[];
/** Paths by what they lead to. */
const paths: Record<string, string> = {};
let bookId: number;

const QUEUED = ['collection', 'annotation', 'note'] as const;
const LISTS = ['collections', 'annotations', 'notes', 'replies', 'book', 'bookTags'] as const;
const GONE = ['film', 'person', 'event', 'city', 'removedBook'] as const;

/** Status and body of a response without members that depend on the time. */
const responseOf = ({ status, text }: TestResponse): string =>
  `${status} ${text.replace(/[?&](ck|e)=[^"&]*/g, '')}`;

/** All that the author, a reader and an administrator find. */
async function found(): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const name of [...QUEUED, ...LISTS, ...GONE]) {
    for (const by of [author, reader])
      all.push([name, responseOf(await by.get(String(paths[name])))]);
  }
  for (const state of ['open', 'released', 'rejected'])
    all.push(responseOf(await admin.get(`/moderation/queue?state=${state}`)));
  for (const list of ['reports', 'words?', 'books?state=deleted', 'subjects?state=deleted']) {
    all.push(responseOf(await admin.get(`/${list}`)));
  }
  return all;
}

const made = async (
  name: string,
  response: Promise<TestResponse>,
  path: string,
): Promise<string> => {
  const { status, body } = await response;
  expect([name, status]).toEqual([name, 201]);
  paths[name] = `${path}${body.id}`;
  return String(body.id);
};

async function write(): Promise<void> {
  const token = await first.token({ userId: authorId });
  const multipart = (path: string, parts: Record<string, string | Buffer>) =>
    send(first, token, 'POST', path, parts);
  const onBook = `/v2/book/${bookId}`;
  await author.post(`${onBook}/collection`, { status: 'read', rating: 5, tags: `${WORD} 小说` });
  paths.collection = `${onBook}/collection?user_id=${authorId}`;
  const annotation = { content: `${WORD}：<图片 n="1"> 就是这张，很好看`, page: '3' };
  const picture = await someJpeg();
  await made(
    'annotation',
    multipart(`${onBook}/annotations`, { ...annotation, '1': picture }),
    '/v2/book/annotation/',
  );
  await made(
    'review',
    author.post('/v2/book/reviews', { book: bookId, title: WORD, content: LONG }),
    '/v2/book/review/',
  );
  const note = { title: WORD, content: 'It rained.', pids: 'p_1', image_1: await someJpeg() };
  await made('note', multipart('/v2/notes', note), '/v2/note/');
  const open = await made(
    'open',
    author.post('/v2/notes', { title: 'A day', content: 'Dry.' }),
    '/v2/note/',
  );
  await author.post(`/v2/note/${open}/comments`, { content: WORD });
  await reader.post('/v2/report', { kind: 'note', id: open, reason: 'dull' });
  Object.assign(paths, {
    ...{ collections: `/v2/book/user/${authorId}/collections`, book: onBook },
    ...{ annotations: `${onBook}/annotations`, notes: `/v2/note/user_created/${authorId}` },
    ...{ replies: `/v2/note/${open}/comments`, bookTags: `${onBook}/tags` },
  });
}

async function remove(): Promise<void> {
  const things = [
    ['film', 'subjects', '/v2/movie/subject/', { title: 'Film' }],
    ['person', 'celebrities', '/v2/movie/celebrity/', { name: 'Person' }],
    ['city', 'locs', '/v2/loc/', { name: 'Sunk', uid: 'sunk' }],
    ['removedBook', 'books', '/v2/book/', { title: 'Withdrawn' }],
  ] as const;
  const times = { begin_time: '2030-01-01 10:00:00', end_time: '2030-01-02 10:00:00' };
  const ids = new Map<string, string>();
  for (const [name, kind, path, thing] of things) {
    ids.set(kind, await made(name, admin.post(`/${kind}`, thing), path));
  }
  const event = { title: 'Fair', ...times, loc_id: ids.get('locs'), owner_id: authorId };
  ids.set('events', await made('event', admin.post('/events', event), '/v2/event/'));
  await author.post(`/v2/book/${ids.get('books')}/collection`, { status: 'wish' });
  for (const [kind, id] of ids) expect((await admin.remove(`/${kind}/${id}`)).status).toBe(204);
}

beforeAll(async () => {
  first = await startWithPictures();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-restored-'));
  const make = new Factories(first.database);
  authorId = (await make.aUser()).id;
  readerId = (await make.aUser()).id;
  bookId = await make.aBook({ tags: [{ count: 3, name: '小说' }] });
  author = await writer(first, authorId);
  reader = await writer(first, readerId);
  admin = await anAdministrator(first);
  await ban(first, 'hold', WORD);
  await write();
  await remove();
  const { body } = await admin.get('/moderation/queue');
  const review = body.queue.find(({ kind }: QueueRow) => kind === 'review');
  expect((await admin.post(`/moderation/queue/${review.id}/reject`)).status).toBe(200);
  before = await found();

  const place = join(folder, 'whole');
  await first.app.get(FullExport, { strict: false }).write(place);
  // One at a time: Passport is one in a process.
  await first.close();
  second = await startWithPictures();
  const watch = { onError: fail, onProgress: () => Promise.resolve() };
  const imports = second.app.get(FullImport, { strict: false });
  await imports.run(place, await readManifest(place), [], watch);
  await second.app.get(WordList, { strict: false }).read();
  author = await writer(second, authorId);
  reader = await writer(second, readerId);
  admin = await anAdministrator(second);
});
afterAll(async () => {
  await second.close();
  await rm(folder, { recursive: true, force: true });
});

function fail(fault: unknown): never {
  throw new Error(JSON.stringify(fault));
}

describe('a service that was restored from a full export', () => {
  it('responds to users and administrators like the original', async () => {
    expect(await found()).toEqual(before);
  });

  it.each(QUEUED)('shows a queued %s to its author only', async (name) => {
    expect((await author.get(String(paths[name]))).status).toBe(200);
    for (const path of [paths[name], ...LISTS.map((list) => paths[list])]) {
      expect((await reader.get(String(path))).text).not.toContain(WORD);
    }
  });

  it('shows queued texts to moderators, and keeps rejected ones hidden', async () => {
    const kinds = async (state: string) =>
      (await admin.get(`/moderation/queue?state=${state}`)).body.queue.map(
        ({ kind }: QueueRow) => kind,
      );
    expect(await kinds('open')).toEqual(['collection', 'annotation', 'note', 'note_reply']);
    expect(await kinds('rejected')).toEqual(['review']);
  });

  it.each(['annotation', 'note'] as const)(
    'serves the pictures of a queued %s only at signed addresses',
    async (name) => {
      const { photos } = (await author.get(String(paths[name]))).body;
      const signed = String(photos['1']).replace('http://api.test', '');
      const bare = signed.replace(/\?.*$/, '');
      expect((await second.call(signed)).status).toBe(200);
      const refused = await second.call(bare);
      expect([refused.status, refused.body.code]).toEqual([403, 1010]);
    },
  );

  it.each(GONE)('does not show a deleted %s', async (name) => {
    const { status, body } = await reader.get(String(paths[name]));
    expect([status, [1001, 6000].includes(body.code)]).toEqual([404, true]);
  });

  it('accepts new content of every type', async () => {
    const post = async (path: string, fields: Record<string, string | number>) =>
      (await author.post(path, fields)).status;
    const other = (await admin.post('/books', { title: 'New' })).body.id;
    expect([
      await post(`/v2/book/${other}/collection`, { status: 'read', tags: WORD }),
      await post(`/v2/book/${other}/annotations`, {
        content: 'An annotation that is long enough.',
        page: 1,
      }),
      await post('/v2/book/reviews', { book: other, title: 'On it', content: LONG }),
      await post('/v2/notes', { title: 'New', content: WORD }),
      await post(`${String(paths.open)}/comments`, { content: 'New' }),
      await post('/v2/report', { kind: 'user', id: readerId, reason: 'new' }),
      (await admin.post('/subjects', { title: 'New' })).status,
      (await admin.post('/celebrities', { name: 'New' })).status,
      (await admin.post('/locs', { name: 'New' })).status,
      (await admin.post('/words', { words: ['newword'], action: 'hold' })).status,
    ]).toEqual(Array(10).fill(201));
    expect((await admin.get('/moderation/queue')).body.total).toBe(6);
    expect((await admin.get('/reports')).body.total).toBe(2);
  });
});

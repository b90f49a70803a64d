import { ReportsRepository } from '../../../src/moderation/reports.repository';
import { Factories } from '../../factories/factories';
import { reviewOf } from '../../db/import-export/movies-records';
import { Transfer } from '../../db/import-export/transfer';
import { startHarness, type Harness } from '../../harness';
import {
  anAdministrator,
  aWriter,
  changesOf,
  type Administrator,
  type Writer,
} from './administrators';

let harness: Harness;
let admin: Administrator;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const report = (kind: string, id: number, writer: Writer, reason = 'bad') =>
  writer.post('/v2/report', { kind, id: String(id), reason });
/** The latest open report of a kind. */
const lastReport = async (kind: string): Promise<string> =>
  (await admin.get(`/reports?kind=${kind}&count=100`)).body.reports.at(-1).id;
const resolve = (id: string, action: string) => admin.post(`/reports/${id}/resolve`, { action });
/** Releases the hidden text of an author. */
const release = async (author: Writer): Promise<void> => {
  const { queue } = (await admin.get('/moderation/queue?state=rejected&count=100')).body;
  const { id } = queue.find(({ user_id }: { user_id: string }) => user_id === String(author.id));
  expect((await admin.post(`/moderation/queue/${id}/release`)).body.state).toBe('released');
};

it('201: a user reports content, once until the report is decided', async () => {
  const { id } = await make.aUser();
  const writer = await aWriter(harness);
  const response = await report('user', id, writer);
  expect([response.status, response.body]).toEqual([201, {}]);
  expect((await report('user', id, writer, 'very bad')).status).toBe(201);
  await report('user', id, await aWriter(harness));
  const { body } = await admin.get('/reports?kind=user');
  expect(body.reports.map(({ reason }: { reason: string }) => reason)).toEqual(['very bad', 'bad']);
  const [first] = body.reports;
  const resolved = await admin.post(`/reports/${first.id}/resolve`, { action: 'dismiss' });
  expect(resolved.body).toMatchObject({ state: 'dismissed', decided_by: admin.uid });
  expect((await admin.get('/reports?kind=user')).body.total).toBe(0);
  expect((await admin.post(`/reports/${first.id}/resolve`, { action: 'hide' })).status).toBe(400);
});

it('a report that arrives while a decision is made stays open, because nobody has seen it', async () => {
  const { id } = await make.aUser();
  await report('user', id, await aWriter(harness), 'seen');
  const seen = await lastReport('user');
  const late = await aWriter(harness);
  const reports = harness.app.get(ReportsRepository, { strict: false });
  const lock = reports.lockOpen.bind(reports);
  jest.spyOn(reports, 'lockOpen').mockImplementationOnce(async (executor, row) => {
    const locked = await lock(executor, row);
    expect((await report('user', id, late, 'late')).status).toBe(201);
    return locked;
  });
  expect((await resolve(seen, 'dismiss')).body).toMatchObject({ id: seen, state: 'dismissed' });
  const { body } = await admin.get('/reports?kind=user');
  expect(body.reports).toMatchObject([{ reason: 'late', target_id: String(id) }]);
  await resolve(body.reports[0].id, 'dismiss');
});

/** Content that can be hidden: creates it, and returns its id and who sees it. */
const HIDEABLE: Record<
  string,
  (author: Writer) => Promise<{ id: number; seen: (by: Writer) => Promise<unknown> }>
> = {
  collection: async (author) => {
    const book = await make.aBook();
    const fields = { status: 'read', rating: '5', tags: 'rude', comment: 'rude' };
    const { id } = (await author.post(`/v2/book/${book}/collection`, fields)).body;
    const path = `/v2/book/user/${author.id}/collections`;
    return { id, seen: async (by) => (await by.get(path)).body.total === 1 };
  },
  annotation: async (author) => {
    const { id } = await make.anAnnotation({ author_id: author.id });
    const path = `/v2/book/annotation/${id}`;
    return { id, seen: async (by) => (await by.get(path)).status === 200 };
  },
  review: async (author) => {
    const book = await make.aBook();
    const text = { book: String(book), title: 'T', content: 'x'.repeat(200) };
    const { id } = (await author.post('/v2/book/reviews', text)).body;
    // Nothing reads reviews of books; only what others see can be reported, and changed by oneself.
    const mine = async (by: Writer) =>
      by.id === author.id || (await report('review', id, by)).status === 201;
    return { id, seen: mine };
  },
  note: async (author) => {
    const { id } = await make.aNote({ author_id: author.id });
    return { id, seen: async (by) => (await by.get(`/v2/note/${id}`)).status === 200 };
  },
  note_reply: async (author) => {
    const note = (await make.aNote()).id;
    const id = await make.aReply(note, { author_id: author.id });
    const path = `/v2/note/${note}/comments`;
    return { id, seen: async (by) => (await by.get(path)).body.total === 1 };
  },
};

it.each(Object.keys(HIDEABLE))(
  '200: a hidden %s is visible to its author only, until it is released',
  async (kind) => {
    const [author, reader] = [await aWriter(harness), await aWriter(harness)];
    const made = await HIDEABLE[kind]?.(author);
    if (!made) throw new Error('unreachable');
    const { id, seen } = made;
    expect([await seen(reader), await seen(author)]).toEqual([true, true]);
    expect((await report(kind, id, reader)).status).toBe(201);
    const first = await lastReport(kind);
    const { status, body } = await resolve(first, 'hide');
    expect([status, body.state]).toEqual([200, 'hidden']);
    expect([await seen(reader), await seen(author)]).toEqual([false, true]);
    // Of what others do not see, nobody says anything more.
    expect((await report(kind, id, reader)).body.code).toBe(1006);
    expect(await changesOf(admin, 'report', first)).toMatchObject([
      { action: 'report.hide', before: { state: 'open' }, after: { state: 'hidden' } },
    ]);
    await release(author);
    expect([await seen(reader), await seen(author)]).toEqual([true, true]);
  },
);

it.each([
  ['hide', 'hidden'],
  ['dismiss', 'dismissed'],
])('200: %s: the audit log has each decided report, and what was hidden', async (action, state) => {
  const { id } = await make.aNote();
  for (const reason of ['one', 'two', 'three']) {
    await report('note', id, await aWriter(harness), reason);
  }
  const { reports } = (await admin.get('/reports?kind=note&count=100')).body;
  const resolved = reports.filter(({ target_id }: never) => target_id === String(id));
  expect(resolved).toHaveLength(3);
  expect((await resolve(resolved[1].id, action)).status).toBe(200);
  for (const one of resolved) {
    expect(await changesOf(admin, 'report', one.id)).toMatchObject([
      {
        action: `report.${action}`,
        actor: admin.uid,
        before: { state: 'open', reason: one.reason },
        after: { state, reason: one.reason, decided_by: admin.uid },
      },
    ]);
  }
  const { entries } = (await admin.get('/audit?action=moderation.hide&count=1')).body;
  const [entry] = await harness.source.query(
    `SELECT id::text FROM moderation_queue WHERE kind = 'note' AND target_id = $1`,
    [id],
  );
  if (action === 'hide') {
    expect(entries[0]).toMatchObject({
      ...{ kind: 'moderation', target: entry.id, actor: admin.uid, before: null },
      after: { kind: 'note', target_id: id, state: 'rejected', decided_by: admin.uid },
    });
    expect(entries[0].request_id).toMatch(/./);
  } else {
    expect(entry).toBeUndefined();
  }
  expect((await resolve(resolved[0].id, action)).body.code).toBe(999);
  expect(await changesOf(admin, 'report', resolved[0].id)).toHaveLength(1);
});

it('200: counters of visible content change with hidden content', async () => {
  const [author, reader] = [await aWriter(harness), await aWriter(harness)];
  const book = await make.aBook();
  const fields = { status: 'read', tags: 'rude' };
  const { id } = (await author.post(`/v2/book/${book}/collection`, fields)).body;
  const note = (await make.aNote()).id;
  const reply = await make.aReply(note, { author_id: author.id });
  const counts = async () => [
    (await reader.get(`/v2/book/${book}/tags`)).body.total,
    (await reader.get(`/v2/note/${note}`)).body.comments_count,
  ];
  expect(await counts()).toEqual([1, 1]);
  for (const [kind, target] of [
    ['collection', id],
    ['note_reply', reply],
  ]) {
    await report(kind, target, reader);
    await resolve(await lastReport(kind), 'hide');
  }
  expect(await counts()).toEqual([0, 0]);
  await release(author);
  await release(author);
  expect(await counts()).toEqual([1, 1]);
});

it('400: content without an author cannot be hidden, and its report stays open', async () => {
  const reader = await aWriter(harness);
  const { id: user } = await make.aUser();
  await report('user', user, reader);
  const id = await lastReport('user');
  const refused = await resolve(id, 'hide');
  expect([refused.status, refused.body.code]).toEqual([400, 999]);
  expect(refused.headers.get('x-error-detail')).toBe(
    'a user cannot be hidden; supported types: collection, annotation, review, note, note_reply',
  );
  expect((await admin.get(`/reports/${id}`)).body.state).toBe('open');
  // Reports of content that was deleted meanwhile can be dismissed, not hidden.
  const { id: note } = await make.aNote();
  await report('note', note, reader);
  await harness.source.query('DELETE FROM notes WHERE id = $1', [note]);
  const gone = await lastReport('note');
  expect((await resolve(gone, 'hide')).status).toBe(400);
  expect((await resolve(gone, 'dismiss')).body.state).toBe('dismissed');
  for (const body of [{}, { action: 'burn' }, { action: ['hide'] }]) {
    expect((await admin.post(`/reports/${id}/resolve`, body)).status).toBe(400);
  }
});

it('400: a report does not reveal whether invisible content exists', async () => {
  const writer = await aWriter(harness);
  const { id } = await make.aCollection({ privacy: 'private', private: true });
  await harness.source.query('UPDATE collections SET private = true WHERE id = $1', [id]);
  for (const response of [
    await report('collection', id, writer),
    await report('collection', 4711, writer),
    await report('note', 4711, writer),
    await report('note_reply', 4711, writer),
    await report('movie_review', 4711, writer),
    await report('movie_comment', 4711, writer),
    await report('photo', 4711, writer),
    await report('event', 4711, writer),
    await report('annotation', 4711, writer),
    await report('review', 4711, writer),
  ]) {
    expect([response.status, response.body.code]).toEqual([400, 1006]);
  }
  const film = (await admin.post('/subjects', { title: 'Film' })).body.id;
  const transfer = new Transfer(harness.database);
  await transfer.take('movie-review', [reviewOf(film, 51)]);
  await transfer.take('movie-comment', [
    { id: '52', subject_id: film, author: { id: '1', uid: 'u1', name: 'n' }, content: 'c' },
  ]);
  const photo = (await admin.post('/photos', { subject_id: Number(film), image: '/p' })).body.id;
  const statuses = async () => [
    (await report('movie_review', 51, writer)).status,
    (await report('movie_comment', 52, writer)).status,
    (await report('photo', photo, writer)).status,
  ];
  expect(await statuses()).toEqual([201, 201, 201]);
  expect((await admin.remove(`/subjects/${film}`)).status).toBe(204);
  expect(await statuses()).toEqual([400, 400, 400]);
  expect((await report('movie_review', 51, writer)).body.code).toBe(1006);
  for (const id of ['0', '9'.repeat(30)]) {
    expect((await report('note', id as never, writer)).body.code).toBe(1006);
  }
  expect((await report('note', '-1' as never, writer)).body.code).toBe(999);
  expect((await report('planet', 1, writer)).body.code).toBe(999);
  expect((await admin.get('/reports/4711')).body.code).toBe(1001);
});

import { faultsOf, type Shape } from '../contract/shape';
import { unique, uniqueId } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { ADMIN, ROUTES } from './routes';
import { BLOCK, Stage, type Member } from './stage';

const word = unique();
const UNKNOWN = '999999999999';

const stage = new Stage();
const { service } = stage;
let member: Member;
let other: Member;
let book: string;
beforeAll(async () => {
  [member, other] = await stage.twoMembers();
  book = await stage.make('/books', { title: `Book ${word}` });
});
afterAll(() => stage.close());

const admin = (method: string, path: string, body?: object) => service.admin(method, path, body);
const CHANGE: Shape = {
  id: 'string',
  at: 'string',
  actor: 'string',
  actor_id: 'string',
  action: 'string',
  kind: 'string',
  target: 'string',
  request_id: 'string',
};
const WORD: Shape = {
  ...{ id: 'string', word: 'string', action: 'string', created: 'string', created_by: 'string' },
};

describe('applications, users and limits', () => {
  it('200, 202: administrators list, approve, block and limit applications', async () => {
    const { clientId } = await stage.application(member);
    const at = `/applications/${clientId}`;
    const list = await admin('GET', `/applications?q=${clientId}`);
    expect(list.body.applications).toMatchObject([{ client_id: clientId, owner: member.uid }]);
    const scopes = ['movie_advance_r'];
    for (const [verb, state] of [
      ['approve', 'approved'],
      ['suspend', 'suspended'],
      ['decline', 'declined'],
    ] as const) {
      const { status, body } = await admin('POST', `${at}/${verb}`, { scopes, reason: 'Because.' });
      expect([status, body.states.movie_advance_r]).toEqual([200, state]);
      expect(body.decisions[0]).toMatchObject({ reason: 'Because.', state });
    }
    expect((await admin('POST', `${at}/block`, BLOCK)).body.blocked).toBe(true);
    expect((await admin('POST', `${at}/unblock`, {})).body.blocked).toBe(false);
    const limited = await admin('PUT', `${at}/limit`, { per_hour: 7 });
    expect([limited.status, limited.body.limit_per_hour]).toEqual([202, 7]);
    const free = await admin('DELETE', `${at}/limit`);
    expect([free.status, free.body.limit_per_hour]).toEqual([202, null]);
    expect((await admin('GET', at)).body.scopes).not.toContain('movie_advance_r');
    expectError(await admin('POST', `${at}/approve`, { scopes: ['nonsense'] }), 400, 999);
    expectError(await admin('GET', '/applications/nobody'), 404, 1001);
  });

  it('200, 202: administrators list and block users, and assign roles', async () => {
    const shape: Shape = {
      ...{ id: 'string', uid: 'string', name: 'string', role: 'string' },
      ...{ blocked: 'boolean', created: 'string' },
    };
    const at = `/users/${other.id}`;
    const found = expectList(await admin('GET', `/users?q=${other.uid}`), 'users', shape);
    expect(found).toMatchObject([{ id: other.id, role: 'member', blocked: false }]);
    expect(expectShape(await admin('GET', at), 200, shape)).toEqual(found[0]);
    for (const role of ['administrator', 'member']) {
      const { status, body } = await admin('PUT', `${at}/role`, { role });
      expect([status, body.role]).toEqual([202, role]);
    }
    expect((await admin('POST', `${at}/block`, BLOCK)).body.blocked).toBe(true);
    expect((await admin('POST', `${at}/unblock`)).body.blocked).toBe(false);
    const log = await admin('GET', `/audit?kind=user&id=${other.id}`);
    const { entries } = log.body;
    for (const { before, after, ...entry } of entries) {
      expect(faultsOf(entry, CHANGE)).toEqual([]);
      expect([typeof before, typeof after]).toEqual(['object', 'object']);
    }
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'user.unblock',
      'user.block',
      'user.role',
      'user.role',
    ]);
    expectError(await admin('PUT', `${at}/role`, { role: 'king' }), 400, 999);
    expectError(await admin('GET', `/users/${UNKNOWN}`), 404, 1001);
    await service.until(async () => (await other.get('/v2/loc/list?count=1')).status === 200);
  });

  it('200, 202: administrators set and reset rate limits', async () => {
    const shape: Shape = { name: 'string', value: 'integer', from: 'string' };
    const at = '/limits/LIMIT_USER_L3';
    const all = expectList(await admin('GET', '/limits'), 'limits', shape);
    const before = expectShape(await admin('GET', at), 200, shape);
    expect(all).toContainEqual(before);
    const value = Number(before.value) + 1;
    const set = await admin('PUT', at, { value });
    expect([set.status, set.body]).toEqual([202, { ...before, value, from: 'database' }]);
    const reset = await admin('DELETE', at);
    expect([reset.status, reset.body.from]).toEqual([202, 'settings']);
    if (before.from === 'database') await admin('PUT', at, { value: before.value });
    expect((await admin('GET', at)).body).toEqual(before);
    expectError(await admin('PUT', at, { value: -1 }), 400, 999);
    expectError(await admin('PUT', at, {}), 400, 1002);
    expectError(await admin('GET', '/limits/NOTHING'), 404, 1001);
  });
});

describe('moderation', () => {
  const path = () => `/v2/book/${book}/collection`;
  const collect = (comment: string, by = member) =>
    by.send('PUT', path(), { status: 'read', comment });
  /** Adds a new word to the word list until the end of the file. @returns the word and its id */
  async function ban(action: string): Promise<[banned: string, id: string]> {
    const banned = unique();
    const added = await admin('POST', '/words', { words: [banned], action });
    expect([added.status, added.body]).toEqual([201, { added: 1, changed: 0, unchanged: 0 }]);
    const first = await admin('GET', `/words?action=${action}`);
    const words = expectList(first, 'words', WORD);
    for (let start = words.length; start < first.body.total; start = words.length) {
      const next = await admin('GET', `/words?action=${action}&start=${start}&count=100`);
      words.push(...expectList(next, 'words', WORD));
    }
    const { id } = words.find((one) => one.word === banned);
    stage.atEnd(() => admin('DELETE', `/words/${id}`));
    return [banned, id];
  }
  it('400: texts with a refused word are rejected (1004) until the word is deleted', async () => {
    await member.send('POST', path(), { status: 'read' });
    stage.atEnd(() => member.send('DELETE', path()));
    const [banned, id] = await ban('refuse');
    await service.until(async () => (await collect(`a ${banned}`)).status === 400);
    expectError(await collect(`a ${banned}`), 400, 1004);
    const note = { title: 't', content: banned };
    expectError(await member.send('POST', '/v2/notes', note), 400, 1004);
    expect((await collect(`a${banned}b`)).status).toBe(202);
    const changed = await admin('PUT', `/words/${id}`, { action: 'hold' });
    expect([changed.status, changed.body.changed]).toEqual([202, 1]);
    expect((await admin('DELETE', `/words/${id}`)).status).toBe(204);
    expectError(await admin('PUT', `/words/${id}`, { action: 'hold' }), 404, 1001);
    await service.until(async () => (await collect(`a ${banned}`)).status === 202);
  });

  it('200: texts in the review queue are visible to their author only until they are released', async () => {
    const [banned] = await ban('hold');
    const single = `${path()}?user_id=${member.uid}`;
    const seen = async (): Promise<number> => (await other.get(single)).status;
    await service.until(async () => (await collect(`a ${banned}`)) && (await seen()) === 404);
    expect((await member.get(single)).status).toBe(200);
    const queued = (await service.last('/moderation/queue', 'queue')).find(
      (one) => one.user_id === member.id,
    );
    expect(queued).toMatchObject({ kind: 'collection', user_id: member.id, words: [banned] });
    expect((await admin('GET', `/moderation/queue/${queued.id}`)).body).toEqual(queued);
    for (const [verb, state, status] of [
      ['reject', 'rejected', 404],
      ['release', 'released', 200],
    ] as const) {
      const { body } = await admin('POST', `/moderation/queue/${queued.id}/${verb}`);
      expect([body.state, await seen()]).toEqual([state, status]);
    }
    expectError(await admin('POST', `/moderation/queue/${queued.id}/release`), 400, 999);
    expectError(await admin('GET', `/moderation/queue/${UNKNOWN}`), 404, 1001);
  });

  it('201, 200: users report content, and administrators hide it (POST /v2/report)', async () => {
    await other.send('POST', path(), { status: 'read', comment: 'Rude.' });
    stage.atEnd(() => other.send('DELETE', path()));
    const { id } = (await other.get(path())).body;
    const report = (fields: Record<string, string | number>) =>
      member.send('POST', '/v2/report', { kind: 'collection', id, reason: word, ...fields });
    const reported = await report({});
    expect([reported.status, reported.body]).toEqual([201, {}]);
    const reports = await service.last('/reports?kind=collection', 'reports');
    const found = reports.find(({ reason }) => reason === word);
    expect(found).toMatchObject({ target_id: String(id), reporter: member.uid, reason: word });
    expect((await admin('GET', `/reports/${found.id}`)).body).toEqual(found);
    const resolved = await admin('POST', `/reports/${found.id}/resolve`, { action: 'hide' });
    expect([resolved.status, resolved.body.state]).toEqual([200, 'hidden']);
    expectError(await member.get(`${path()}?user_id=${other.uid}`), 404, 1001);
    expectError(await report({}), 400, 1006);
    expectError(await report({ kind: 'planet' }), 400, 999);
    expectError(await member.send('POST', '/v2/report', { kind: 'user' }), 400, 1002);
    expectError(await stage.nobody('POST', '/v2/report'), 403, 1000);
    expectError(await admin('POST', `/reports/${found.id}/resolve`, { action: 'hide' }), 400, 999);
  });
});

describe('jobs', () => {
  it('201, 200: an export job ends, and can be cancelled; a missing file is 999', async () => {
    const wish = { type: 'export', kind: 'loc', path: `${word}.ndjson` };
    const started = await admin('POST', '/jobs', wish);
    expect([started.status, started.body]).toEqual([201, expect.objectContaining(wish)]);
    const { id } = started.body;
    const state = async (): Promise<string> => (await admin('GET', `/jobs/${id}`)).body.state;
    await service.until(async () => (await state()) === 'done');
    expect((await admin('GET', '/jobs?state=done')).body.jobs).toContainEqual(
      expect.objectContaining({ id, error: '' }),
    );
    expect((await admin('GET', `/jobs/${id}/report`)).body.errors).toEqual([]);
    expect((await admin('POST', `/jobs/${id}/cancel`)).status).toBe(200);
    const missing = { type: 'import', path: `${word}-missing.ndjson` };
    for (const more of [missing, { kind: 'nonsense' }, { path: '../passwd' }, { type: 'dance' }]) {
      expectError(await admin('POST', '/jobs', { ...wish, ...more }), 400, 999);
    }
    expectError(await admin('GET', `/jobs/${UNKNOWN}`), 404, 1001);
  });
});

describe('every route of the administration API', () => {
  it('403: rejects members and anonymous callers (1000)', async () => {
    for (const [method, path] of ADMIN) {
      const address = path.replace(/:id\b/, String(uniqueId())).replace(/:\w+/, 'top250');
      expectError(await service.call(address, { method, token: member.token }), 403, 1000);
      expectError(await stage.nobody(method, address), 403, 1000);
    }
  });

  it('200: has no rate limits; unknown paths return 1001, and unknown methods 1014', async () => {
    const { headers } = await admin('GET', '/limits');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    expectError(await admin('GET', '/nothing'), 404, 1001);
    expectError(await admin('DELETE', '/users'), 400, 1014);
  });
});

itCallsAll(ROUTES.administration, service);

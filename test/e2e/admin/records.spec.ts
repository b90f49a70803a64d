import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aUserOf, changesOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const code = async (path: string, token?: string): Promise<number | undefined> =>
  (await harness.call(path, { token })).body.code;
const total = async (path: string, token?: string): Promise<number> =>
  (await harness.call(path, { token })).body.total;

let owner: number;
beforeAll(async () => {
  owner = (await aUserOf(harness, 'member')).id;
  await admin.post('/locs', { id: 4711, uid: 'teststadt', name: 'Teststadt' });
  await admin.post('/subjects', { id: 900, title: 'Owner of photos' });
});

/** A record of each kind, and an update of it. */
const KINDS: [path: string, kind: string, made: () => object, change: object][] = [
  ['books', 'book', () => ({ title: 'Made', author: ['A'] }), { publisher: 'P' }],
  ['subjects', 'movie', () => ({ title: 'Film', genres: ['drama'] }), { summary: 'S' }],
  ['celebrities', 'celebrity', () => ({ name: 'Person' }), { gender: '女' }],
  ['photos', 'photo', () => ({ subject_id: 900, image: '/p.jpg' }), { desc: 'D' }],
  [
    'events',
    'event',
    () => ({
      title: 'Fair',
      begin_time: '2030-01-01 10:00:00',
      end_time: '2030-01-02 10:00:00',
      loc_id: 4711,
      owner_id: owner,
    }),
    { address: 'Street 1' },
  ],
  ['locs', 'loc', () => ({ name: 'Dorf' }), { time_zone: 'Europe/Berlin' }],
];

describe.each(KINDS)('%s', (path, kind, made, change) => {
  it('201, 202, 204: are created, updated by member, soft-deleted and restored', async () => {
    const first = await admin.post(`/${path}`, made());
    expect([first.status, first.body]).toEqual([201, expect.objectContaining(responseTo(made()))]);
    const { id } = first.body;
    expect(id).toMatch(/^[1-9]\d*$/);
    const at = `/${path}/${id}`;
    const changed = await admin.put(at, change);
    expect([changed.status, changed.body]).toEqual([202, { ...first.body, ...change }]);
    expect((await admin.get(at)).body).toEqual(changed.body);

    const removed = await admin.remove(at);
    expect([removed.status, removed.text]).toEqual([204, '']);
    const gone = { ...changed.body, deleted: expect.stringMatching(/^\d{4}-\d\d-\d\d /) };
    const unknown = expect.objectContaining({ code: 1001 });
    expect((await admin.get(at)).body).toEqual(path === 'photos' ? unknown : gone);
    expect((await admin.remove(at)).body.code).toBe(1001);
    const actions = [`${kind}.remove`, `${kind}.update`, `${kind}.create`];
    if (path !== 'photos') {
      const state = await admin.get(`/${path}?state=deleted`);
      expect(state.body[path].map((one: { id: string }) => one.id)).toContain(id);
      expect((await admin.post(`/${path}`, { ...made(), id })).status).toBe(400);
      const back = await admin.put(at, {});
      expect([back.status, back.body]).toEqual([202, changed.body]);
      expect((await admin.get(at)).body).toEqual(changed.body);
      actions.unshift(`${kind}.update`);
    }
    const changes = await changesOf(admin, kind, id);
    expect(changes.map(({ action }) => action)).toEqual(actions);
    expect(changes.at(-1)).toMatchObject({ before: null, after: first.body });
  });

  it('400: rejects duplicates and invalid members; 404: unknown ids', async () => {
    const { id } = (await admin.post(`/${path}`, made())).body;
    const bad = { title: {}, name: {}, image: {} };
    for (const response of [
      await admin.post(`/${path}`, { ...made(), id }),
      await admin.post(`/${path}`, { ...made(), id: 'x' }),
      await admin.post(`/${path}`, { ...made(), ...bad }),
      await admin.put(`/${path}/${id}`, bad),
      await admin.put(`/${path}/${id}`, { id: '777777' }),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 999]);
      expect(response.headers.get('x-error-detail')).toBeTruthy();
    }
    for (const body of [undefined, {}, { ...made(), title: '', name: '', subject_id: undefined }]) {
      const response = await admin.post(`/${path}`, body);
      expect([response.status, response.body.code]).toEqual([400, 1002]);
    }
    expect((await admin.put(`/${path}/${id}`, { id })).status).toBe(202);
    const beyond = await admin.get(`/${path}/9007199254740993`);
    expect([beyond.status, beyond.body.code]).toEqual([404, 1001]);
    expect(beyond.headers.get('x-error-detail')).toContain('9007199254740993');
    expect((await admin.put(`/${path}/999999999`, change)).body.code).toBe(1001);
    expect((await admin.get(`/${path}?q=zzzzzzz`)).body.total).toBe(0);
  });
});

/** The expected response to an input: ids are text. */
const responseTo = (input: object): object =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'number' ? String(value) : value,
    ]),
  );

describe('a deleted book', () => {
  it('is not found, and reviews and collections of it remain and show it', async () => {
    const series = (await admin.post('/series', { title: 'Row' })).body.id;
    const id = await make.aBook({
      title: 'Vanishing volume',
      isbn13: '9787536692930',
      tags: [{ count: 3, name: 'vanishing' }],
      series: { id: series, title: 'Row' },
    });
    const { id: userId } = await make.aUser();
    const token = await harness.token({ userId });
    await harness.call(`/v2/book/${id}/collection`, {
      method: 'POST',
      token,
      body: new URLSearchParams({ status: 'read', rating: '4', tags: 'mine' }),
    });
    const found = async () => [
      await total('/v2/book/search?q=vanishing'),
      await total('/v2/book/search?tag=vanishing'),
      await total('/v2/book/search?tag=mine'),
      await total(`/v2/book/series/${series}/books`),
      await code(`/v2/book/${id}`),
      await code('/v2/book/isbn/9787536692930'),
    ];
    const before = (await harness.call(`/v2/book/${id}`)).body;
    expect(await found()).toEqual([1, 1, 1, 1, undefined, undefined]);
    await admin.remove(`/books/${id}`);
    expect(await found()).toEqual([0, 0, 0, 0, 6000, 6000]);
    const own = await harness.call(`/v2/book/user/${userId}/collections`);
    expect(own.body.collections[0].book.title).toBe('Vanishing volume');
    await admin.put(`/books/${id}`, {});
    expect(await found()).toEqual([1, 1, 1, 1, undefined, undefined]);
    expect((await harness.call(`/v2/book/${id}`)).body).toEqual(before);
  });

  it('204: can be removed from a collection, and has correct counters after it is restored', async () => {
    const id = await make.aBook({ rating: { numRaters: 2, average: '9.0' } });
    const path = `/v2/book/${id}/collection`;
    const rated = async () => (await harness.call(`/v2/book/${id}`)).body.rating;
    const first = await rated();
    const [token, other] = await Promise.all(
      [await make.aUser(), await make.aUser()].map((user) => harness.token({ userId: user.id })),
    );
    const write = (method: string, by = token) =>
      harness.call(path, {
        method,
        token: by,
        ...(method === 'DELETE'
          ? {}
          : { body: new URLSearchParams({ status: 'read', rating: '1', tags: 'mine' }) }),
      });
    expect((await write('POST')).status).toBe(201);
    expect(await rated()).not.toEqual(first);
    await admin.remove(`/books/${id}`);
    const codes = async (...calls: [string, string?][]) => {
      const responses = [];
      for (const [method, by] of calls) responses.push((await write(method, by)).body.code);
      return responses;
    };
    expect(await codes(['PUT'], ['POST'], ['DELETE', other])).toEqual([6000, 6000, 6000]);
    const gone = await write('DELETE');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await codes(['DELETE'])).toEqual([6000]);
    await admin.put(`/books/${id}`, {});
    expect(await rated()).toEqual(first);
    expect(await total(`/v2/book/${id}/tags`)).toBe(0);
    expect(await codes(['DELETE'])).toEqual([1001]);
  });
});

describe('a deleted film', () => {
  it('404: is not found, and not in the works of its people', async () => {
    const person = (await admin.post('/celebrities', { name: 'Somebody' })).body.id;
    const { id } = (
      await admin.post('/subjects', {
        title: 'Fleeting film',
        genres: ['fleeting'],
        directors: [{ id: person, name: 'Somebody' }],
      })
    ).body;
    const token = await harness.token({ scopes: ['movie_advance_r'] });
    const found = async () => [
      await total('/v2/movie/search?q=fleeting', token),
      await total('/v2/movie/search?tag=fleeting', token),
      await total(`/v2/movie/celebrity/${person}/works`, token),
      await code(`/v2/movie/subject/${id}`),
    ];
    expect(await found()).toEqual([1, 1, 1, undefined]);
    await admin.remove(`/subjects/${id}`);
    expect(await found()).toEqual([0, 0, 0, 1001]);
    await admin.put(`/subjects/${id}`, {});
    expect(await found()).toEqual([1, 1, 1, undefined]);
  });

  it('a deleted celebrity is a name without a page in films', async () => {
    const person = (await admin.post('/celebrities', { name: 'Passing' })).body.id;
    const directors = [{ id: person, name: 'Passing' }];
    const { id } = (await admin.post('/subjects', { title: 'Staying', directors })).body;
    const shown = async () => (await harness.call(`/v2/movie/subject/${id}`)).body.directors[0];
    expect((await shown()).id).toBe(person);
    await admin.remove(`/celebrities/${person}`);
    expect(await shown()).toMatchObject({ id: null, alt: null, name: 'Passing' });
    expect(await code(`/v2/movie/celebrity/${person}`)).toBe(1001);
  });
});

describe('a deleted event', () => {
  it('404: is in no list, and keeps its participants when it is restored', async () => {
    const event = KINDS[4]?.[2]() ?? {};
    const { id } = (await admin.post('/events', event)).body;
    const token = await harness.token({ userId: owner });
    const join = `/v2/event/${id}/participants`;
    await harness.call(join, { method: 'POST', token });
    const lists = async () => [
      await total(`/v2/event/user_created/${owner}`),
      await total(`/v2/event/user_participated/${owner}`),
      await code(`/v2/event/${id}`),
    ];
    const before = await lists();
    await admin.remove(`/events/${id}`);
    expect(await lists()).toEqual([Number(before[0]) - 1, Number(before[1]) - 1, 1001]);
    expect((await harness.call(join, { method: 'POST', token })).status).toBe(404);
    await admin.put(`/events/${id}`, {});
    expect(await lists()).toEqual(before);
    expect(await total(join)).toBe(1);
  });
});

describe('a deleted city', () => {
  it('404: is not in the list, and its events keep its name', async () => {
    const { id } = (await admin.post('/locs', { uid: 'sinking', name: 'Sinking' })).body;
    const event = { ...KINDS[4]?.[2](), loc_id: id };
    const { id: eventId } = (await admin.post('/events', event)).body;
    const before = await total('/v2/loc/list');
    await admin.remove(`/locs/${id}`);
    expect([await total('/v2/loc/list'), await code(`/v2/loc/${id}`)]).toEqual([before - 1, 1001]);
    expect(await code('/v2/event/list?loc=sinking')).toBe(1001);
    expect((await harness.call(`/v2/event/${eventId}`)).body.loc_name).toBe('Sinking');
  });
});

describe('series', () => {
  it('are created, renamed and deleted; their books remain', async () => {
    const made = await admin.post('/series', { title: 'Shelf' });
    expect([made.status, made.body]).toEqual([201, { id: made.body.id, title: 'Shelf', books: 0 }]);
    const { id } = made.body;
    const book = await make.aBook({ series: { id, title: 'Shelf' } });
    expect((await admin.put(`/series/${id}`, { title: 'Board' })).body).toEqual({
      id,
      title: 'Board',
      books: 1,
    });
    expect((await admin.get('/series?q=boar')).body.series).toHaveLength(1);
    expect((await admin.post('/series', { title: 'Again', id })).status).toBe(400);
    expect((await admin.remove(`/series/${id}`)).status).toBe(204);
    expect((await harness.call(`/v2/book/${book}`)).body.series).toBeUndefined();
    expect((await changesOf(admin, 'series', id))[0]).toMatchObject({
      action: 'series.remove',
      before: { title: 'Board', books: [String(book)] },
      after: null,
    });
    for (const response of [
      await admin.get(`/series/${id}`),
      await admin.put(`/series/${id}`, { title: 'x' }),
      await admin.remove(`/series/${id}`),
    ]) {
      expect(response.body.code).toBe(1001);
    }
  });
});

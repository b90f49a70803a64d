import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aUserOf, changesOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
let owner: number;
const UNKNOWN = 8_888_888;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  owner = (await aUserOf(harness, 'member')).id;
  await admin.post('/locs', { id: 4711, uid: 'teststadt', name: 'Teststadt' });
  await admin.post('/subjects', { id: 900, title: 'Film' });
  for (const id of [1, 2, 3]) await admin.post('/celebrities', { id, name: `Person ${id}` });
  await admin.post('/events', EVENT());
  await admin.post('/photos', { id: 70, subject_id: 900, image: '/p.jpg' });
});
afterAll(() => harness.close());

const EVENT = () => ({
  ...{ id: 50, title: 'Fair', begin_time: '2030-01-01 10:00:00', loc_id: 4711, owner_id: owner },
});

const counts = async (): Promise<unknown> =>
  harness.source.query(
    `SELECT (SELECT count(*) FROM cities) AS cities, (SELECT count(*) FROM users) AS users,
       (SELECT count(*) FROM subjects) AS subjects, (SELECT count(*) FROM celebrities) AS people`,
  );

describe('references to unknown ids', () => {
  it('400 and 1006: are reported by member, and create nothing', async () => {
    const person = [{ id: UNKNOWN, name: 'Nobody' }];
    const before = await counts();
    for (const [method, path, body, member] of [
      ['put', '/events/50', { loc_id: String(UNKNOWN) }, 'loc_id'],
      ['put', '/events/50', { owner_id: UNKNOWN }, 'owner_id'],
      ['put', '/events/50', { invited: [owner, UNKNOWN] }, 'invited'],
      ['post', '/events', { ...EVENT(), id: 51, loc_id: UNKNOWN }, 'loc_id'],
      ['post', '/photos', { subject_id: UNKNOWN, image: '/p.jpg' }, 'subject_id'],
      ['post', '/photos', { celebrity_id: UNKNOWN, image: '/p.jpg' }, 'celebrity_id'],
      ['put', '/photos/70', { author_id: String(UNKNOWN) }, 'author_id'],
      ['put', '/subjects/900', { casts: person }, 'casts'],
      ['put', '/subjects/900', { directors: [{ id: '1' }, ...person] }, 'directors'],
      ['post', '/subjects', { title: 'Other', writers: person }, 'writers'],
    ] as const) {
      const response = await admin[method](path, body);
      expect([path, response.status, response.body.code]).toEqual([path, 400, 1006]);
      const detail = response.headers.get('x-error-detail');
      expect([detail?.split(':')[0], detail?.includes(String(UNKNOWN))]).toEqual([member, true]);
    }
    expect(await counts()).toEqual(before);
  });

  it('202: may stay when the record has them already', async () => {
    await admin.post('/locs', { id: 4712, uid: 'gone', name: 'Gone' });
    await admin.post('/events', { ...EVENT(), id: 52, loc_id: 4712 });
    await admin.remove('/locs/4712');
    expect((await admin.put('/events/52', { loc_id: '4712', title: 'Stays' })).status).toBe(202);
    expect((await admin.put('/events/50', { loc_id: '4712' })).body.code).toBe(1006);
  });
});

describe('people of a film', () => {
  const shown = async () => {
    const { body } = await harness.call('/v2/movie/subject/900');
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    return [names(body.directors), names(body.casts)];
  };
  const [one, two, three] = [1, 2, 3].map((id) => ({ id: String(id), name: `Person ${id}` }));
  const nobody = { name: 'No page' };

  it('202: lists are replaced in their order, others stay, and the audit log has both states', async () => {
    const casts = [three, nobody, one];
    const first = await admin.put('/subjects/900', { casts, directors: [{ id: 2 }] });
    expect(first.body).toMatchObject({ casts, directors: [two], writers: [] });
    expect((await admin.get('/subjects/900')).body).toEqual(first.body);
    expect(await shown()).toEqual([['Person 2'], ['Person 3', 'No page', 'Person 1']]);

    const turned = await admin.put('/subjects/900', { casts: [one, three] });
    expect(turned.body).toEqual({ ...first.body, casts: [one, three] });
    expect(await shown()).toEqual([['Person 2'], ['Person 1', 'Person 3']]);
    await admin.put('/subjects/900', { directors: [] });
    expect(await shown()).toEqual([[], ['Person 1', 'Person 3']]);
    await admin.put('/subjects/900', { casts: [{ id: '3', name: 'Misnamed' }] });
    expect(await shown()).toEqual([[], ['Person 3']]);

    const changes = (await changesOf(admin, 'movie', 900)) as never as Record<string, object>[];
    expect(changes.slice(0, 4).map(({ before, after }) => [before, after])).toMatchObject([
      [{ casts: [one, three] }, { casts: [three] }],
      [{ directors: [two] }, { directors: [] }],
      [{ casts }, { casts: [one, three] }],
      [
        { casts: [], directors: [] },
        { casts, directors: [two] },
      ],
    ]);
  });

  it('202: a film is no longer found by people that were removed from it', async () => {
    const token = await harness.token();
    const found = async () =>
      (await harness.call('/v2/movie/search?q=no+page', { token })).body.total;
    await admin.put('/subjects/900', { writers: [nobody] });
    expect(await found()).toBe(1);
    await admin.put('/subjects/900', { writers: [] });
    expect(await found()).toBe(0);
  });

  it('400: people must be objects with an id or a name', async () => {
    for (const casts of ['x', [5], [{}], [{ id: 'x' }], [{ id: -1 }], [{ id: { toString: 1 } }]]) {
      expect((await admin.put('/subjects/900', { casts })).status).toBe(400);
    }
  });

  it('201, 400: a new film may include reviews of known users, which the audit log contains', async () => {
    const popular_comments = [{ id: 80, author_id: owner, content: 'C', rating: { value: 4 } }];
    const { status, body } = await admin.post('/subjects', { title: 'New', popular_comments });
    expect(status).toBe(201);
    const rows = await harness.source.query('SELECT id FROM movie_comments');
    expect(rows).toEqual([{ id: '80' }]);
    const [entry] = await changesOf(admin, 'movie', body.id);
    expect(entry?.after).toMatchObject({ popular_comments });
    const of = (author: object) =>
      admin.post('/subjects', { title: 'Newer', popular_comments: [{ id: 81, ...author }] });
    expect((await of({ author: { id: UNKNOWN, uid: 'x', name: 'X' } })).body.code).toBe(1006);
    expect((await of({})).status).toBe(400);
  });

  it('202: nested records with an id of their own are not changed', async () => {
    const before = (await changesOf(admin, 'movie', 900)).length;
    const inside = [{ id: 71, image: '/q.jpg', title: 'T', summary: 'S', author: { id: owner } }];
    await admin.put('/subjects/900', { photos: inside, popular_reviews: inside });
    await admin.put('/celebrities/1', { works: [{ id: 900, title: 'Renamed' }], photos: inside });
    await admin.put('/photos/70', { author: { id: UNKNOWN, uid: 'nobody', name: 'Nobody' } });
    await admin.put('/events/50', { owner: { id: owner, name: 'Other' }, loc_name: 'Elsewhere' });
    const rows = await harness.source.query(
      `SELECT (SELECT count(*)::int FROM photos WHERE id = 71) AS photos,
         (SELECT count(*)::int FROM movie_reviews) AS reviews,
         (SELECT count(*)::int FROM credits WHERE celebrity_id = 1) AS works,
         (SELECT count(*)::int FROM users WHERE id = ${UNKNOWN}) AS users`,
    );
    expect(rows).toEqual([{ photos: 0, reviews: 0, works: 0, users: 0 }]);
    expect((await changesOf(admin, 'movie', 900)).length).toBe(before);
  });
});

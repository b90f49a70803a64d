import { RECORDS } from '../contract/admin-endpoints';
import { type Shape } from '../contract/shape';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll, listOf } from './expectations';
import { ROUTES } from './routes';
import { Stage, type Member } from './stage';

const word = unique();
/** A day in the past, so that no page shows its charts. */
const DATE = '1950-01-02';
const UNKNOWN = '999999999999';

const stage = new Stage();
const { service } = stage;
let member: Member;
let film: string;
let city: string;
let book: string;
beforeAll(async () => {
  const person = await stage.person();
  member = await stage.member(person, await stage.approved(person, []));
  film = await stage.make('/subjects', { title: `Film ${word}` });
  city = await stage.make('/locs', { name: `City ${word}`, uid: word });
  book = await stage.make('/books', { title: `Book ${word}` });
});
afterAll(() => stage.close());

const admin = (method: string, path: string, body?: object) => service.admin(method, path, body);
/** Actions of the audit log for a record, latest first. */
const logged = async (kind: string, id: string): Promise<string[]> => {
  const path = `/audit?kind=${kind}&id=${encodeURIComponent(id)}`;
  return (await admin('GET', path)).body.entries.map(({ action }: { action: string }) => action);
};
const LISTED = { id: 'string', title: 'string', state: 'string', deleted: 'string' } as const;
const SERIES = { id: 'string', title: 'string', books: 'integer' } as const;

/** For each kind: a new record, an update, and the kind's name in the audit log. */
const EXAMPLES: Readonly<
  Record<string, readonly [create: () => object, update: object, kind: string]>
> = {
  books: [() => ({ title: `One ${word}` }), { publisher: 'P' }, 'book'],
  subjects: [() => ({ title: `One ${word}` }), { summary: 'S' }, 'movie'],
  celebrities: [() => ({ name: `One ${word}` }), { gender: '女' }, 'celebrity'],
  photos: [
    () => ({ subject_id: film, image: 'http://pictures.example/1.jpg', desc: `One ${word}` }),
    { album_title: 'A' },
    'photo',
  ],
  events: [
    () => ({
      title: `One ${word}`,
      begin_time: '2030-01-01 10:00:00',
      end_time: '2030-01-01 12:00:00',
      loc_id: city,
      owner_id: member.id,
    }),
    { address: 'Street 1' },
    'event',
  ],
  locs: [() => ({ name: `One ${word}` }), { habitable: 'no' }, 'loc'],
  series: [() => ({ title: `One ${word}` }), { title: `Two ${word}` }, 'series'],
};

describe('records of the catalogue', () => {
  it.each(RECORDS)(
    '200, 201, 202, 204, 404: %s are created, found, updated and deleted',
    async (name) => {
      const [make, update, kind] = EXAMPLES[name] ?? [() => ({}), {}, ''];
      const made = await admin('POST', `/${name}`, make());
      expect([made.status, made.body]).toEqual([201, expect.objectContaining(make())]);
      const { id } = made.body;
      const at = `/${name}/${id}`;
      const changed = await admin('PUT', at, update);
      expect([changed.status, changed.body]).toEqual([202, { ...made.body, ...update }]);
      expect((await admin('GET', at)).body).toEqual(changed.body);
      const shape = name === 'series' ? SERIES : LISTED;
      const found = await admin('GET', `/${name}?q=${word}&count=100`);
      const body = expectShape(found, 200, listOf(name, shape), ['deleted']);
      expect(body[name].map((one: { id: string }) => one.id)).toContain(id);
      expectError(await admin('POST', `/${name}`, { ...make(), id }), 400, 999);
      const gone = await admin('DELETE', at);
      expect([gone.status, gone.text]).toEqual([204, '']);
      if (['photos', 'series'].includes(name)) expectError(await admin('GET', at), 404, 1001);
      else
        expect((await admin('GET', at)).body).toMatchObject({
          id,
          deleted: expect.stringMatching(/^\d/),
        });
      expectError(await admin('DELETE', at), 404, 1001);
      expectError(await admin('PUT', `/${name}/${UNKNOWN}`, update), 404, 1001);
      expect(await logged(kind, id)).toEqual([
        `${kind}.remove`,
        `${kind}.update`,
        `${kind}.create`,
      ]);
    },
  );

  it('202: an update restores a deleted book unchanged', async () => {
    const path = `/v2/book/${book}`;
    const before = (await member.get(path)).body;
    expect((await admin('DELETE', `/books/${book}`)).status).toBe(204);
    expectError(await member.get(path), 404, 6000);
    expect((await admin('PUT', `/books/${book}`, {})).status).toBe(202);
    expect((await member.get(path)).body).toEqual(before);
  });
});

describe('merges', () => {
  it.each(['books', 'subjects'])('200: %s are previewed and merged', async (name) => {
    const [other, survivor] = [
      (await admin('POST', `/${name}`, { title: `Merged ${word}` })).body.id as string,
      (await admin('POST', `/${name}`, { title: `Kept ${word}` })).body.id as string,
    ];
    const preview = await admin('GET', `/${name}/${other}/merge?into=${survivor}`);
    expect(preview.body).toMatchObject({ survivor: { id: survivor }, other: { id: other } });
    const merged = await admin('POST', `/${name}/${other}/merge`, { into: survivor });
    expect([merged.status, merged.body.id]).toEqual([200, survivor]);
    expectError(await admin('POST', `/${name}/${other}/merge`, { into: survivor }), 404, 1001);
  });
});

describe('charts and showings', () => {
  it('202, 200, 204: charts of a day are written, read, computed and deleted', async () => {
    const entries = [{ rank: 1, subject_id: film, box: 10, new: true }];
    const wish = { date: DATE, city: word, entries };
    const written = await admin('PUT', '/charts/in_theaters', wish);
    expect([written.status, written.body]).toEqual([
      202,
      expect.objectContaining({ name: 'in_theaters', date: DATE }),
    ]);
    const charts = await service.last('/charts?name=in_theaters', 'charts');
    const mine = charts.filter((one) => one.city_id === city);
    expect(mine).toMatchObject([{ date: DATE, city: `City ${word}`, entries: 1, computed: false }]);
    const at = `/charts/${mine[0].id}`;
    expect((await admin('GET', at)).body.entries).toMatchObject([{ rank: 1, subject_id: film }]);
    const computed = await admin('POST', '/charts/in_theaters/compute', { date: DATE, city: word });
    expect([computed.status, computed.body.entries]).toEqual([200, 0]);
    expect((await admin('DELETE', at)).status).toBe(204);
    expectError(await admin('GET', at), 404, 1001);
    for (const [name, body, code] of [
      ['nonsense', wish, 999],
      ['in_theaters', { ...wish, date: '2024-02-30' }, 999],
      ['in_theaters', { ...wish, date: undefined }, 1002],
      ['in_theaters', { ...wish, city: `no${word}` }, 1006],
      ['in_theaters', { ...wish, entries: [{ rank: 1, subject_id: UNKNOWN }] }, 1006],
    ] as const) {
      expectError(await admin('PUT', `/charts/${name}`, body), 400, code);
    }
  });

  it('201, 200, 204: showings of a film in a city are created, listed and deleted', async () => {
    const made = await admin('POST', '/showings', { subject_id: film, city: word, from: DATE });
    const shape = {
      ...{ id: 'string', subject_id: 'string', title: 'string', city_id: 'string' },
      ...{ city: 'string', from: 'string', until: 'string' },
    } as Shape;
    const { id } = expectShape(made, 201, shape);
    const all = expectList(await admin('GET', `/showings?city=${word}`), 'showings', shape);
    expect(all).toEqual([made.body]);
    expect((await admin('DELETE', `/showings/${id}`)).status).toBe(204);
    expectError(await admin('DELETE', `/showings/${id}`), 404, 1001);
    const wish = { subject_id: film, city: `no${word}`, from: DATE };
    expectError(await admin('POST', '/showings', wish), 400, 1006);
  });
});

itCallsAll(ROUTES.catalogue, service);

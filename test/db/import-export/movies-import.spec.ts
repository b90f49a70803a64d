import { openTestDatabase, type TestDatabase } from '../../harness';
import {
  MOVIE_KINDS,
  person,
  photo,
  reviewOf,
  simpleSubject,
  WHOLE,
  WORKS,
} from './movies-records';
import { summary, Transfer, type Wire } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;

beforeEach(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});

afterEach(() => opened.close());

const one = async (kind: string, id: string): Promise<Wire | undefined> =>
  (await transfer.records(kind)).find((record) => record.id === id);
const listed = (role: string): Promise<unknown[]> =>
  transfer.query(
    `SELECT coalesce(celebrity_id::text, name) AS who, position FROM credits
     WHERE subject_id = 7 AND role = $1 ORDER BY position`,
    [role],
  );
const pretty = (records: unknown): string => JSON.stringify(records, null, 2);

describe('a complete subject', () => {
  it('creates its people, photos, reviews and comments once', async () => {
    expect(await transfer.take('movie', [WHOLE])).toEqual(summary({ imported: 1 }));
    expect(await one('movie', '7')).toMatchObject({
      original_title: 'Wandering',
      rating: { max: 10, average: 7.9, stars: 40, min: 0 },
      service_site: 'http://x/site',
      has_schedule: true,
      do_count: null,
      tags: ['科幻', '太空'],
      comments_count: 1000,
    });
    expect(await listed('actor')).toEqual([
      { who: '2', position: 0 },
      { who: '无名', position: 1 },
      { who: '3', position: 2 },
    ]);
    expect(await one('celebrity', '3')).toMatchObject({
      name: '李',
      name_en: '李 en',
      placeholder: true,
    });
    expect(await one('photo', '72')).toMatchObject({
      subject_id: '7',
      sort_order: 1,
      placeholder: true,
    });
    const review = await one('movie-review', '91');
    expect(review?.summary).toBe(`${'x'.repeat(99)}…`);
    expect(
      await transfer.query('SELECT reviews_count, comments_count FROM subjects WHERE id = 7'),
    ).toEqual([{ reviews_count: 2, comments_count: 1 }]);
    const before = await Promise.all(MOVIE_KINDS.map((kind) => transfer.export(kind)));
    expect(await transfer.take('movie', [WHOLE])).toEqual(summary({ skipped: 1 }));
    expect(await Promise.all(MOVIE_KINDS.map((kind) => transfer.export(kind)))).toEqual(before);
  });

  it('is found by titles, people and genres', async () => {
    await transfer.take('movie', [WHOLE]);
    const [text] = await transfer.query<{ title: string; body: string; popularity: number }>(
      'SELECT title, body, popularity FROM subject_search WHERE subject_id = 7',
    );
    expect(text).toMatchObject({ title: '流浪', popularity: 50 });
    for (const word of ['wandering', 'earth', '屈 en', '无名']) {
      expect(text?.body).toContain(`\n${word}\n`);
    }
    await transfer.take('celebrity', [{ id: 2, name: '改名' }]);
    const [after] = await transfer.query<{ body: string }>('SELECT body FROM subject_search');
    expect(after?.body).toContain('\n改名\n');
    expect(await transfer.query('SELECT name FROM subject_tags ORDER BY position')).toEqual([
      { name: '科幻' },
      { name: '太空' },
      { name: '冒险' },
    ]);
  });

  it('keeps members that a later record omits, and orders people that it omits after the others', async () => {
    await transfer.take('movie', [WHOLE]);
    const later = { id: 7, summary: 'new', casts: [person(4, '吴')] };
    expect(await transfer.take('movie', [later])).toEqual(summary({ updated: 1 }));
    expect(await one('movie', '7')).toMatchObject({ summary: 'new', title: '流浪', year: '2019' });
    expect(await listed('actor')).toEqual([
      { who: '4', position: 0 },
      { who: '2', position: 1 },
      { who: '无名', position: 2 },
      { who: '3', position: 3 },
    ]);
    expect(await listed('writer')).toEqual([{ who: '1', position: 0 }]);
  });
});

describe('a nested record', () => {
  it('creates a placeholder, which its own record completes and nested records do not change', async () => {
    await transfer.import('credit', pretty(WORKS));
    expect(await one('movie', '8')).toMatchObject({ title: '第二', placeholder: true });
    await transfer.take('movie', [{ id: 8, title: 'Own', year: '2001' }]);
    await transfer.import('credit', pretty(WORKS));
    const own = await one('movie', '8');
    expect(own).toMatchObject({ title: 'Own', year: '2001', original_title: '第二 o' });
    expect(own).not.toHaveProperty('placeholder');
  });

  it('adds members that the stored record lacks', async () => {
    await transfer.take('movie-review', [reviewOf(8, 1)]);
    expect(await one('movie', '8')).toBeUndefined();
    await transfer.take('movie-review', [reviewOf(8, 2, { subject: simpleSubject(8, '第二') })]);
    expect(await one('movie', '8')).toMatchObject({ title: '第二', placeholder: true });
  });
});

it('reads works from a celebrity that follows them, with their positions', async () => {
  const { summary: how, faults } = await transfer.import('credit', pretty(WORKS));
  expect([how, faults]).toEqual([summary({ imported: 2 }), []]);
  expect(await transfer.records('credit')).toEqual([
    {
      subject_id: '7',
      celebrity_id: '2',
      roles: ['演员', '制片人'],
      positions: [0, null],
      work_sort_order: 20,
    },
    {
      subject_id: '8',
      celebrity_id: '2',
      roles: ['导演'],
      positions: [null],
      work_sort_order: 21,
    },
  ]);
  expect((await transfer.import('credit', pretty(WORKS))).summary).toEqual(summary({ skipped: 2 }));
});

it('shows no role in works that the cast alone implies (D119)', async () => {
  const film = { ...simpleSubject(7, '纪录片'), casts: [person(2, '屈')] };
  const works = { celebrity: person(2, '屈'), works: [{ roles: ['自己'], subject: film }] };
  const wire = { start: 0, count: 1, total: 1, ...works };
  const { summary: how } = await transfer.import('credit', JSON.stringify(wire));
  expect(how).toEqual(summary({ imported: 1 }));
  const [credit, ...others] = await transfer.records('credit');
  expect(credit).toMatchObject({ roles: ['自己', '演员'], implied: ['演员'] });
  expect([others, await listed('actor')]).toEqual([[], [{ who: '2', position: 0 }]]);
  // Neither another import of the film nor of an export states the role.
  await transfer.take('movie', [film]);
  expect(await transfer.take('credit', [credit])).toEqual(summary({ skipped: 1 }));
  await transfer.take('credit', [{ ...credit, roles: ['自己', '演员'], implied: [] }]);
  expect((await transfer.records('credit'))[0]).not.toHaveProperty('implied');
});

it('replaces featured works, with or without roles', async () => {
  const works = [{ roles: ['编剧'], subject: simpleSubject(8, 'a') }, simpleSubject(9, 'b')];
  await transfer.take('celebrity', [{ ...person(2, '屈'), works }]);
  await transfer.take('celebrity', [{ id: 2, works: [simpleSubject(8, 'a')] }]);
  expect(await transfer.records('credit')).toEqual([
    {
      subject_id: '8',
      celebrity_id: '2',
      roles: ['编剧'],
      positions: [null],
      featured_sort_order: 0,
    },
    { subject_id: '9', celebrity_id: '2', roles: ['演员'], positions: [null] },
  ]);
});

it('a featured work of a merged film stays featured', async () => {
  const record = { ...person(2, '屈'), works: [simpleSubject(8, 'a')] };
  await transfer.take('movie', [simpleSubject(9, 'b')]);
  await transfer.take('celebrity', [record]);
  await transfer.query(`INSERT INTO merged_records (kind, id, survivor_id) VALUES ('movie', 8, 9)`);
  await transfer.query('UPDATE credits SET subject_id = 9');
  await transfer.take('celebrity', [record]);
  expect(await transfer.records('credit')).toMatchObject([
    { subject_id: '9', featured_sort_order: 0 },
  ]);
});

it('orders photos by time, unless the file has positions', async () => {
  const at = (id: number, day: number, more: Wire = {}): Wire =>
    photo(id, { subject_id: '7', created_at: `2016-12-0${day} 00:00:00`, ...more });
  await transfer.take('photo', [at(1, 1), at(2, 3), at(3, 2, { position: 6, prev_photo: '99' })]);
  await transfer.take('photo', [photo(4, { subject_id: '7', sort_order: 0 })]);
  expect(
    await transfer.query(
      `SELECT id::int, position, prev_id::int, next_id::int, photos_count, position_base
       FROM photos ORDER BY position`,
    ),
  ).toEqual(
    [
      [2, 0, null, 3, null],
      [3, 1, 2, 1, 6],
      [1, 2, 3, 4, null],
      [4, 3, 1, null, null],
    ].map(([id, position, prev_id, next_id, position_base]) => ({
      id,
      position,
      prev_id,
      next_id,
      photos_count: 4,
      position_base,
    })),
  );
});

it('assigns the photos of a list to the celebrity beside it', async () => {
  const photos = [photo(5, { subject_id: '2', position: 52 })];
  await transfer.import('photo', pretty({ photos, total: 187, celebrity: person(2, '屈') }));
  expect(await one('photo', '5')).toMatchObject({ celebrity_id: '2', position: 52 });
  expect(await one('celebrity', '2')).toMatchObject({ name: '屈', placeholder: true });
});

it.each([
  ['movie', {}, 'id is missing'],
  ['movie', { id: 1 }, 'title is missing'],
  ['movie', { id: 1, title: 't', subtype: 'book' }, 'subtype must be movie or tv'],
  ['movie', { id: 1, title: 't', casts: 3 }, 'casts must be a list, not a number'],
  ['movie', { id: 1, title: 't', rating: { average: 11 } }, 'rating.average must be from 0 to 10'],
  ['celebrity', { id: 1 }, 'name is missing'],
  ['credit', { subject_id: 1, celebrity_id: 2 }, 'roles is missing'],
  ['photo', { id: 1 }, 'subject_id is missing'],
  ['movie-review', { id: 1, subject_id: 1, author_id: 1 }, 'title is missing'],
  ['movie-review', { id: 1, subject_id: 1, title: 't' }, 'author is missing'],
  ['movie-comment', { id: 1, author_id: 1 }, 'subject_id is missing'],
  ['showing', { subject_id: 1, city_id: 2, from: '2024-02-30' }, 'from must be a day'],
  ['chart', { subjects: [] }, 'the name of the chart is missing'],
])('reports why a %s is invalid: %j', async (kind, record, reason) => {
  const { summary: how, faults } = await transfer.import(kind, [record]);
  expect(how).toEqual(summary({ failed: 1 }));
  expect(faults[0]?.reason).toContain(reason);
});

const roles = (count: number): string[] => Array.from({ length: count }, (_, at) => `role ${at}`);

it.each<[string, (count: number) => object]>([
  ['credit', (count) => ({ subject_id: 1, celebrity_id: 2, roles: roles(count) })],
  [
    'celebrity',
    (count) => ({
      id: 2,
      name: 'n',
      works: [{ subject: { id: 1, title: 't' }, roles: roles(count) }],
    }),
  ],
])('stores at most 500 roles of a person in a subject, from a %s', async (kind, record) => {
  const { summary: how, faults } = await transfer.import(kind, [record(501)]);
  expect([how, faults.map(({ reason }) => reason)]).toEqual([
    summary({ failed: 1 }),
    ['roles must have at most 500 elements, not 501'],
  ]);
  expect((await transfer.import(kind, [record(500)])).summary).toEqual(summary({ imported: 1 }));
  const [credit] = await transfer.records('credit');
  expect(credit?.roles).toEqual(roles(500));
});

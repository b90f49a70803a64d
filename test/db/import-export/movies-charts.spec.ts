import { MOVIE_KINDS, simpleSubject, reviewOf, WHOLE, WORKS } from './movies-records';
import { transfersOfTest } from './open-transfer';
import { summary, type Wire } from './transfer';

const open = transfersOfTest();

const CITY = { id: '108288', uid: 'beijing', name: '北京', parent: 'china', habitable: 'yes' };
const page = (start: number, ids: readonly number[], total: number): Wire => ({
  start,
  count: ids.length,
  total,
  title: 'x',
  subjects: ids.map((id) => simpleSubject(id, `s${id}`)),
});

it('import merges the pages of a chart, and takes each film once', async () => {
  const transfer = await open();
  const top = transfer.charts({ name: 'top250', date: '2024-05-01' });
  expect(await transfer.take(top, [page(0, [1, 2], 4)])).toEqual(summary({ imported: 1 }));
  expect(await transfer.take(top, [page(2, [3, 4], 4)])).toEqual(summary({ updated: 1 }));
  expect(await transfer.take(top, [page(0, [1, 2], 4)])).toEqual(summary({ skipped: 1 }));
  expect(await transfer.records('chart')).toEqual([
    {
      name: 'top250',
      date: '2024-05-01',
      entries: [1, 2, 3, 4].map((rank) => ({ rank, subject_id: String(rank) })),
    },
  ]);
  expect(await transfer.records('movie')).toHaveLength(4);
});

it('import replaces the chart when its first page differs', async () => {
  const transfer = await open();
  const top = transfer.charts({ name: 'top250', date: '2024-05-01' });
  await transfer.take(top, [page(0, [1, 2], 4), page(2, [3, 4], 4)]);
  expect(await transfer.take(top, [page(0, [1, 3], 4)])).toEqual(summary({ updated: 1 }));
  const [chart] = await transfer.records('chart');
  expect(chart?.entries).toEqual([
    { rank: 1, subject_id: '1' },
    { rank: 2, subject_id: '3' },
  ]);
});

it('import rejects a box office with an invalid date', async () => {
  const transfer = await open();
  const box = transfer.charts({ name: 'us_box', date: '2024-05-01' });
  const { summary: done } = await transfer.import(box, [{ date: 'May', subjects: [] }]);
  expect(done).toEqual(summary({ failed: 1 }));
});

it('import reads the box office with its dates, and the weekly chart with its changes', async () => {
  const transfer = await open();
  const subject = simpleSubject(1, 'a');
  const box = { rank: 1, box: 36000000, new: true, subject };
  const date = '5月19日 - 5月21日';
  await transfer.take(transfer.charts({ name: 'us_box', date: '2017-06-03' }), [
    { date, title: 'x', subjects: [box] },
  ]);
  await transfer.take(transfer.charts({ name: 'weekly', date: '2019-02-14' }), [
    { title: 'x', subjects: [{ rank: 1, delta: -3, subject }] },
  ]);
  expect(await transfer.records('chart')).toEqual([
    {
      name: 'us_box',
      date: '2017-06-03',
      period: date,
      entries: [{ rank: 1, subject_id: '1', box: 36000000, new: true }],
    },
    {
      name: 'weekly',
      date: '2019-02-14',
      entries: [{ rank: 1, subject_id: '1', delta: -3 }],
    },
  ]);
});

it('import finds the city by id, name or title, and rejects an unknown one', async () => {
  const transfer = await open();
  await transfer.take('loc', [CITY, { ...CITY, id: '108296', uid: 'shanghai', name: '上海' }]);
  const options = { name: 'in_theaters', date: '2019-02-14' };
  const titled = { ...page(0, [1], 1), title: '正在上映的电影-上海' };
  await transfer.take(transfer.charts(options), [titled]);
  await transfer.take(transfer.charts({ ...options, city: '108288' }), [titled]);
  expect((await transfer.records('chart')).map(({ city }) => city)).toEqual(['北京', '上海']);
  const { faults } = await transfer.import(transfer.charts({ ...options, city: '火星' }), [titled]);
  expect(faults[0]?.reason).toContain('city not found: 火星');
});

it('export and import transfer all types, including placeholders and positions', async () => {
  const first = await open();
  await first.take('loc', [CITY]);
  await first.take('movie', [WHOLE, simpleSubject(11, 'series', { subtype: 'tv' })]);
  await first.import('credit', JSON.stringify(WORKS, null, 2));
  await first.take('movie-review', [reviewOf(7, 1)]);
  await first.take('showing', [
    { subject_id: '7', city_id: '108288', from: '2024-01-01', until: '2024-02-01' },
    { subject_id: '12', city: { id: '5', name: 'New' }, from: '2024-01-01' },
  ]);
  const chart = first.charts({ name: 'in_theaters', date: '2019-02-14', city: '北京' });
  await first.take(chart, [page(0, [7, 11], 2)]);
  const second = await open();
  for (const kind of MOVIE_KINDS) {
    const text = await first.export(kind);
    const { summary: how, faults } = await second.import(kind, text);
    expect([kind, how.failed, how.updated, faults]).toEqual([kind, 0, 0, []]);
    expect(await second.export(kind)).toBe(text);
    const { summary: again } = await second.import(kind, text);
    expect([kind, again.imported + again.updated]).toEqual([kind, 0]);
  }
  for (const kind of MOVIE_KINDS) {
    expect(await second.export(kind)).toBe(await first.export(kind));
  }
});

import { Charts, DAY, rated, type Row } from './charts';

let charts: Charts;
beforeEach(async () => {
  charts = await Charts.open();
});
afterEach(() => charts.close());

describe('a snapshot', () => {
  it('replaces an imported or computed one of the same day, and no other', async () => {
    await charts.films(rated(1, 8, 100), rated(2, 9, 100));
    await charts.insert(
      'chart_snapshots',
      { id: 50, name: 'top250', date: DAY, period: 'p' },
      { id: 51, name: 'top250', date: '2026-02-28' },
    );
    await charts.insert(
      'chart_entries',
      { snapshot_id: 50, rank: 1, subject_id: 1 },
      { snapshot_id: 51, rank: 1, subject_id: 1 },
    );
    await charts.compute('top250');
    expect(await charts.listed('top250')).toEqual([2, 1]);
    await charts.query('UPDATE subjects SET ratings_count = 0 WHERE id = 2');
    await charts.compute('top250');
    expect(await charts.listed('top250')).toEqual([1]);
    expect(await charts.listed('top250', '2026-02-28')).toEqual([1]);
    const kept = await charts.query<Row>(
      'SELECT id::int, period, computed FROM chart_snapshots ORDER BY id',
    );
    expect(kept).toEqual([
      { id: 50, period: '', computed: true },
      { id: 51, period: '', computed: false },
    ]);
  });

  it('is complete and exists once after concurrent computations', async () => {
    await charts.films(rated(1, 8, 100), rated(2, 9, 100));
    await charts.insert(
      'cities',
      { id: 1, uid: 'beijing', name: '北京' },
      { id: 2, uid: 'shanghai', name: '上海' },
    );
    for (const city_id of [2, 1]) {
      await charts.insert('showings', { subject_id: 1, city_id, from_date: DAY });
    }
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, n) => charts.compute(n % 2 ? 'top250' : 'in_theaters')),
    );
    expect(done.map(({ entries }) => entries)).toEqual(Array(8).fill(2));
    expect(await charts.snapshots('top250')).toBe(1);
    expect(await charts.snapshots('in_theaters')).toBe(2);
    expect(await charts.listed('top250')).toEqual([2, 1]);
    expect(await charts.listed('in_theaters', DAY, 1)).toEqual([1]);
    expect(await charts.listed('in_theaters', DAY, 2)).toEqual([1]);
  });

  it('is for today by the clock of the service when no day is given', async () => {
    const { date } = await charts.service.compute({ name: 'top250' });
    expect(await charts.listed('top250', date)).toEqual([]);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('returns an error and stores nothing for', () => {
  it.each([
    ['the box office', { name: 'us_box' }, 'us_box cannot be computed'],
    [
      'a chart that is none',
      { name: 'top100' },
      'chart not found: top100; available charts: top250',
    ],
    ['a day that is none', { name: 'top250', date: '2026-02-29' }, 'invalid date: 2026-02-29'],
    ['a month that is none', { name: 'top250', date: '2026-13-01' }, 'invalid date: 2026-13-01'],
    ['the year 0', { name: 'top250', date: '0000-01-01' }, 'invalid date: 0000-01-01'],
    ['no day at all', { name: 'top250', date: 'now' }, 'invalid date: now'],
    ['an empty day', { name: 'top250', date: '' }, 'invalid date'],
    ['an unknown city', { name: 'in_theaters', city: 'nowhere' }, 'city not found: nowhere'],
    [
      'a city of a chart without',
      { name: 'weekly', city: '北京' },
      'only the chart in_theaters accepts a city',
    ],
  ])('%s', async (_what, request, message) => {
    await expect(charts.service.compute(request)).rejects.toThrow(message);
    expect(await charts.query('SELECT 1 FROM chart_snapshots')).toEqual([]);
  });
});

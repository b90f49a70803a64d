import { Charts, DAY, rated, type Row } from './charts';

let charts: Charts;
beforeEach(async () => {
  charts = await Charts.open();
});
afterEach(() => charts.close());

describe('top250', () => {
  it('weights the average with the number of ratings', async () => {
    // The mean is 8.6: 8.8, 8.51, 8.4545 and 8.6619.
    await charts.films(rated(1, 9, 1000), rated(2, 8.5, 9000), rated(3, 7, 100), rated(4, 9.9, 50));
    expect(await charts.compute('top250')).toEqual({
      name: 'top250',
      date: DAY,
      snapshots: 1,
      entries: 4,
    });
    expect(await charts.listed('top250')).toEqual([1, 4, 2, 3]);
  });

  it('orders ties by number of ratings, then by id', async () => {
    // All are at the mean, so that none is moved.
    await charts.films(rated(4, 8.1, 70), rated(1, 8.1, 30), rated(3, 8.1, 70), rated(2, 8.1, 999));
    await charts.compute('top250');
    expect(await charts.listed('top250')).toEqual([2, 3, 4, 1]);
  });

  it('excludes series, films with few ratings, and films without a title', async () => {
    await charts.films(
      rated(1, 9, 500, { subtype: 'tv' }),
      rated(2, 9, 9),
      rated(3, 9, 500, { title: '' }),
      rated(4, 0, 500),
      rated(5, 5, 10),
    );
    await charts.compute('top250');
    expect(await charts.listed('top250')).toEqual([5]);
  });

  it('has at most 250 films', async () => {
    await charts.query(
      `INSERT INTO subjects (id, title, rating_average, ratings_count)
       SELECT n, 'Film', 8, 1000 - n FROM generate_series(1, 260) n`,
    );
    expect(await charts.compute('top250')).toMatchObject({ entries: 250 });
    const expected = Array.from({ length: 250 }, (_, at) => at + 1);
    expect(await charts.listed('top250')).toEqual(expected);
  });

  it('is an empty snapshot when there are no ratings', async () => {
    expect(await charts.compute('top250')).toMatchObject({ snapshots: 1, entries: 0 });
    expect(await charts.snapshots('top250')).toBe(1);
  });
});

describe('new_movies', () => {
  it('has the films of the last sixty days, including the day itself, across months', async () => {
    const on = (id: number, mainland_pubdate: string, rating = 8): Row =>
      rated(id, rating, 100, { mainland_pubdate });
    await charts.films(
      on(1, '2023-12-31'),
      on(2, '2024-01-01'),
      on(3, '2024-02-29', 8.5),
      on(4, '2024-03-01'),
      on(5, '2024-02'),
      on(6, '2024'),
      on(7, 'soon'),
      on(8, '2024-01-31'),
    );
    await charts.compute('new_movies', { date: '2024-02-29' });
    expect(await charts.listed('new_movies', '2024-02-29')).toEqual([3, 2, 8]);
  });

  it('weights ratings against those of all films, not only of new ones', async () => {
    // The mean is 6: 6.2727 and 6.5.
    await charts.films(
      rated(1, 9, 100, { mainland_pubdate: DAY }),
      rated(2, 7, 1000, { mainland_pubdate: DAY }),
      rated(3, 2, 1000),
    );
    await charts.compute('new_movies');
    expect(await charts.listed('new_movies')).toEqual([2, 1]);
  });

  it('has at most twenty films', async () => {
    await charts.query(
      `INSERT INTO subjects (title, rating_average, ratings_count, mainland_pubdate)
       SELECT 'Film', 8, 100, $1 FROM generate_series(1, 30)`,
      [DAY],
    );
    expect(await charts.compute('new_movies')).toMatchObject({ entries: 20 });
  });
});

describe('coming_soon', () => {
  it('has films released after the day, by date and id; a month or year counts as its last day', async () => {
    const on = (id: number, mainland_pubdate: string, more: Row = {}): Row => ({
      id,
      mainland_pubdate,
      ...more,
    });
    await charts.films(
      on(1, '2026-03-01'),
      on(9, '2026-03-02'),
      on(2, '2026-03-02'),
      on(3, '2026-03'),
      on(4, '2026'),
      on(5, '2026-04-01'),
      on(6, '2026-02'),
      on(7, '2025'),
      on(8, '2026-03-31'),
      on(10, '2026-05-01', { subtype: 'tv' }),
      on(11, '2026-05-01', { title: '' }),
      on(12, ''),
      on(13, '2027 maybe'),
    );
    await charts.compute('coming_soon');
    expect(await charts.listed('coming_soon')).toEqual([2, 9, 8, 3, 5, 4]);
  });
});

describe('in_theaters', () => {
  beforeEach(async () => {
    await charts.insert(
      'cities',
      { id: 1, uid: 'beijing', name: '北京' },
      { id: 2, uid: 'shanghai', name: '上海' },
      { id: 3, uid: 'guangzhou', name: '广州' },
    );
    await charts.films(
      { id: 1, collect_count: 5, wish_count: 5 },
      { id: 2, collect_count: 11 },
      { id: 3, wish_count: 10 },
      { id: 4, collect_count: 99, title: '' },
    );
  });
  const showing = (subject_id: number, city_id: number, from_date: string, until_date?: string) =>
    charts.insert('showings', { subject_id, city_id, from_date, until_date: until_date ?? null });

  it('has films that run on the day, including the first and the last, by popularity and id', async () => {
    await showing(1, 1, '2026-02-01', DAY);
    await showing(2, 1, DAY, '2026-03-09');
    await showing(3, 1, '2026-01-01');
    await showing(4, 1, '2026-01-01');
    // A film that runs twice is listed once.
    await showing(3, 1, '2026-02-20', '2026-03-20');
    await charts.compute('in_theaters', { city: '北京' });
    expect(await charts.listed('in_theaters', DAY, 1)).toEqual([2, 1, 3]);
    await charts.compute('in_theaters', { city: '1', date: '2026-03-02' });
    expect(await charts.listed('in_theaters', '2026-03-02', 1)).toEqual([2, 3]);
    await charts.compute('in_theaters', { city: 'beijing', date: '2026-02-28' });
    expect(await charts.listed('in_theaters', '2026-02-28', 1)).toEqual([1, 3]);
  });

  it('without a city computes a chart for each city that has or had showings', async () => {
    await showing(1, 1, '2026-02-01');
    await showing(1, 2, '2025-01-01', '2025-02-01');
    expect(await charts.compute('in_theaters')).toMatchObject({ snapshots: 2, entries: 1 });
    expect(await charts.listed('in_theaters', DAY, 1)).toEqual([1]);
    expect(await charts.listed('in_theaters', DAY, 2)).toEqual([]);
  });

  it('of one city leaves charts of other cities unchanged', async () => {
    await showing(1, 1, '2026-02-01');
    await showing(2, 2, '2026-02-01');
    await charts.compute('in_theaters');
    await charts.query('DELETE FROM showings');
    expect(await charts.compute('in_theaters', { city: '上海' })).toMatchObject({
      snapshots: 1,
      entries: 0,
    });
    expect(await charts.listed('in_theaters', DAY, 1)).toEqual([1]);
    expect(await charts.listed('in_theaters', DAY, 2)).toEqual([]);
  });
});

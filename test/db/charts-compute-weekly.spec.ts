import { Charts, DAY } from './charts';

let charts: Charts;
beforeEach(async () => {
  charts = await Charts.open();
});
afterEach(() => charts.close());

describe('weekly', () => {
  let next = 1;
  beforeEach(async () => {
    next = 1;
    await charts.query(
      `INSERT INTO users (id, uid, name) SELECT n, 'u' || n, 'U' FROM generate_series(1, 9) n`,
    );
  });
  const review = (subject_id: number, user_id: number, rating: number | null, time: string) =>
    charts.insert('movie_reviews', {
      id: next++,
      subject_id,
      user_id,
      title: 'T',
      rating,
      created_at: `${time}+08`,
    });
  const comment = (subject_id: number, user_id: number, rating: number | null, time: string) =>
    charts.insert('movie_comments', {
      id: next++,
      subject_id,
      user_id,
      rating,
      created_at: `${time}+08`,
    });
  const WITHIN = '2026-02-26 12:00:00';
  const deltas = async (day: string): Promise<number[][]> => {
    const rows = await charts.query<{ id: number; delta: number }>(
      `SELECT subject_id::int AS id, delta FROM chart_entries e
       JOIN chart_snapshots s ON s.id = e.snapshot_id WHERE s.name = 'weekly' AND s.date = $1::date
       ORDER BY rank`,
      [day],
    );
    return rows.map(({ id, delta }) => [id, delta]);
  };

  it('ranks by a mean of the ratings of the week that is weighted with all ratings', async () => {
    await charts.films({ id: 1 }, { id: 2, subtype: 'tv' }, { id: 3 });
    // 3 of 5, 6 of 4.5, 3 of 2: the mean is 4. Scores: 35/8, 47/11, 26/8.
    for (const user of [1, 2, 3]) {
      await comment(1, user, 5, WITHIN);
      await comment(2, user, 4, WITHIN);
      await review(2, user + 3, 5, WITHIN);
      await comment(3, user, 2, WITHIN);
    }
    await charts.compute('weekly');
    expect(await charts.listed('weekly')).toEqual([1, 2, 3]);
    // Three fives more, and the mean is 4.2, both scores 4.5: more people go first.
    for (const user of [7, 8, 9]) await review(2, user, 5, WITHIN);
    await charts.compute('weekly');
    expect(await charts.listed('weekly')).toEqual([2, 1, 3]);
  });

  it('includes seven days up to the day of the chart, in the time zone of the service', async () => {
    await charts.films({ id: 1 }, { id: 2 });
    await comment(1, 1, 5, '2026-02-23 00:00:00');
    await comment(1, 2, 5, '2026-03-01 23:59:59');
    await comment(1, 3, 5, WITHIN);
    await comment(2, 1, 5, '2026-02-22 23:59:59');
    await comment(2, 2, 5, '2026-03-02 00:00:00');
    await comment(2, 3, 5, WITHIN);
    await comment(2, 4, 5, WITHIN);
    await charts.compute('weekly');
    expect(await charts.listed('weekly')).toEqual([1]);
  });

  it('counts each user once, with the latest rating, and ignores comments without one', async () => {
    await charts.films({ id: 1 }, { id: 2 });
    await comment(1, 1, 1, '2026-02-25 00:00:00');
    await review(1, 1, 5, '2026-02-26 00:00:00');
    await comment(1, 2, 5, WITHIN);
    await comment(1, 3, 5, WITHIN);
    for (const user of [1, 2]) await comment(2, user, 5, WITHIN);
    await comment(2, 1, 4, '2026-02-27 00:00:00');
    await comment(2, 3, null, WITHIN);
    await charts.compute('weekly');
    expect(await charts.listed('weekly')).toEqual([1]);
  });

  it('computes each change of rank; new entries come from the rank after the last', async () => {
    await charts.films({ id: 1 }, { id: 2 }, { id: 3 });
    for (const user of [1, 2, 3]) {
      await comment(1, user, 5, '2026-02-20 12:00:00');
      await comment(2, user, 3, '2026-02-20 12:00:00');
      await comment(1, user, 1, WITHIN);
      await comment(2, user, 5, WITHIN);
      await comment(3, user, 3, WITHIN);
    }
    await charts.compute('weekly', { date: '2026-02-22' });
    expect(await deltas('2026-02-22')).toEqual([
      [1, 2],
      [2, 1],
    ]);
    await charts.compute('weekly');
    expect(await deltas(DAY)).toEqual([
      [2, 1],
      [3, 2],
      [1, -2],
    ]);
    // A repeated computation compares with the previous week, never with itself.
    await charts.compute('weekly');
    expect(await deltas(DAY)).toEqual([
      [2, 1],
      [3, 2],
      [1, -2],
    ]);
  });

  it('has at most ten films, with ties in order of raters and then id', async () => {
    await charts.query(
      `INSERT INTO subjects (id, title) SELECT n, 'Film' FROM generate_series(1, 12) n`,
    );
    for (let subject = 12; subject >= 1; subject -= 1) {
      for (const user of subject === 12 ? [1, 2, 3, 4] : [1, 2, 3]) {
        await comment(subject, user, 4, WITHIN);
      }
    }
    await charts.compute('weekly');
    expect(await charts.listed('weekly')).toEqual([12, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

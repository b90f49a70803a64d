import { DAY_TYPES, type Days } from '../../src/events/day-types';
import { checkEventCounts } from '../../src/events/event-counts';
import { listStatement } from '../../src/events/event-lists.repository';
import { randomNumbers } from '../../src/import-export/synthetic/synthetic';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';
import { nodesOf, type ExplainRow, type PlanNode } from './query-plans';
import { vacuumAll } from './vacuum-all';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

const ZONES = ['Asia/Shanghai', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Europe/London'];
const EVENTS = 400;
const HOUR = 3_600_000;
const START = Date.parse('2026-07-20T00:00:00Z');

const random = randomNumbers(11);
const below = (limit: number): number => Math.floor(random() * limit);
const wire = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Ids of the events of some days, by begin time, from the definition of the list. */
async function expectedIds(
  now: Date,
  days: Days,
  viewer: number | null,
  city: number | null,
): Promise<number[]> {
  const rows = await opened.source.query<{ id: string }[]>(
    `SELECT e.id FROM events e JOIN cities c ON c.id = e.city_id,
       LATERAL (SELECT date_trunc($2, $1::timestamptz AT TIME ZONE c.time_zone) AS day) d,
       LATERAL (SELECT (d.day + make_interval(days => $3)) AT TIME ZONE c.time_zone AS from_at,
         (d.day + make_interval(days => $4)) AT TIME ZONE c.time_zone AS to_at) z
     WHERE e.ends_at > $1 AND e.begins_at < z.to_at
       AND (e.ends_at > z.from_at OR e.begins_at >= z.from_at) AND e.deleted_at IS NULL
       AND (NOT e.private OR e.owner_id = $5) AND ($6::bigint IS NULL OR e.city_id = $6)
     ORDER BY e.begins_at, e.id`,
    [now.toISOString(), days.unit, days.from, days.to, viewer, city],
  );
  return rows.map(({ id }) => Number(id));
}

it('lists of some days in all cities and in one have every event that overlaps them, by begin time', async () => {
  const make = new Factories(opened.database);
  const owner = (await make.aUser()).id;
  const cities: number[] = [];
  for (const time_zone of ZONES) {
    const city = await make.aCity({ time_zone });
    cities.push(city.id);
    await make.events(owner, city.id, EVENTS / ZONES.length, () => {
      const begin = START + (below(21 * 24) - 7 * 24) * HOUR;
      const hours = [0, 1, 3, 30, 24 * 14][below(5)] ?? 0;
      return {
        begin_time: wire(begin),
        end_time: wire(begin + hours * HOUR),
        is_priv: below(4) === 0 ? 'yes' : 'no',
      };
    });
  }
  await opened.source.query('UPDATE events SET deleted_at = now() WHERE id % 7 = 0');
  for (let round = 0; round < 40; round += 1) {
    const now = new Date(START + below(7 * 24) * HOUR);
    const viewer = round % 2 === 0 ? owner : undefined;
    const city = round % 3 === 0 ? cities[below(cities.length)] : undefined;
    for (const days of Object.values(DAY_TYPES)) {
      if (!days) continue;
      const expected = await expectedIds(now, days, viewer ?? null, city ?? null);
      const filter = { now, days, ...(city !== undefined && { city }) };
      const { statement, values } = listStatement(filter, viewer, { start: 5, count: 60 });
      const rows = await opened.database.query<{ id: string | number; total: number }>(
        statement,
        values,
      );
      expect(rows[0]?.total).toBe(expected.length);
      const listed = rows.filter(({ id }) => id !== null).map(({ id }) => Number(id));
      expect(listed).toEqual(expected.slice(5, 65));
    }
  }
});

it('lists of all days have every event that is not over, by begin time, and the exact total', async () => {
  const cities = await opened.source.query<{ id: string }[]>('SELECT id FROM cities ORDER BY id');
  const users = await opened.source.query<{ id: string }[]>('SELECT id FROM users ORDER BY id');
  await opened.source.query('UPDATE events SET private = NOT private WHERE id % 11 = 0');
  await opened.source.query(
    `UPDATE events SET ends_at = ends_at + interval '90 days', city_id = $1 WHERE id % 13 = 0`,
    [cities[0]?.id],
  );
  await opened.source.query('DELETE FROM events WHERE id % 17 = 0');
  expect(await checkEventCounts(opened.database, { repair: false })).toEqual([]);
  for (let round = 0; round < 60; round += 1) {
    const now = new Date(START + (below(60 * 24) - 10 * 24) * HOUR);
    const city = round % 3 === 0 ? undefined : Number(cities[round % cities.length]?.id);
    const type = round % 5 === 0 ? 0 : undefined;
    const viewer = round % 2 === 0 ? Number(users[0]?.id) : undefined;
    const expected = await opened.source.query<{ id: string }[]>(
      `SELECT id FROM events WHERE ends_at > $1 AND deleted_at IS NULL
         AND (NOT private OR owner_id = $2) AND ($3::bigint IS NULL OR city_id = $3)
         AND ($4::int IS NULL OR type = $4) ORDER BY begins_at, id`,
      [now.toISOString(), viewer ?? null, city ?? null, type ?? null],
    );
    const filter = {
      now,
      ...(city !== undefined && { city }),
      ...(type !== undefined && { type }),
    };
    const page = { start: below(8), count: 30 };
    const { statement, values } = listStatement(filter, viewer, page);
    const rows = await opened.database.query<{ id: string; total: number; hit: boolean }>(
      statement,
      values,
    );
    const found = rows.filter(({ hit }) => hit).map(({ id }) => String(id));
    const ids = expected.map(({ id }) => id).slice(page.start, page.start + page.count);
    expect([rows[0]?.total, found]).toEqual([expected.length, ids]);
  }
});

/** The scans of a plan: the index or table, and the type of the scan. */
const scansOf = (plan: PlanNode): string[] =>
  nodesOf(plan).map(
    (node) => `${node['Index Name'] ?? node['Relation Name'] ?? ''}: ${node['Node Type']}`,
  );

it('the total of a list of all days and the events that have begun come from indexes alone', async () => {
  await vacuumAll(opened.source, ['events', 'event_counts']);
  const filter = { now: new Date(START), type: 0 };
  const { statement, values } = listStatement(filter, undefined, { start: 0, count: 20 });
  const plan = await opened.source.transaction(async (manager) => {
    // Small tables may cost least to read as a whole.
    await manager.query('SET LOCAL enable_seqscan = off');
    const [row] = await manager.query<ExplainRow[]>(
      `EXPLAIN (FORMAT JSON) ${statement.text}`,
      values,
    );
    return (row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan;
  });
  const scans = scansOf(plan).filter((scan) =>
    /event_counts|events_by_span|events_by_end/.test(scan),
  );
  expect(scans.sort()).toEqual([
    'event_counts_pkey: Index Only Scan',
    'event_counts_pkey: Index Only Scan',
    'events_by_end: Index Only Scan',
    'events_by_span: Index Only Scan',
  ]);
});

it('lists of a city find events at the second of their begin and end, also far in the future and with a large city id', async () => {
  const make = new Factories(opened.database);
  const owner = (await make.aUser()).id;
  const city = await make.aCity({ id: 9_007_199_254_740_990, time_zone: 'Asia/Shanghai' });
  const other = await make.aCity({ id: 9_007_199_254_740_988, time_zone: 'Asia/Shanghai' });
  const [begin, end] = ['9998-12-30T16:00:00Z', '9998-12-31T16:00:00Z'].map(
    (time) => new Date(time),
  ) as [Date, Date];
  for (const { id } of [city, other]) {
    await make.events(owner, id, 1, () => ({
      begin_time: '9998-12-31 00:00:00',
      end_time: '9999-01-01 00:00:00',
    }));
  }
  const today = DAY_TYPES.today as Days;
  const totals = async (now: Date): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const days of [undefined, today]) {
      const filter = { now, city: city.id, ...(days && { days }) };
      const { statement, values } = listStatement(filter, undefined, { start: 0, count: 20 });
      const rows = await opened.database.query<{ total: number; hit: boolean }>(statement, values);
      found.push([rows[0]?.total, rows.filter(({ hit }) => hit).length]);
    }
    return found;
  };
  const one = [1, 1];
  const none = [0, 0];
  expect(await totals(new Date(begin.getTime() - 1000))).toEqual([one, none]);
  expect(await totals(begin)).toEqual([one, one]);
  expect(await totals(new Date(end.getTime() - 1000))).toEqual([one, one]);
  expect(await totals(end)).toEqual([none, none]);
});

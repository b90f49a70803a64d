import { checkListCounts } from '../../src/database/list-counts';
import { migrateDown, migrateUp } from '../../src/database/migrate';
import { EventListsRepository } from '../../src/events/event-lists.repository';
import { checkParticipationCounts } from '../../src/events/participation-counts';
import { participationsOfUser, type EventStatus } from '../../src/events/participation-lists.sql';
import { ParticipationsRepository } from '../../src/events/participations.repository';
import { checkParticipations } from '../../src/import-export/events/event.recount';
import { Factories } from '../factories/factories';
import { queuedBehind } from '../e2e/oauth/lock-row';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';
import { vacuumAll } from './vacuum-all';

let opened: TestDatabase;
const below = (limit: number): number => randomInteger() % limit;
const DAY = 86_400_000;
/** A multiple of the periods of `participation_counts`. */
const START = 64 * 320 * DAY;
const time = (days: number): string => new Date(START + days * DAY).toISOString();
const wire = (days: number): string => time(days).slice(0, 19).replace('T', ' ');

const KINDS = ['participate', 'wish'] as const;
const STATUSES: readonly EventStatus[] = [undefined, 'ongoing', 'expired'];

let users: number[];
let events: number[];

/** Begin and end in days: short and long ones, also at the limits of periods. */
const spanOf = (): [begin: number, end: number] => {
  const begin = below(400) - 200;
  return [begin, begin + ([0, 1, 0.25, 9, 64, 130][below(6)] as number)];
};

beforeAll(async () => {
  opened = await openTestDatabase();
  const make = new Factories(opened.database);
  users = [];
  for (let n = 0; n < 5; n += 1) users.push((await make.aUser()).id);
  const { id: city } = await make.aCity({ time_zone: 'UTC' });
  events = [];
  for (const owner of users.slice(0, 2)) {
    const made = await make.events(owner, city, 60, (at) => {
      const [begin, end] = spanOf();
      const is_priv = at % 3 === 0 ? 'yes' : 'no';
      return { begin_time: wire(begin), end_time: wire(end), is_priv };
    });
    events.push(...made);
  }
  await opened.source.query(
    `INSERT INTO event_invitations (event_id, user_id)
     SELECT e.id, u.id FROM events e, unnest($1::bigint[]) AS u(id) WHERE (e.id + u.id) % 3 = 0`,
    [users.slice(2)],
  );
  // Statements of the test delete participations without these counters.
  await opened.source.query('UPDATE events SET participants = 1000, wishers = 1000');
});
afterAll(() => opened.close());

const anEvent = (): number => events[below(events.length)] as number;
const aUser = (): number => users[below(users.length)] as number;

/** Changes of events, in one statement each, and of several rows. */
const CHANGES = [
  () => {
    const [begin, end] = spanOf();
    return `UPDATE events SET begins_at = '${time(begin)}', ends_at = '${time(end)}' WHERE id = ${anEvent()}`;
  },
  () => `UPDATE events SET private = NOT private WHERE id = ${anEvent()}`,
  () =>
    `UPDATE events SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE id = ${anEvent()}`,
  () => `UPDATE events SET title = title || '.' WHERE id = ${anEvent()}`,
  () => `INSERT INTO participations (event_id, user_id, kind)
    SELECT ${anEvent()}, u.id, 'wish' FROM unnest('{${users.join()}}'::bigint[]) AS u(id)
    ON CONFLICT DO NOTHING`,
  () => {
    const event = anEvent();
    return `UPDATE participations a SET event_id = ${event} WHERE id % 50 = ${below(50)}
      AND NOT EXISTS (SELECT FROM participations o
        WHERE o.event_id = ${event} AND o.user_id = a.user_id AND o.kind = a.kind)`;
  },
  () => `DELETE FROM participations WHERE event_id = ${anEvent()} AND user_id = ${aUser()}`,
];

/**
 * Awaits a write. Statements of a test in random order can wait for each other's rows, and two of
 * them can move participations to the same event.
 */
async function settle(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!['40P01', '23505'].includes(String((error as { code?: string }).code))) throw error;
  });
}

const expectNoDrift = async (): Promise<void> => {
  const check = { repair: false };
  expect(await checkParticipations(opened.database, check)).toEqual([]);
  expect(await checkParticipationCounts(opened.database, check)).toEqual([]);
  expect(await checkListCounts(opened.database, check)).toEqual([]);
};

/** Ids of a list, from its definition. */
async function expectedIds(
  user: number,
  kind: string,
  status: EventStatus,
  now: Date,
  viewer: number | undefined,
): Promise<number[]> {
  const rows = await opened.source.query<{ id: string }[]>(
    `SELECT e.id FROM events e WHERE e.deleted_at IS NULL
       AND EXISTS (SELECT FROM participations a WHERE a.event_id = e.id AND a.user_id = $1 AND a.kind = $2)
       AND (NOT e.private OR e.owner_id = $3 OR EXISTS (
         SELECT FROM event_invitations i WHERE i.event_id = e.id AND i.user_id = $3))
       AND ($4::text IS NULL OR (e.ends_at > $5) = ($4 = 'ongoing'))
     ORDER BY e.begins_at, e.id`,
    [user, kind, viewer ?? null, status ?? null, now.toISOString()],
  );
  return rows.map(({ id }) => Number(id));
}

it('the events of a participant are exact for every viewer after concurrent writes', async () => {
  const { database } = opened;
  const participations = new ParticipationsRepository(database);
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 60; turn += 1) {
      const kind = KINDS[below(2)] as (typeof KINDS)[number];
      const choice = below(4);
      if (choice < 2) await settle(participations.join(anEvent(), aUser(), { kind }));
      else if (choice === 2) await settle(participations.leave(anEvent(), aUser(), kind));
      else {
        const text = (CHANGES[below(CHANGES.length)] as () => string)();
        await settle(database.query({ name: '', text }));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await expectNoDrift();

  const lists = new EventListsRepository(database);
  const ends = await opened.source.query<{ at: Date }[]>(
    'SELECT ends_at AS at FROM events ORDER BY md5(id::text) LIMIT 6',
  );
  const times = [time(-300), time(300), time(0), time(64), time(-63.9)].map((at) => new Date(at));
  const moments = [...times, ...ends.map(({ at }) => at)];
  const viewers = [...users, undefined];
  let elements = 0;
  for (let round = 0; round < 600; round += 1) {
    const [user, viewer] = [aUser(), viewers[below(viewers.length)]];
    const [kind, status] = [KINDS[below(2)] as (typeof KINDS)[number], STATUSES[round % 3]];
    const now = moments[below(moments.length)] as Date;
    const expected = await expectedIds(user, kind, status, now, viewer);
    const page = { start: below(12), count: 1 + below(30) };
    const found = await lists.joinedBy(user, kind, status, now, viewer, page);
    const ids = found?.items.map(({ id }) => Number(id));
    const shown = expected.slice(page.start, page.start + page.count);
    expect([found?.total, ids]).toEqual([expected.length, shown]);
    elements += shown.length;
  }
  expect(elements).toBeGreaterThan(500);
});

it('a participation that is made while its event changes has the new values', async () => {
  const { source, database } = opened;
  const event = anEvent();
  await source.query('DELETE FROM participations WHERE event_id = $1', [event]);
  await source.query(
    `UPDATE events SET private = false, deleted_at = NULL, begins_at = $2, ends_at = $2 WHERE id = $1`,
    [event, time(1)],
  );
  const join = `INSERT INTO participations (event_id, user_id, kind) VALUES (${event}, ${aUser()}, 'wish')`;
  await queuedBehind(
    opened.url,
    'UPDATE events SET begins_at = $2, ends_at = $3 WHERE id = $1',
    [event, time(70), time(71)],
    [() => database.query({ name: '', text: join })],
  );
  await expectNoDrift();
});

it('the migration fills copies and numbers, and is reverted', async () => {
  for (let name = ''; name !== 'ParticipationLists1764746000000';)
    name = (await migrateDown(opened.source, () => undefined))?.name ?? '';
  await migrateUp(opened.source);
  await expectNoDrift();
});

it('recount repairs copies of events and the numbers of participations', async () => {
  const { database, source } = opened;
  const [row] = await source.query<{ user_id: string; event_id: string }[]>(
    'SELECT user_id, event_id FROM participations WHERE event_visibility = 0 LIMIT 1',
  );
  const event = Number(row?.event_id);
  await source.query(
    `UPDATE participations SET ends_at = ends_at + interval '1 year' WHERE event_id = $1`,
    [event],
  );
  expect(await checkParticipations(database, { repair: true })).toMatchObject([
    { event_id: event, stored: 0 },
  ]);
  await expectNoDrift();
  const user = Number(row?.user_id);
  await source.query('UPDATE participation_counts SET events = events + 2 WHERE user_id = $1', [
    user,
  ]);
  const drift = await checkParticipationCounts(database, { repair: true });
  expect(new Set(drift.map(({ user_id }) => user_id))).toEqual(new Set([user]));
  await expectNoDrift();
});

it('the list of a user with many participations reads as few pages as one with few', async () => {
  const { source } = opened;
  const [few, many] = users as [number, number];
  await source.query('DELETE FROM participations');
  await source.query(
    `INSERT INTO events (title, begins_at, ends_at, city_id, owner_id)
     SELECT 'Event', t.at, t.at + interval '3 hours', c.id, $1
     FROM generate_series(1, 3000) AS n(n), LATERAL (SELECT $2::timestamptz + interval '1 day' * n AS at) t,
       (SELECT id FROM cities LIMIT 1) c`,
    [few, time(-1500)],
  );
  await source.query(
    `INSERT INTO participations (user_id, event_id, kind)
     SELECT u.id, e.id, 'participate' FROM events e JOIN (VALUES ($1::bigint, 50), ($2, 1)) u(id, each)
       ON e.title = 'Event' AND e.id % u.each = 0`,
    [few, many],
  );
  await vacuumAll(source, ['events', 'participations', 'participation_counts', 'list_counts']);
  for (const status of STATUSES) {
    const pages = async (user: number): Promise<number> => {
      const values = [20, 0, user, null, ...(status === undefined ? [] : [time(0)])];
      const [row] = await source.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${participationsOfUser('participate', status)}`,
        values,
      );
      const plan = row?.['QUERY PLAN'][0].Plan ?? {};
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    };
    await pages(few);
    expect(await pages(many)).toBeLessThan(1.6 * (await pages(few)));
  }
});

it('the numbers of participations of deleted events and users are 0', async () => {
  const { source } = opened;
  await source.query('DELETE FROM events WHERE id % 2 = 0');
  await expectNoDrift();
  await source.query('DELETE FROM users WHERE id = $1', [users[4]]);
  await expectNoDrift();
  await source.query('DELETE FROM users');
  await expectNoDrift();
  const rows = await source.query('SELECT FROM participation_counts HAVING sum(events) > 0');
  expect(rows).toEqual([]);
});

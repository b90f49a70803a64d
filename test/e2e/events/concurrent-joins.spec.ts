import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { checkEvents } from '../../../src/import-export/events/event.recount';
import { writer } from '../books/writes';
import { newWriters, storm, STORM_SETTINGS } from '../storm';

let harness: Harness;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness({ settings: STORM_SETTINGS });
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const USERS = 200;
const CALLS = 1200;

it(`counters of 3 events equal their rows after ${USERS} users join and leave ${CALLS} times concurrently`, async () => {
  const events = [await make.anEvent(), await make.anEvent(), await make.anEvent()];
  const users = await newWriters(harness, USERS);
  const statuses = await storm(users, CALLS / USERS, (user, below) => {
    const name = below(2) === 0 ? 'participants' : 'wishers';
    const path = `/v2/event/${events[below(events.length)]?.id}/${name}`;
    return below(5) < 3 ? user.post(path) : user.remove(path);
  });
  expect(statuses).toEqual([202]);
  expect(await checkEvents(harness.database, { repair: false })).toEqual([]);
  for (const { id } of events) {
    const { body } = await harness.call(`/v2/event/${id}`);
    const total = async (name: string): Promise<number> => {
      const { body: list } = await harness.call(`/v2/event/${id}/${name}?count=100`);
      const rest = await harness.call(`/v2/event/${id}/${name}?count=100&start=100`);
      expect(list.users.length + rest.body.users.length).toBe(list.total);
      return list.total;
    };
    expect(body.participant_count).toBe(await total('participants'));
    expect(body.wisher_count).toBe(await total('wishers'));
    expect(body.participant_count).toBeGreaterThan(0);
  }
}, 300_000);

it('20 concurrent POSTs and DELETEs of one user succeed, and the counter is exact', async () => {
  const { id } = await make.anEvent();
  const user = await writer(harness, (await make.aUser()).id);
  const path = `/v2/event/${id}/participants`;
  for (let round = 0; round < 10; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? user.post(path) : user.remove(path))),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    const { body } = await user.get(path);
    const event = await user.get(`/v2/event/${id}`);
    expect(event.body.participant_count).toBe(body.total);
    expect(body.users).toHaveLength(body.total);
  }
});

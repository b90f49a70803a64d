import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../guarantees';
import { expectRefused, itNeedsAUser, writer, type Writer } from '../books/writes';

let harness: Harness;
let make: Factories;
let user: Writer;
let event: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
});
beforeEach(async () => {
  event = (await make.anEvent({ participant_count: 10, wisher_count: 20 })).id;
});
afterAll(() => harness.close());

const counts = async (id = event) => {
  const { body } = await user.get(`/v2/event/${id}`);
  return [body.participant_count, body.wisher_count];
};
const days = async () =>
  (
    await harness.source.query<{ day: string | null }[]>(
      `SELECT to_char(participate_on, 'YYYY-MM-DD') AS day FROM participations
       WHERE event_id = $1 AND kind = 'participate'`,
      [event],
    )
  ).map(({ day }) => day);

describe.each([
  ['participants', [11, 20], 'user_participated'],
  ['wishers', [10, 21], 'user_wished'],
] as const)('%s of an event', (name, joined, list) => {
  const path = () => `/v2/event/${event}/${name}`;
  const total = async (address: string) => (await user.get(address)).body.total;

  it('202: POST joins the caller and returns {}; a second POST changes nothing (D38)', async () => {
    for (const _ of [1, 2, 3]) {
      const { status, body } = await user.post(path());
      expect([status, body]).toEqual([202, {}]);
      expect(await counts()).toEqual(joined);
    }
    const { body } = await user.get(path());
    expect(body.users.map(({ id }: { id: string }) => id)).toEqual([String(user.id)]);
    const lists = await user.get(`/v2/event/${list}/${user.id}?count=100`);
    const ids = lists.body.events.map(({ id }: { id: string }) => id);
    expect(ids.filter((id: string) => id === String(event))).toHaveLength(1);
  });

  it('202: DELETE removes the caller and returns {}; a second DELETE changes nothing', async () => {
    await user.post(path());
    for (const _ of [1, 2]) {
      const { status, body } = await user.remove(path());
      expect([status, body]).toEqual([202, {}]);
      expect(await counts()).toEqual([10, 20]);
    }
    expect(await total(path())).toBe(0);
  });

  it('changes nothing of other users', async () => {
    const other = await writer(harness, (await make.aUser()).id);
    await other.post(path());
    await user.post(path());
    await user.remove(path());
    const { body } = await user.get(path());
    expect(body.users.map(({ id }: { id: string }) => id)).toEqual([String(other.id)]);
  });

  it('202: accepts an event that has ended', async () => {
    event = (await make.anEvent({ end_time: '2018-08-01 00:00:00' })).id;
    expect((await user.post(path())).status).toBe(202);
  });

  it.each(UNKNOWN_IDS)('404: returns 1001 for the unknown event %s', async (id) => {
    expectRefused(await user.post(`/v2/event/${id}/${name}`), 404, 1001);
    expectRefused(await user.remove(`/v2/event/${id}/${name}`), 404, 1001);
  });

  it('404: returns 1001 for a private event, except to its owner and invited users', async () => {
    const [owner, guest] = [(await make.aUser()).id, (await make.aUser()).id];
    event = (await make.anEvent({ is_priv: 'yes', owner_id: owner, invited: [guest] })).id;
    expectRefused(await user.post(path()), 404, 1001);
    expectRefused(await user.remove(path()), 404, 1001);
    for (const id of [owner, guest]) {
      expect((await (await writer(harness, id)).post(path())).status).toBe(202);
    }
    const rows = await harness.source.query('SELECT 1 FROM participations WHERE event_id = $1', [
      event,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('400: rejects PUT (1014)', async () => {
    const response = await user.put(path());
    expectRefused(response, 400, 1014);
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, POST');
  });

  it('202: requests with the same Idempotency-Key are executed once', async () => {
    const headers = { 'Idempotency-Key': `key-${name}` };
    const responses = [await user.post(path(), {}, headers), await user.post(path(), {}, headers)];
    expect(responses.map(({ status }) => status)).toEqual([202, 202]);
    expect(await counts()).toEqual(joined);
  });

  it('one POST and one DELETE run six statements in total', async () => {
    const names: string[] = [];
    await user.get(path());
    harness.database.onStatement = (one) => names.push(one);
    await user.post(path());
    await user.remove(path());
    harness.database.onStatement = undefined;
    expect(names.filter((one) => one.startsWith('participations.'))).toHaveLength(6);
  });

  describe('POST', () => {
    itNeedsAUser('event_basic_w', () => ({
      ...{ harness, method: 'POST', path: path(), userId: user.id },
    }));
  });
  describe('DELETE', () => {
    itNeedsAUser('event_basic_w', () => ({
      ...{ harness, method: 'DELETE', path: path(), userId: user.id },
    }));
  });
});

it('participation and interest are independent (D38)', async () => {
  await user.post(`/v2/event/${event}/participants`);
  await user.post(`/v2/event/${event}/wishers`);
  expect(await counts()).toEqual([11, 21]);
  await user.remove(`/v2/event/${event}/participants`);
  expect(await counts()).toEqual([10, 21]);
});

describe('participate_date', () => {
  const post = (fields: Record<string, string>) =>
    user.post(`/v2/event/${event}/participants`, fields);

  it('202: is stored; another POST replaces or clears it', async () => {
    expect((await post({ participate_date: '2028-02-29' })).status).toBe(202);
    expect(await days()).toEqual(['2028-02-29']);
    await post({ participate_date: ' 2028-03-01 ' });
    expect(await days()).toEqual(['2028-03-01']);
    await post({});
    expect(await days()).toEqual([null]);
    await post({ participate_date: '' });
    expect(await days()).toEqual([null]);
    expect(await counts()).toEqual([11, 20]);
  });

  it.each([
    ...['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-2', '20260102', '2026/01/02'],
    ...['tomorrow', '2026-01-02 10:00:00', '0000-01-01', '10000-01-01', '٢٠٢٦-01-02'],
  ])('400: returns 999 for %s, and stores nothing', async (participate_date) => {
    expectRefused(await post({ participate_date }), 400, 999);
    expect(await days()).toEqual([]);
  });

  it('400: returns 999 when it is given twice or as an object', async () => {
    const token = await harness.token({ userId: user.id });
    const path = `/v2/event/${event}/participants`;
    const twice = {
      method: 'POST',
      token,
      body: new URLSearchParams('participate_date=a&participate_date=b'),
    };
    expectRefused(await harness.call(path, twice), 400, 999);
    const object = {
      ...{ method: 'POST', token, body: '{"participate_date":{}}' },
      headers: { 'content-type': 'application/json' },
    };
    expectRefused(await harness.call(path, object), 400, 999);
  });
});

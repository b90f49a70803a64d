import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { BASE_URL } from '../../settings';

interface Event {
  readonly id: string;
  readonly begin_time: string;
  readonly image: string;
  readonly 'image-hlarge': string;
  readonly 'image-lmobile': string;
}

describe('events of the sample', () => {
  let harness: Harness;
  let sample: SampleService;

  beforeAll(async () => {
    harness = await startHarness();
    sample = harness.app.get(SampleService, { strict: false });
    expect(await sample.load()).toMatchObject({ skipped: 0, failed: 0 });
  });
  afterAll(() => harness.close());

  const list = async (query: string, token?: string) => {
    const { status, body } = await harness.call(`/v2/event/list?count=100&${query}`, { token });
    expect(status).toBe(200);
    return body as { total: number; events: Event[] };
  };

  it.each(
    ['beijing', 'shanghai'].flatMap((city) =>
      ['future', 'week', 'weekend', 'today', 'tomorrow'].map((dayType) => [city, dayType]),
    ),
  )('200: events exist in %s for %s on any day', async (city, dayType) => {
    expect((await list(`loc=${city}&day_type=${dayType}`)).total).toBeGreaterThan(0);
  });

  it.each([
    'music',
    'drama',
    'exhibition',
    'salon',
    'party',
    'sports',
    'travel',
    'commonweal',
    'film',
    'others',
  ])('200: events of type %s exist', async (type) => {
    expect((await list(`type=${type}`)).total).toBeGreaterThan(0);
  });

  it('200: private events are visible to invited users only', async () => {
    const guest = await harness.token({ userId: 3 });
    const stranger = await harness.token({ userId: 5 });
    const everybody = (await list('')).total;
    expect((await list('', stranger)).total).toBe(everybody);
    expect((await list('', guest)).total).toBe(everybody + 1);
  });

  it('200: posters exist in every size', async () => {
    const { events } = await list('');
    const posters = events.flatMap((event) => [
      event.image,
      event['image-hlarge'],
      event['image-lmobile'],
    ]);
    expect(new Set(posters).size).toBe(events.length * 3);
    for (const poster of posters) {
      expect(poster.startsWith(`${BASE_URL}/pictures/sample/events/`)).toBe(true);
      const { status, headers } = await harness.call(poster.slice(BASE_URL.length));
      expect([poster, status, headers.get('content-type')]).toEqual([poster, 200, 'image/jpeg']);
    }
  });

  it('200: loading the sample on another day moves its events without duplicates', async () => {
    const count = `SELECT (SELECT count(*)::int FROM events) AS events,
      (SELECT sum(participants + wishers)::int FROM events) AS joined,
      (SELECT count(*)::int FROM participations) AS participations`;
    const before = await harness.source.query<unknown>(count);
    const moments = [Date.parse('2027-03-01T04:00:00Z'), Date.parse('2027-03-04T04:00:00Z')];
    const begins: unknown[] = [];
    for (const moment of moments) {
      const summary = await sample.load(new Date(moment));
      // A day has charts of its own.
      expect(summary).toMatchObject({ imported: 8, failed: 0 });
      expect(summary.updated).toBeGreaterThan(0);
      const { body } = await harness.call('/v2/event/1');
      begins.push((body as Event).begin_time);
    }
    expect(begins).toEqual(['2027-03-01 19:30:00', '2027-03-04 19:30:00']);
    expect(await harness.source.query<unknown>(count)).toEqual(before);
    expect(await sample.load(new Date((moments[1] ?? 0) + 60_000))).toMatchObject({
      imported: 0,
      updated: 0,
    });
  });
});

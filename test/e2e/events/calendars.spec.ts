import { convertIcsCalendar, type IcsCalendar, type IcsEvent } from 'ts-ics';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectError, expectMalformed, UNKNOWN_IDS } from '../guarantees';

let harness: Harness;
let make: Factories;
beforeAll(async () => {
  harness = await startHarness({
    settings: { BASE_URL: 'http://api.test', WEB_URL: 'http://web.test' },
  });
  make = new Factories(harness.database);
});
afterAll(() => harness.close());

const get = async (path: string, token?: string) => harness.call(`/v2/event/${path}`, { token });
/** Parses a calendar with an independent library. */
const read = (text: string): IcsCalendar => convertIcsCalendar(undefined, text);
const entries = (text: string): IcsEvent[] => read(text).events ?? [];

/** Expects lines of RFC 5545, section 3.1. */
function expectLines(text: string): void {
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  }
  // A split character would not be valid UTF-8.
  expect(text).not.toContain('\ufffd');
}

const TRICKY = 'Tea, cake; and \\n "talk": 城市漫步🎻'.repeat(6);

describe('GET /v2/event/:id.ics', () => {
  it('200: has one entry with title, times, place, coordinates and address', async () => {
    const { id } = await make.anEvent({
      title: TRICKY,
      content: '<p>Bring &amp; share;</p><p>second, line</p>',
      begin_time: '2018-07-29 15:00:00',
      end_time: '2018-08-26 18:00:00',
      address: '广州, 海珠区',
      geo: '23.097736 -113.384781',
      category: 'travel',
    });
    const { status, headers, text } = await get(`${id}.ics`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="event-${id}.ics"`);
    expectLines(text);
    expect(read(text)).toMatchObject({ version: '2.0' });
    expect(entries(text)).toMatchObject([
      {
        uid: `event-${id}@api.test`,
        summary: TRICKY,
        description: 'Bring & share;\nsecond, line',
        location: '广州, 海珠区',
        geo: expect.anything(),
        url: `http://web.test/event/${id}/`,
        categories: ['travel'],
        class: 'PUBLIC',
        // 15:00 in Asia/Shanghai is 07:00 in UTC.
        start: { date: new Date('2018-07-29T07:00:00Z'), type: 'DATE-TIME' },
        end: { date: new Date('2018-08-26T10:00:00Z') },
      },
    ]);
    await harness.source.query('UPDATE events SET title = $1 WHERE id = $2', [
      'a\u0001\u007fb',
      id,
    ]);
    expect(entries((await get(`${id}.ics`)).text)[0]?.summary).toBe('ab');
    expect(text).toContain('\r\nGEO:23.097736;-113.384781\r\n');
    expect(text).toMatch(/\r\nSEQUENCE:[1-9]\d*\r\n/);
    expect(text).toContain('\r\nDTSTART:20180729T070000Z\r\n');
    expect(text).toMatch(/\r\nDTSTAMP:\d{8}T\d{6}Z\r\n/);
  });

  it('200: any text of an event stays within one entry', async () => {
    const { id } = await make.anEvent({
      title: 'one\r\nEND:NOTHING\rX:1\nY',
      content: 'END:NOTHING\nBEGIN:VALARM',
      address: 'here\nGEO:1;2',
      category: 'a\r\nX-B:c',
    });
    const { text } = await get(`${id}.ics`);
    expectLines(text);
    expect(entries(text)).toHaveLength(1);
    const names = text.split('\r\n').filter((line) => line !== '' && !line.startsWith(' '));
    expect(names.filter((line) => /^(BEGIN:VALARM|END:NOTHING|GEO|X-B|X:|Y)/.test(line))).toEqual(
      [],
    );
    expect(entries(text)[0]?.summary).toBe('one\nEND:NOTHING\nX:1\nY');
  });

  it.each([
    ['0 0', '0.000001;0.000001'],
    ['0.0000001 -0.5', '0.000001;-0.5'],
  ])('200: writes the coordinates %s as decimals', async (geo, written) => {
    const { id } = await make.anEvent({ geo });
    expect((await get(`${id}.ics`)).text).toContain(`\r\nGEO:${written}\r\n`);
  });

  it('200: omits the end, place and type when the event has none', async () => {
    const at = '2018-07-29 15:00:00';
    const { id } = await make.anEvent({ begin_time: at, end_time: at });
    const { text } = await get(`${id}.ics`);
    expect(text).not.toMatch(/\r\n(DTEND|LOCATION|GEO|CATEGORIES)/);
    expect(entries(text)).toHaveLength(1);
  });

  it.each([
    // The year 0 in UTC, although the year 1 in the time zone of the service.
    ['0001-01-01 00:00:00+08:05:43', '0001-01-01 12:00:00+08:05:43', '00010101T000000Z', '035417'],
    ['0001-01-01 00:00:00+08:05:43', '0001-01-01 01:00:00+08:05:43', '00010101T000000Z', undefined],
    ['9999-12-31 12:00:00-05', '9999-12-31 23:59:59-05', '99991231T170000Z', '235959'],
  ])(
    '200: writes the times %s to %s with years of four digits',
    async (begin, end, start, last) => {
      const { id } = await make.anEvent();
      const set = 'UPDATE events SET begins_at = $2, ends_at = $3 WHERE id = $1';
      await harness.source.query(set, [id, begin, end]);
      const { text } = await get(`${id}.ics`);
      expect(text).toContain(`\r\nDTSTART:${start}\r\n`);
      const written = last && `${start.slice(0, 9)}${last}Z`;
      expect(/\r\nDTEND:(.*)\r\n/.exec(text)?.[1]).toBe(written);
    },
  );

  it('200: ignores callback', async () => {
    const { id } = await make.anEvent();
    const response = await get(`${id}.ics?callback=f`);
    expect(response.text.startsWith('BEGIN:VCALENDAR\r\n')).toBe(true);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  });

  it('200: HEAD has the same headers and no body', async () => {
    const { id } = await make.anEvent();
    const { text } = await get(`${id}.ics`);
    const head = await harness.call(`/v2/event/${id}.ics`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('200, 404: a private event is marked as private for its owner, and unknown (1001) to others', async () => {
    const { id, owner_id } = await make.anEvent({ is_priv: 'yes' });
    const own = await get(`${id}.ics`, await harness.token({ userId: owner_id }));
    expect(entries(own.text)).toMatchObject([{ class: 'PRIVATE' }]);
    const other = await get(`${id}.ics`);
    expectError(other, 404, 1001, 'uri_not_found');
    expect(other.headers.get('content-disposition')).toBeNull();
  });

  it.each(UNKNOWN_IDS)('404: returns 1001 in JSON for the unknown event %s', async (id) =>
    expectError(await get(`${id}.ics`), 404, 1001, 'uri_not_found'),
  );

  it.each(['abc.ics', '.ics', '1.ICS', '1.ics.ics'])('404: returns 1001 for %s', async (name) =>
    expectError(await get(name), 404, 1001, 'uri_not_found'),
  );

  it('400: rejects other methods (1014)', async () => {
    const { status, body } = await harness.call('/v2/event/1.ics', { method: 'POST' });
    expect([status, body.code]).toEqual([400, 1014]);
  });

  it('403: rejects a token without event_basic_r (1000)', async () => {
    const token = await harness.token({ scopes: ['book_basic_r'] });
    expectError(await get('1.ics', token), 403, 1000, 'need_permission');
  });
});

describe('GET /v2/event/list.ics', () => {
  let city: number;
  beforeAll(async () => {
    city = (await make.aCity()).id;
    const { id } = await make.aUser();
    await make.events(id, city, 105, (at) => ({ title: `${at} ${TRICKY}`, category: 'film' }));
  });

  const uids = (text: string): unknown[] => entries(text).map(({ uid }) => uid);

  it('200: has the entries of the same list, in its order, page by page', async () => {
    for (const query of ['', '&start=100', '&count=7&start=3', '&type=film', '&type=music']) {
      const { body } = await get(`list?loc=${city}${query}`);
      const { status, text } = await get(`list.ics?loc=${city}${query}`);
      expect(status).toBe(200);
      expectLines(text);
      const ids = body.events.map(({ id }: { id: string }) => `event-${id}@api.test`);
      expect(uids(text)).toEqual(ids);
    }
  });

  it('200: has at most 100 entries', async () => {
    const { text, headers } = await get(`list.ics?loc=${city}&count=1000`);
    expect(uids(text)).toHaveLength(100);
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.ics"');
  });

  it('404: returns 1001 for an unknown city', async () => {
    expectError(await get('list.ics?loc=nowhere'), 404, 1001, 'uri_not_found');
  });

  it.each(['day_type=x', 'type=x', 'near=1', 'start=-1', 'count=x'])(
    '400: returns 999 for %s',
    async (query) => expectMalformed(await get(`list.ics?${query}`)),
  );
});

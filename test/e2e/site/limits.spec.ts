import { startHarness, type Harness } from '../../harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    settings: { LIMIT_PAGES: '3', LIMIT_ANONYMOUS: '5', CONTACT: 'a@example.org' },
  });
});
afterAll(() => harness.close());

it('pages have a limit of their own, which leaves that of the API alone (D134)', async () => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const { status } = await harness.call('/movie/', { headers: { accept: 'text/html' } });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await harness.call('/', { headers: { accept: 'text/html' } });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(refused.text).toContain('<html');
  const { headers } = await harness.call('/v2/event/list');
  expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
    '5',
    '4',
  ]);
  // Crawlers read these files in any case; the site maps themselves count, and calendars.
  const counted: unknown[] = [];
  for (const path of [
    ...['/robots.txt', '/.well-known/security.txt', '/sitemap.xml'],
    ...['/sitemap/pages/0.xml', '/event/1/calendar.ics'],
  ])
    counted.push((await harness.call(path)).status);
  expect(counted).toEqual([200, 200, 429, 429, 429]);
  // Files and pages that do not belong to the catalogue do not count.
  expect((await harness.call('/service/style.css')).status).toBe(200);
});

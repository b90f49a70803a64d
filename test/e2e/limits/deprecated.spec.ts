import { DeprecatedUsageService } from '../../../src/limits/deprecated-usage.service';
import { DeprecatedUsageSweeper } from '../../../src/limits/usage.sweeper';
import { startHarness, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';

const OPERATION = 'GET /v2/book/user_tags/:id';

let harness: Harness;
let usage: DeprecatedUsageService;
beforeAll(async () => {
  harness = await startHarness();
  usage = harness.app.get(DeprecatedUsageService, { strict: false });
});
afterAll(() => harness.close());

it('a developer sees the deprecated operations that an app called, with date and successor (D137)', async () => {
  const browser = await new Browser(harness).register('dev');
  const { text } = await browser.fillAndFollow(
    '/service/developer',
    '/service/developer/applications',
    {
      name: 'Old reader',
      redirect_uris: '',
    },
  );
  const clientId = String(/id="client_id"[^>]*>(\w+)</.exec(text)?.[1]);
  const page = `/service/developer/applications/${clientId}`;
  expect((await browser.open(page)).text).not.toContain('id="deprecated"');

  const [{ id }] = await harness.source.query('SELECT id FROM applications WHERE client_id = $1', [
    clientId,
  ]);
  // Requests that are refused show as well that the application still uses the operation.
  for (const user of [1, 2]) await harness.call(`/v2/book/user_tags/${user}?apikey=${clientId}`);
  await harness.call(`/v2/book/1?apikey=${clientId}`);
  await harness.call('/v2/book/user_tags/1');
  await usage.flush();
  await harness.call(`/v2/book/user_tags/1?apikey=${clientId}`);
  await usage.flush();
  expect(await usage.usesOf(Number(id))).toEqual([
    { operation: OPERATION, requests: 3, lastDay: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  ]);
  const shown = (await browser.open(page)).text;
  expect(shown).toContain(`<code>${OPERATION}</code>`);
  expect(shown).toContain('<code>/v2/book/user/:id/tags</code>');
  expect(shown).toContain('2028-12-31');
});

it('counts are shown for 30 days and deleted after 31', async () => {
  const [{ id }] = await harness.source.query('SELECT max(id)::int AS id FROM applications');
  for (const days of [29, 30, 32]) {
    await harness.source.query(
      'INSERT INTO deprecated_requests VALUES ($1, $2, current_date - $3::int, 1)',
      [id, `GET /v2/${days}`, days],
    );
  }
  const operations = (await usage.usesOf(id)).map(({ operation }) => operation);
  expect(operations).toEqual(['GET /v2/29', OPERATION]);
  const sweeper = harness.app.get(DeprecatedUsageSweeper, { strict: false });
  await sweeper.run(new AbortController().signal);
  const rows = await harness.source.query(
    'SELECT operation FROM deprecated_requests WHERE operation <> $1 ORDER BY 1',
    [OPERATION],
  );
  expect(rows).toEqual([{ operation: 'GET /v2/29' }, { operation: 'GET /v2/30' }]);
});

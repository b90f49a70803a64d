import { ResponseCache } from '../../../src/api/cache/response-cache';
import { OwnWrites } from '../../../src/api/consistency/own-writes';
import { signedInAdministrator } from '../console/administrator';
import { hiddenFields } from '../oauth/browser';
import { until } from '../process/programs';
import { startCachedServer, type CachedServer } from './cached-server';

let harness: CachedServer;
beforeAll(async () => {
  harness = await startCachedServer();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await harness.close();
});

it('a form of the console is acknowledged when reads contain its change', async () => {
  const administrator = await signedInAdministrator(harness, 'root');
  const { form_token = '' } = hiddenFields((await administrator.open('/admin')).text);
  await harness.readCached('/v2/book/1');

  const cache = harness.app.get(ResponseCache, { strict: false });
  const settle = cache.settle.bind(cache);
  let proceed: (() => void) | undefined;
  jest.spyOn(cache, 'settle').mockImplementationOnce(async () => {
    await new Promise<void>((resolve) => (proceed = resolve));
    await settle();
  });
  const remember = jest.spyOn(harness.app.get(OwnWrites, { strict: false }), 'remember');

  let isAcknowledged = false;
  const answered = administrator
    .post('/admin/catalogue/books/1/delete', { form_token })
    .finally(() => {
      isAcknowledged = true;
    });
  await until(() => Promise.resolve(proceed !== undefined));
  // A response that did not wait would be here before those of later requests.
  for (const path of ['/healthz', '/v2/book/2', '/admin']) await administrator.open(path);
  expect(isAcknowledged).toBe(false);
  proceed?.();

  expect((await answered).status).toBe(303);
  expect((await harness.call('/v2/book/1')).status).toBe(404);
  // The next reads of the administrator contain the change in other processes, too.
  const [root] = await harness.source.query<{ id: number }[]>(
    `SELECT id::int FROM users WHERE uid = 'root'`,
  );
  expect(remember.mock.calls.map(([{ writer }]) => writer)).toEqual([root?.id]);
});

import { until } from './collectors';
import { Scene } from './scene';

/** Requests of an address without credentials in an hour. */
const ANONYMOUS = 5;

let scene: Scene;
let token: string;
let path: string;
beforeAll(async () => {
  scene = await Scene.open({
    CACHE_MB: '0',
    TOKEN_CACHE_SECONDS: '0',
    LIMIT_ANONYMOUS: String(ANONYMOUS),
  });
  const { tokens, books } = await scene.people(1, 1);
  [token = ''] = tokens;
  path = `/v2/book/${books[0]}`;
}, 600_000);
afterAll(() => scene.close());

it('requests with tokens that cannot be looked up do not count as anonymous ones', async () => {
  await scene.postgres.down('fast');
  for (const [place, status] of [
    [path, 503],
    ['/v2/nothing', 404],
  ] as const) {
    for (let time = 0; time < 2 * ANONYMOUS; time += 1)
      expect((await scene.call(place, { token })).status).toBe(status);
  }
  await scene.postgres.up();
  await until('the service serves', async () => (await scene.call(path, { token })).status === 200);
  expect((await scene.call(path)).status).toBe(200);
});

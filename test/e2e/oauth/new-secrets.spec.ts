import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import { REDIRECT } from './flows';

const PAGE = '/service/developer';

let harness: Harness;
let dev: Browser;
beforeAll(async () => {
  harness = await startHarness();
  dev = await new Browser(harness).register('dev');
});
afterAll(() => harness.close());

it('a browser keeps the newest five secrets, so that its cookies stay small', async () => {
  const made: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const fields = { name: `App ${count}`, redirect_uris: REDIRECT };
    const { headers } = await dev.fill(PAGE, `${PAGE}/applications`, fields);
    made.push(/\/(\w+)\/keys\?/.exec(headers.get('location') ?? '')?.[1] ?? '');
  }
  const kept = made.filter((id) => dev.held(`commonplace_secret_${id}`) !== '');
  expect(kept).toEqual(made.slice(3));
  const { text } = await dev.open(`${PAGE}/applications/${made[7]}/keys`);
  expect(text).toMatch(/id="secret">cpcs_/);
});

it('forgets cookies with invalid values first, and ignores invalid names', async () => {
  for (let count = 0; count < 5; count += 1) dev.plant('x', `commonplace_secret_planted${count}`);
  dev.plant('x', 'commonplace_secret_(');
  const kept = dev.held.bind(dev);
  const { status } = await dev.fill(PAGE, `${PAGE}/applications`, {
    ...{ name: 'Another', redirect_uris: REDIRECT },
  });
  expect(status).toBe(303);
  const planted = [0, 1, 2, 3, 4].filter((at) => kept(`commonplace_secret_planted${at}`) !== '');
  expect(planted).toEqual([]);
});

it('a request with very many cookies has at most 50 of them deleted', async () => {
  for (let count = 0; count < 200; count += 1) dev.plant('x', `commonplace_secret_forged${count}`);
  const { status, headers } = await dev.fill(PAGE, `${PAGE}/applications`, {
    ...{ name: 'One more', redirect_uris: REDIRECT },
  });
  expect(status).toBe(303);
  expect(headers.getSetCookie().length).toBeLessThanOrEqual(50);
});

import { startHarness, type Harness } from '../../harness';
import { Browser, unescaped } from '../oauth/browser';
import { ban } from './words';

const PAGE = '/service/developer';
const CREATE = `${PAGE}/applications`;

let harness: Harness;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('dev');
});
afterAll(() => harness.close());

const save = (path: string, page: string, name: string) =>
  browser.fill(page, path, { name, redirect_uris: '' });
const names = async (): Promise<string[]> =>
  (await harness.source.query('SELECT name FROM applications')).map(
    ({ name }: { name: string }) => name,
  );

it('400: user names with banned words are rejected, also with words that only require review', async () => {
  await ban(harness, 'refuse', 'grobnik');
  await ban(harness, 'hold', 'zarfel');
  const page = '/service/register';
  for (const uid of ['grobnik', 'the.Grobnik', 'zarfel']) {
    const fields = { uid, password: 'a long password' };
    const { status, text } = await new Browser(harness).fill(page, page, fields);
    expect([uid, status]).toEqual([uid, 400]);
    expect(unescaped(text)).toContain('contains a word that is not allowed');
    expect(text).toContain(`value="${uid}"`);
  }
  const users = await harness.source.query(`SELECT uid FROM users WHERE uid ~* 'grobnik|zarfel'`);
  expect(users).toEqual([]);
});

it('400: values that are not valid user names are not searched for banned words', async () => {
  await ban(harness, 'refuse', 'grobnik');
  const page = '/service/register';
  const fields = { uid: `grobnik ${'a'.repeat(30)}`, password: 'a long password' };
  const { status, text } = await new Browser(harness).fill(page, page, fields);
  expect(status).toBe(400);
  expect(unescaped(text)).not.toContain('contains a word that is not allowed');
});

it('400: names of applications with banned words are rejected, at creation and at update', async () => {
  for (const name of ['My Grobnik', 'zarfel']) {
    const { status, text } = await save(CREATE, PAGE, name);
    expect(status).toBe(400);
    expect(unescaped(text)).toContain('The name contains a word that is not allowed.');
  }
  expect(await names()).toEqual([]);
  expect((await save(CREATE, PAGE, 'My app')).status).toBeLessThan(400);
  const [{ client_id }] = await harness.source.query('SELECT client_id FROM applications');
  const own = `${CREATE}/${client_id}`;
  expect((await save(`${own}/settings`, own, 'My grobnik')).status).toBe(400);
  expect(await names()).toEqual(['My app']);
  await ban(harness, 'refuse', 'my app');
  expect((await save(`${own}/settings`, own, 'My app')).status).toBe(303);
});

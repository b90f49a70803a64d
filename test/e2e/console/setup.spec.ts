import { FirstAdministratorService } from '../../../src/admin/first-administrator.service';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';

let harness: Harness;
let first: FirstAdministratorService;
beforeAll(async () => {
  harness = await startHarness();
  first = harness.app.get(FirstAdministratorService, { strict: false });
});
afterAll(() => harness.close());

async function newPath(): Promise<string> {
  const address = new URL(String(await first.createAddress()));
  return address.pathname + address.search;
}

it('the address makes one administrator, once, and a new address replaces it', async () => {
  const earlier = await newPath();
  const path = await newPath();
  const browser = new Browser(harness);
  expect((await browser.open(earlier)).status).toBe(404);
  expect((await browser.open(path)).text).toMatch(
    /\/service\/register\?return_to=%2Fadmin%2Fsetup/,
  );
  await browser.register('ann');
  const fields = hiddenFields((await browser.open(path)).text);
  const form_token = await browser.formToken();
  expect((await browser.post('/admin/setup', { form_token, key: 'wrong' })).status).toBe(400);
  const made = await browser.post('/admin/setup', { ...fields, form_token });
  expect([made.status, made.headers.get('location')]).toEqual([303, '/admin']);
  expect((await browser.open('/admin')).status).toBe(200);
  expect((await browser.open(path)).status).toBe(404);
  expect((await browser.post('/admin/setup', { ...fields, form_token })).status).toBe(400);
  expect(await first.createAddress()).toBeUndefined();
  const [row] = await harness.database.source.query<{ actor: string; action: string }[]>(
    'SELECT actor, action FROM audit_log ORDER BY id DESC LIMIT 1',
  );
  expect(row).toEqual({ actor: 'ann', action: 'user.role' });
});

it('an expired address does nothing', async () => {
  await harness.database.source.query(`UPDATE users SET role = 'member'`);
  const path = await newPath();
  await harness.database.source.query(
    `UPDATE secrets SET value = split_part(value, ' ', 1) || ' 1' WHERE name = 'first_administrator'`,
  );
  expect((await new Browser(harness).open(path)).status).toBe(404);
});

it('the address stays valid when the role cannot be set', async () => {
  const path = await newPath();
  const browser = await new Browser(harness).register('bob');
  const fields = hiddenFields((await browser.open(path)).text);
  const form_token = await browser.formToken();
  const submit = async () => (await browser.post('/admin/setup', { ...fields, form_token })).status;
  await harness.source.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE 'the disk is full' USING ERRCODE = 'disk_full'; END $$`,
  );
  await harness.source.query(
    'CREATE TRIGGER refuse BEFORE UPDATE OF role ON users EXECUTE FUNCTION refuse()',
  );
  expect(await submit()).toBeGreaterThanOrEqual(500);
  await harness.source.query('DROP FUNCTION refuse CASCADE');
  expect((await browser.open(path)).status).toBe(200);
  expect(await submit()).toBe(303);
});

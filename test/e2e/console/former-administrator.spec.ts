import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { withRowLocked } from '../oauth/lock-row';
import { makeStale, signedInAdministrator } from './administrator';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('a form is rejected if its user loses the role while the password is checked', async () => {
  const administrator = await signedInAdministrator(harness, 'root');
  const book = await new Factories(harness.database).aBook();
  const form_token = await administrator.formToken();
  await makeStale(harness, 'root');
  const response = await withRowLocked(
    harness.url,
    `SELECT 1 FROM sessions WHERE user_id = (SELECT id FROM users WHERE uid = 'root') FOR UPDATE`,
    [],
    () =>
      administrator.post(`/admin/catalogue/books/${book}/delete`, {
        ...{ form_token, confirm_password: 'correct horse battery' },
      }),
    1,
    () => harness.source.query(`UPDATE users SET role = 'member' WHERE uid = 'root'`),
  );
  expect(response.status).toBe(403);
  expect((await harness.call(`/v2/book/${book}`)).status).toBe(200);
});

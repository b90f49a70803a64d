import { AdminUsersService } from '../../../src/admin/users.service';
import { startHarness, type Harness } from '../../harness';
import { Browser } from '../oauth/browser';
import { withRowLocked } from '../oauth/lock-row';
import { anAdministrator, changesOf, type Administrator } from './administrators';

let harness: Harness;
let administrator: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  administrator = await anAdministrator(harness);
});
afterAll(() => harness.close());

it('a blocked user sees the reason and the last day; the block ends after that day', async () => {
  const browser = await new Browser(harness).register('ann');
  const [{ id }] = await harness.source.query<[{ id: number }]>(
    `SELECT id::int FROM users WHERE uid = 'ann'`,
  );
  const token = await harness.token({ userId: id });
  const statusNow = async () => (await harness.call('/v2/book/search?q=x', { token })).status;
  const block = { reason: 'Spam <b>', until: '2999-12-31' };
  const blocked = await administrator.post(`/users/${id}/block`, block);
  expect(blocked.body).toMatchObject({
    blocked: true,
    blocked_reason: 'Spam <b>',
    blocked_until: '2999-12-31',
  });
  const { status, text } = await browser.fill('/service/sign-in', '/service/sign-in', {
    ...{ uid: 'ann', password: 'correct horse battery' },
  });
  expect([status, /Spam &lt;b&gt;[^]*2999-12-31/.test(text)]).toEqual([403, true]);
  expect(await statusNow()).toBe(401);

  const users = harness.app.get(AdminUsersService, { strict: false });
  const end = () => users.endBlocks({ name: 'service:end-blocks' });
  expect(await end()).toBe(0);
  await harness.source.query('UPDATE users SET blocked_until = current_date WHERE id = $1', [id]);
  expect(await end()).toBe(0);
  await harness.source.query('UPDATE users SET blocked_until = current_date - 1 WHERE id = $1', [
    id,
  ]);
  // The scheduled task may have been faster.
  await end();
  expect(await statusNow()).toBe(200);
  const { body } = await administrator.get(`/users/${id}`);
  expect([body.blocked, body.blocked_reason, body.blocked_until]).toEqual([
    false,
    undefined,
    undefined,
  ]);
  const [last] = await changesOf(administrator, 'user', id);
  expect(last).toMatchObject({ action: 'user.unblock', actor: 'service:end-blocks' });
});

it('a block cannot end in the past', async () => {
  const { id } = await anAdministrator(harness);
  const { status, body } = await administrator.post(`/users/${id}/block`, { until: '2001-01-01' });
  expect([status, body.code]).toEqual([400, 999]);
});

it('an administrator whose role is removed at the same moment changes no user', async () => {
  const former = await anAdministrator(harness);
  const demote = `UPDATE users SET role = 'member' WHERE id = $1`;
  const path = `/users/${former.id}`;
  const give = () => former.put(`${path}/role`, { role: 'administrator' });
  const { status, body } = await withRowLocked(harness.url, demote, [former.id], give, 1);
  expect([status, body.code]).toEqual([403, 1000]);
  expect((await administrator.get(path)).body.role).toBe('member');
});

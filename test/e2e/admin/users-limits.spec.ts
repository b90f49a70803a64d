import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aUserOf, changesOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
});
afterAll(() => harness.close());

describe('users', () => {
  it('200: are listed by name, role and blocked state', async () => {
    const { id, uid } = await aUserOf(harness, 'member');
    const total = async (query: string) => (await admin.get(`/users?${query}`)).body.total;
    expect(await total(`q=${uid.toUpperCase()}`)).toBe(1);
    expect(await total(`q=${uid}&role=administrator`)).toBe(0);
    expect(await total(`q=${uid}&blocked=true`)).toBe(0);
    await admin.post(`/users/${id}/block`);
    expect(await total(`q=${uid}&blocked=true`)).toBe(1);
  });

  it('200: are blocked and unblocked, with their tokens', async () => {
    const { id } = await aUserOf(harness, 'member');
    const token = await harness.token({ userId: id });
    const status = async () => (await harness.call('/v2/book/search?q=x', { token })).status;
    expect(await status()).toBe(200);
    const { body } = await admin.post(`/users/${id}/block`);
    expect([body.blocked, await status()]).toEqual([true, 401]);
    expect((await admin.post(`/users/${id}/unblock`)).body.blocked).toBe(false);
    expect(await status()).toBe(200);
    expect((await changesOf(admin, 'user', id)).map(({ action }) => action)).toEqual([
      'user.unblock',
      'user.block',
    ]);
  });

  it('400: administrators cannot block themselves or give up their role', async () => {
    for (const response of [
      await admin.post(`/users/${admin.id}/block`),
      await admin.put(`/users/${admin.id}/role`, { role: 'member' }),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 999]);
    }
    expect((await admin.get(`/users/${admin.id}`)).body).toMatchObject({
      role: 'administrator',
      blocked: false,
    });
  });

  it('of two administrators who remove the role from each other at once, one remains', async () => {
    const [one, other] = [await anAdministrator(harness), await anAdministrator(harness)];
    await harness.source.query(
      `UPDATE users SET role = 'member' WHERE role = 'administrator' AND id <> ALL ($1)`,
      [[one.id, other.id]],
    );
    await Promise.all([
      one.put(`/users/${other.id}/role`, { role: 'member' }),
      other.put(`/users/${one.id}/role`, { role: 'member' }),
    ]);
    const [{ count }] = await harness.source.query(
      `SELECT count(*)::int AS count FROM users WHERE role = 'administrator'`,
    );
    expect(count).toBe(1);
    await harness.source.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [admin.id]);
  });

  it('404: unknown users', async () => {
    for (const path of ['/users/0', '/users/99999999999999999999']) {
      expect((await admin.get(path)).body.code).toBe(1001);
      expect((await admin.post(`${path}/block`)).body.code).toBe(1001);
      expect((await admin.put(`${path}/role`, { role: 'member' })).body.code).toBe(1001);
    }
  });
});

describe('limits', () => {
  it('202: are set and reset immediately, with audit entries', async () => {
    const set = await admin.put('/limits/LIMIT_ANONYMOUS', { value: 3 });
    expect([set.status, set.body]).toEqual([
      202,
      { name: 'LIMIT_ANONYMOUS', value: 3, from: 'database' },
    ]);
    const { headers } = await harness.call('/v2/book/search?q=x');
    expect(headers.get('x-ratelimit-limit')).toBe('3');
    const reset = await admin.remove('/limits/LIMIT_ANONYMOUS');
    expect([reset.status, reset.body.from]).toEqual([202, 'settings']);
    expect(await changesOf(admin, 'limit', 'LIMIT_ANONYMOUS')).toMatchObject([
      { action: 'limit.reset', before: { value: 3 }, after: null },
      { action: 'limit.set', before: null, after: { value: 3 } },
    ]);
  });

  it('400 and 404: rejects invalid values and unknown limits', async () => {
    for (const value of [-1, 1.5, 'many', 10 ** 12]) {
      const { status } = await admin.put('/limits/LIMIT_ANONYMOUS', { value });
      expect([value, status]).toEqual([value, 400]);
    }
    expect((await admin.put('/limits/LIMIT_ANONYMOUS', {})).body.code).toBe(1002);
    expect((await admin.put('/limits/NOTHING', { value: 1 })).body.code).toBe(1001);
    expect((await admin.remove('/limits/NOTHING')).body.code).toBe(1001);
    expect((await admin.get('/limits?count=2')).body.limits).toHaveLength(2);
  });
});

describe('the audit log', () => {
  it('cannot be changed, emptied or shortened', async () => {
    await admin.put('/limits/LIMIT_ADDRESS', { value: 4000 });
    for (const sql of [
      'UPDATE audit_log SET actor = 1',
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
    ]) {
      await expect(harness.source.query(sql)).rejects.toThrow(/append-only/);
    }
  });

  it('200: is filtered by actor, action, object and time', async () => {
    const { id } = await aUserOf(harness, 'member');
    const other = await anAdministrator(harness);
    await other.post(`/users/${id}/block`);
    const total = async (query: string) => (await admin.get(`/audit?${query}`)).body.total;
    expect(await total(`actor=${other.uid}`)).toBe(1);
    expect(await total(`kind=user&id=${id}&action=user.block`)).toBe(1);
    expect(await total(`id=${id}&action=user.unblock`)).toBe(0);
    expect(await total('from=2999-01-01T00:00:00Z')).toBe(0);
    expect(await total(`actor=${other.uid}&to=2999-01-01T00:00:00Z`)).toBe(1);
    expect((await admin.get('/audit?from=yesterday')).status).toBe(400);
  });
});

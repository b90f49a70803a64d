import { ApplicationsService } from '../../../src/oauth/applications.service';
import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, aUserOf } from './administrators';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const USERS = '/admin/v1/users';
const refused = [403, 1000];
const outcome = async (token?: string): Promise<unknown[]> => {
  const { status, body } = await harness.call(USERS, { token });
  return [status, body.code];
};
const admin = { scopes: ['admin'], approved: ['admin'] };

describe('the administration API', () => {
  it('200: accepts an administrator, without a rate limit', async () => {
    const { token } = await anAdministrator(harness);
    const { status, headers } = await harness.call(USERS, { token });
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
  });

  it('403: rejects a member whose token has the scope', async () => {
    const { id } = await aUserOf(harness, 'member');
    expect(await outcome(await harness.token({ userId: id, ...admin }))).toEqual(refused);
  });

  it('403: rejects an administrator whose token has every other scope', async () => {
    const { id } = await aUserOf(harness, 'administrator');
    expect(await outcome(await harness.token({ userId: id }))).toEqual(refused);
  });

  it('403: rejects an application without a user, and anonymous callers', async () => {
    expect(await outcome(await harness.token(admin))).toEqual(refused);
    expect(await outcome()).toEqual(refused);
  });

  it('403: rejects a former administrator as soon as the role is removed', async () => {
    const [one, other] = [await anAdministrator(harness), await anAdministrator(harness)];
    expect((await other.get('/users')).status).toBe(200);
    expect((await one.put(`/users/${other.id}/role`, { role: 'member' })).status).toBe(202);
    expect(await outcome(other.token)).toEqual(refused);
    await one.put(`/users/${other.id}/role`, { role: 'administrator' });
    expect((await other.get('/users')).status).toBe(200);
  });

  it('404: responds to unknown paths like the rest of the API', async () => {
    const { token } = await anAdministrator(harness);
    const { status, body } = await harness.call('/admin/v1/nothing', { token });
    expect([status, body]).toEqual([
      404,
      { msg: 'uri_not_found', code: 1001, request: 'GET /admin/v1/nothing' },
    ]);
  });
});

describe('the scope admin', () => {
  it('is in no list of scopes, and new applications do not have it', async () => {
    const { body } = await harness.call('/.well-known/oauth-authorization-server');
    expect(body.scopes_supported).not.toContain('admin');
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const { clientId, scopes } = await applications.create({ name: 'plain' });
    expect(scopes).not.toContain('admin');
    await expect(applications.issue({ clientId, scopes: ['admin'], ttl: 60 })).rejects.toThrow(
      /not approved/,
    );
  });

  it('is not granted with client_credentials, even to an approved application', async () => {
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const { clientId, clientSecret } = await applications.create({
      name: 'approved',
      scopes: ['admin', 'book_basic_r'],
    });
    const ask = (scope: string) =>
      harness.call('/service/auth2/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: String(clientSecret),
          scope,
        }),
      });
    expect((await ask('book_basic_r')).status).toBe(200);
    const { status, body } = await ask('admin');
    expect([status, body.code]).toEqual([400, 125]);
  });

  it('cannot be requested by the owner of an application', async () => {
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    const { clientId } = await applications.create({ name: 'asking' });
    const asking = approvals.requestApproval(clientId, { scopes: ['admin'] }, { actor: 'owner' });
    await expect(asking).rejects.toThrow(/cannot request the scope admin/);
  });
});

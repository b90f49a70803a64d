import { ApplicationsService } from '../../../src/oauth/applications.service';
import { startHarness, type Harness } from '../../harness';
import { AccessController } from './probe.access';
import { probing } from './probe.module';

describe('apikey (specification section 5, D15)', () => {
  let harness: Harness;
  let apikey: string;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(AccessController) });
    ({ clientId: apikey } = await harness.app
      .get(ApplicationsService, { strict: false })
      .create({ name: 'with a key' }));
  });
  afterAll(() => harness.close());

  it('identifies the calling application', async () => {
    const { status, body } = await harness.call(`/v2/probe/book?apikey=${apikey}`);
    expect(status).toBe(200);
    expect(body).toEqual({ application: apikey, user: null, hasToken: false });
  });

  it('is ignored when empty', async () => {
    const { status, body } = await harness.call('/v2/probe/book?apikey=');
    expect([status, body.application]).toEqual([200, null]);
  });

  it('does not replace a token: 403, code 1000', async () => {
    const { status, body } = await harness.call(`/v2/probe/common?apikey=${apikey}`);
    expect([status, body.code]).toEqual([403, 1000]);
  });

  it('may accompany a token, which determines the caller', async () => {
    const token = await harness.token();
    const { status, body } = await harness.call(`/v2/probe/common?apikey=${apikey}`, { token });
    expect([status, body.hasToken]).toEqual([200, true]);
  });

  it.each(['nobody', "'--", '%00', '%E4%B8%AD', 'a'.repeat(3000)])(
    'that is unknown is 401, code 104: %s',
    async (unknown) => {
      const { status, body } = await harness.call(`/v2/probe/book?apikey=${unknown}`);
      expect(status).toBe(401);
      expect(body).toEqual({ msg: 'invalid_apikey', code: 104, request: 'GET /v2/probe/book' });
    },
  );

  it('that is unknown is 401 also with a valid token', async () => {
    const token = await harness.token();
    const { status, body } = await harness.call('/v2/probe/common?apikey=nobody', { token });
    expect([status, body.code]).toEqual([401, 104]);
  });

  it('that is repeated is malformed: 400, code 999 (D5)', async () => {
    const { status, body } = await harness.call(`/v2/probe/book?apikey=${apikey}&apikey=x`);
    expect([status, body.code]).toEqual([400, 999]);
  });

  it('of a blocked application is 403, code 105', async () => {
    const { clientId } = await harness.app
      .get(ApplicationsService, { strict: false })
      .create({ name: 'blocked' });
    await harness.source.query('UPDATE applications SET blocked_at = now() WHERE client_id = $1', [
      clientId,
    ]);
    const { status, body } = await harness.call(`/v2/probe/book?apikey=${clientId}`);
    expect(status).toBe(403);
    expect(body).toEqual({ msg: 'apikey_is_blocked', code: 105, request: 'GET /v2/probe/book' });
  });
});

import { ApplicationsService } from '../../../src/oauth/applications.service';
import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { insertTestKey } from '../../../src/oauth/test-keys';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, changesOf, type Administrator } from './administrators';

let harness: Harness;
let admin: Administrator;
let applications: ApplicationsService;
beforeAll(async () => {
  harness = await startHarness();
  admin = await anAdministrator(harness);
  applications = harness.app.get(ApplicationsService, { strict: false });
});
afterAll(() => harness.close());

const BLOCK = { reason: 'abuse', contact: 'help@service.example' };

const make = async (name: string): Promise<string> =>
  (await applications.create({ name, scopes: ['book_basic_r'] })).clientId;

describe('applications', () => {
  it('200: are listed by name, and filtered by pending requests', async () => {
    const [one, other] = [await make('Needle one'), await make('needle two')];
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    await approvals.requestApproval(one, { scopes: ['movie_advance_r'] }, { actor: 'owner' });
    const names = async (query: string) =>
      (await admin.get(`/applications?${query}`)).body.applications.map(
        ({ client_id }: { client_id: string }) => client_id,
      );
    expect(await names('q=NEEDLE')).toEqual([other, one]);
    expect(await names('q=needle&state=waiting')).toEqual([one]);
    const { body } = await admin.get('/applications?q=needle&start=1&count=1');
    expect([body.start, body.count, body.total]).toEqual([1, 1, 2]);
    expect(body.applications[0].states).toEqual({ movie_advance_r: 'asked' });
  });

  it('200: are approved, declined and suspended; the audit log has the actor and the reason', async () => {
    const id = await make('decided');
    const approved = await admin.post(`/applications/${id}/approve`, {
      scopes: ['movie_advance_r'],
      level: 'L2',
      reason: 'known people',
    });
    expect([approved.status, approved.body.level, approved.body.scopes]).toEqual([
      200,
      'L2',
      ['book_basic_r', 'movie_advance_r'],
    ]);
    const [decision] = approved.body.decisions;
    expect([decision.actor, decision.reason]).toEqual([admin.uid, 'known people']);
    await admin.post(`/applications/${id}/suspend`, { scopes: ['movie_advance_r'], reason: 'r' });
    const bare = await admin.post(`/applications/${id}/decline`, { scopes: 'book_basic_w' });
    expect([bare.status, bare.headers.get('x-error-detail')]).toEqual([
      400,
      'a reason is required to decline; the developer reads it',
    ]);
    const refusal = { scopes: 'book_basic_w', reason: 'for partners' };
    const declined = await admin.post(`/applications/${id}/decline`, refusal);
    expect(declined.body.states).toMatchObject({
      movie_advance_r: 'suspended',
      book_basic_w: 'declined',
    });
    const changes = await changesOf(admin, 'application', id);
    expect(changes.map(({ action, actor }) => [action, actor])).toEqual([
      ['application.decline', admin.uid],
      ['application.suspend', admin.uid],
      ['application.approve', admin.uid],
    ]);
    expect(changes[2]).toMatchObject({
      before: { scopes: ['book_basic_r'], level: 'L1' },
      after: { scopes: ['book_basic_r', 'movie_advance_r'], level: 'L2' },
    });
  });

  it('never show their secrets in responses or in the audit log', async () => {
    const { clientId, clientSecret } = await applications.create({ name: 'secret' });
    await admin.post(`/applications/${clientId}/block`, {
      reason: 'x',
      contact: 'help@service.example',
    });
    const { text } = await admin.get(`/applications/${clientId}`);
    const log = (await admin.get(`/audit?id=${clientId}`)).text;
    expect(log).toContain('application.block');
    for (const shown of [text, log]) expect(shown).not.toContain(String(clientSecret));
  });

  it('200: are blocked and unblocked, with their tokens', async () => {
    const id = await make('blocked');
    const token = await applications.issue({ clientId: id, scopes: ['book_basic_r'], ttl: 60 });
    const code = async () => (await harness.call('/v2/book/search?q=x', { token })).body.code;
    expect(await code()).toBeUndefined();
    const { body } = await admin.post(`/applications/${id}/block`, BLOCK);
    expect([body.blocked, body.blocked_reason, await code()]).toEqual([true, 'abuse', 105]);
    await admin.post(`/applications/${id}/unblock`);
    expect(await code()).toBeUndefined();
  });

  it('decide about no test key apart from its application: 400 (D171)', async () => {
    const id = await make('tested');
    const testKey = `${id}test`;
    const [{ own }] = await harness.source.query(
      'SELECT id::float8 AS own FROM applications WHERE client_id = $1',
      [id],
    );
    await harness.database.transaction((executor) => insertTestKey(executor, own, testKey));
    const approval = { scopes: ['movie_premium_r'], level: 'L3', reason: 'x' };
    await admin.post(`/applications/${id}/block`, BLOCK);
    for (const [action, body] of [
      ['approve', approval],
      ['decline', approval],
      ['suspend', approval],
      ['block', { ...BLOCK, reason: 'another' }],
      ['unblock', {}],
    ] as const) {
      const { status, headers } = await admin.post(`/applications/${testKey}/${action}`, body);
      expect([status, headers.get('x-error-detail')]).toEqual([
        400,
        `decisions apply to the application of a test key, not to the test key itself: ${id}`,
      ]);
    }
    const { body } = await admin.get(`/applications/${testKey}`);
    expect(body).toMatchObject({ scopes: ['book_basic_r'], level: 'L1', blocked: true });
    expect(body.blocked_reason).toBe(BLOCK.reason);
  });

  it('are blocked with a reason and a contact, which 105 names and the developer sees', async () => {
    const id = await make('notice');
    for (const [body, code] of [
      [{}, 1002],
      [{ reason: 'abuse' }, 1002],
      [{ contact: BLOCK.contact }, 1002],
      [{ ...BLOCK, reason: ' ' }, 1002],
      [{ ...BLOCK, contact: 'nobody' }, 999],
    ] as const) {
      const { status, body: error } = await admin.post(`/applications/${id}/block`, body);
      expect([status, error.code]).toEqual([400, code]);
    }
    const { body } = await admin.post(`/applications/${id}/block`, BLOCK);
    expect(body).toMatchObject({ blocked_reason: 'abuse', blocked_contact: BLOCK.contact });
    const refused = await harness.call(`/v2/book/1?apikey=${id}&error_detail=1`);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({
        code: 105,
        detail: `the application is blocked; reason: abuse; contact: ${BLOCK.contact}`,
      }),
    ]);
    const { body: again } = await admin.post(`/applications/${id}/unblock`);
    expect(again).toMatchObject({ blocked: false, blocked_reason: '', blocked_contact: '' });
  });

  it.each(['token', 'revoke', 'introspect'])(
    'that are blocked get the reason and the contact from the endpoint %s, too (105)',
    async (endpoint) => {
      const made = await applications.create({ name: endpoint, scopes: ['book_basic_r'] });
      await admin.post(`/applications/${made.clientId}/block`, { ...BLOCK, reason: '滥用' });
      const { status, body, headers } = await harness.call(`/service/auth2/${endpoint}`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: made.clientId,
          client_secret: String(made.clientSecret),
          grant_type: 'client_credentials',
          token: 'any',
        }),
      });
      expect([status, body]).toMatchObject([400, { code: 105, error: 'unauthorized_client' }]);
      const detail = decodeURIComponent(headers.get('x-error-detail') ?? '');
      expect(detail).toContain(`reason: 滥用; contact: ${BLOCK.contact}`);
      // RFC 6749 allows ASCII only.
      expect(body.error_description).toContain(`reason: ??; contact: ${BLOCK.contact}`);
    },
  );

  it('202: they have a rate limit override that can be set and removed', async () => {
    const id = await make('limited');
    const path = `/applications/${id}/limit`;
    const set = await admin.put(path, { per_hour: 7 });
    expect([set.status, set.body.limit_per_hour]).toEqual([202, 7]);
    expect((await admin.remove(path)).body.limit_per_hour).toBeNull();
  });

  it('a no-op change is not in the audit log', async () => {
    const id = await make('same');
    await admin.put(`/applications/${id}/limit`, { per_hour: 7 });
    await admin.put(`/applications/${id}/limit`, { per_hour: 7 });
    expect(await changesOf(admin, 'application', id)).toHaveLength(1);
  });

  it('200: a repeated decision changes nothing and is not in the audit log', async () => {
    const id = await make('again');
    const say = async (verb: string, body: object = {}) => {
      const { status } = await admin.post(`/applications/${id}/${verb}`, body);
      return [status, (await changesOf(admin, 'application', id)).length];
    };
    const scopes = ['movie_advance_r'];
    expect(await say('approve', { scopes: ['book_basic_r'], level: 'L1' })).toEqual([200, 0]);
    expect(await say('unblock')).toEqual([200, 0]);
    let changes = 0;
    for (const [verb, body] of [
      ['approve', { scopes, level: 'L2' }],
      ['suspend', { scopes, reason: 'r' }],
      ['decline', { scopes, reason: 'r' }],
      ['decline', { level: 'L2', reason: 'r' }],
      ['block', BLOCK],
      ['block', { ...BLOCK, reason: 'more abuse' }],
      ['block', { ...BLOCK, contact: 'https://service.example/help' }],
      ['unblock', {}],
    ] as const) {
      changes += 1;
      expect([verb, ...(await say(verb, body))]).toEqual([verb, 200, changes]);
      expect([verb, ...(await say(verb, body))]).toEqual([verb, 200, changes]);
    }
    await say('block', BLOCK);
    await say('block', { ...BLOCK, reason: ' abuse ' });
    const { blocked_reason, decisions } = (await admin.get(`/applications/${id}`)).body;
    expect([blocked_reason, decisions.length]).toEqual(['abuse', changes + 2]);
    // Of several, those that hold already stay as they are.
    await say('approve', { scopes: ['book_basic_r', ...scopes], reason: 'asked for' });
    const after = (await admin.get(`/applications/${id}`)).body;
    expect(after.scopes).toEqual(['book_basic_r', ...scopes]);
    expect([after.decisions[0].subject, after.decisions[1].subject]).toEqual([
      ...[scopes[0], 'application'],
    ]);
  });

  it.each([
    ['approve', {}, 400, 999],
    ['approve', { scopes: ['nonsense'] }, 400, 999],
    ['approve', { scopes: [{}] }, 400, 999],
    ['approve', { level: 'L9' }, 400, 999],
  ])('%s with %j returns %d and changes nothing', async (verb, body, status, code) => {
    const id = await make('refused');
    const response = await admin.post(`/applications/${id}/${verb}`, body);
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect(await changesOf(admin, 'application', id)).toEqual([]);
  });

  it('404: unknown applications', async () => {
    for (const response of [
      await admin.get('/applications/nobody'),
      await admin.post('/applications/nobody/block', BLOCK),
      await admin.post('/applications/nobody/approve', { level: 'L2' }),
      await admin.put('/applications/nobody/limit', { per_hour: 1 }),
    ]) {
      expect([response.status, response.body.code]).toEqual([404, 1001]);
    }
  });
});

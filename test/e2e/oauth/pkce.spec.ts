import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import {
  aClient,
  authorizationOf,
  CHALLENGE,
  codeFor,
  exchange,
  refused,
  VERIFIER,
  type TestClient,
} from './flows';

let harness: Harness;
let browser: Browser;
let confidential: TestClient;
let open: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  confidential = await aClient(harness);
  open = await aClient(harness, { isPublic: true });
});
afterAll(() => harness.close());

const clientOf = (kind: string): TestClient => (kind === 'public' ? open : confidential);
const KINDS = ['public', 'confidential'];
const INVALID = refused('invalid_grant', 118, 'invalid_authorization_code');

describe.each(KINDS)('the verifier of a %s client (RFC 7636)', (kind) => {
  it('matches its challenge', async () => {
    const code = await codeFor(browser, clientOf(kind));
    expect((await exchange(harness, clientOf(kind), code)).status).toBe(200);
  });

  it.each([
    ['wrong', VERIFIER.replace('d', 'e')],
    ['missing', ''],
    // The challenge itself, as if the method were "plain".
    ['plain', CHALLENGE],
  ])('must not be %s', async (_, code_verifier) => {
    const code = await codeFor(browser, clientOf(kind));
    const { status, body } = await exchange(harness, clientOf(kind), code, { code_verifier });
    expect([status, body]).toEqual([400, INVALID]);
  });

  it.each(['short', `${VERIFIER} `, 'x'.repeat(129), `${VERIFIER}\u00e9`])(
    'must be one: "%s"',
    async (code_verifier) => {
      const code = await codeFor(browser, clientOf(kind));
      const { status, body } = await exchange(harness, clientOf(kind), code, { code_verifier });
      expect(status).toBe(400);
      expect(['invalid_grant', 'invalid_request']).toContain(body.error);
    },
  );

  it('can be tried once: a wrong one revokes the code', async () => {
    const code = await codeFor(browser, clientOf(kind));
    const wrong = { code_verifier: 'x'.repeat(43) };
    expect((await exchange(harness, clientOf(kind), code, wrong)).status).toBe(400);
    const { status, body } = await exchange(harness, clientOf(kind), code);
    expect([status, body]).toEqual([400, INVALID]);
  });
});

describe('the challenge', () => {
  const errorOf = async (kind: string, more: Record<string, string | undefined>) => {
    const { status, headers } = await browser.open(authorizationOf(clientOf(kind), more));
    const { searchParams } = new URL(String(headers.get('location')));
    return [status, searchParams.get('error'), searchParams.has('code')];
  };
  const WRONG = [303, 'invalid_request', false];

  it('is required of a public client (downgrade)', async () => {
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    expect(await errorOf('public', without)).toEqual(WRONG);
    expect(await errorOf('public', { code_challenge: undefined })).toEqual(WRONG);
    expect(await errorOf('public', { ...without, code_challenge: '' })).toEqual(WRONG);
  });

  it.each(KINDS)('of a %s client cannot be plain', async (kind) => {
    for (const code_challenge_method of ['plain', 's256', 'S512', undefined]) {
      expect(await errorOf(kind, { code_challenge_method })).toEqual(WRONG);
    }
  });

  it.each(KINDS)('of a %s client must be a SHA-256', async (kind) => {
    for (const code_challenge of ['x', `${CHALLENGE}=`, CHALLENGE.slice(1), `${CHALLENGE}x`]) {
      expect(await errorOf(kind, { code_challenge })).toEqual(WRONG);
    }
  });

  it('must exist when a verifier is sent: one that was removed on the way is detected', async () => {
    const code = await codeFor(browser, confidential, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const { status, body } = await exchange(harness, confidential, code);
    expect([status, body]).toEqual([400, INVALID]);
  });

  it('may be omitted by a client with a secret, which then sends no verifier', async () => {
    const code = await codeFor(browser, confidential, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const { status } = await exchange(harness, confidential, code, { code_verifier: '' });
    expect(status).toBe(200);
  });

  it('cannot be replaced in the submitted consent form', async () => {
    const request = authorizationOf(open);
    const without = { code_challenge: '', code_challenge_method: '', decision: 'allow' };
    const { headers } = await browser.fill(request, '/service/auth2/auth', without);
    const { searchParams } = new URL(String(headers.get('location')));
    expect([searchParams.get('error'), searchParams.has('code')]).toEqual([
      'invalid_request',
      false,
    ]);
  });
});

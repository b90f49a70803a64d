import fc from 'fast-check';
import { startHarness, type Harness } from '../../harness';
import { Browser, formBody, type Fields } from './browser';
import { aClient, AUTH, REDIRECT, TOKEN, VERIFIER, type TestClient } from './flows';

let harness: Harness;
let browser: Browser;
let client: TestClient;
let own: string;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
  const made = await browser.fillAndFollow(
    '/service/developer',
    '/service/developer/applications',
    {
      name: 'Own',
      redirect_uris: '',
    },
  );
  own = String(/href="([^"]+)\/settings"/.exec(made.text)?.[1]);
});
afterAll(() => harness.close());

/** Random values, some of them valid. */
const value = fc.oneof(
  fc.constantFrom(
    ...['authorization_code', 'refresh_token', 'client_credentials', 'code', 'S256', 'allow'],
    ...['book_basic_r', 'movie_advance_r', 'L2', 'yes', REDIRECT, VERIFIER, '', ' ', '\u0000'],
    ...['__proto__', 'constructor', '\ud83d\ude00', '%00', '%', "'", '"', '\\', '\r\n', '\u202e'],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);

const NAMES = [
  ...['grant_type', 'code', 'refresh_token', 'redirect_uri', 'code_verifier', 'scope', 'token'],
  ...['token_type_hint', 'response_type', 'state', 'code_challenge', 'code_challenge_method'],
  ...['response_mode', 'decision', 'name', 'redirect_uris', 'kind', 'level', 'reason', 'agreed'],
  ...['return_to', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
];

const fields = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(value, fc.array(value, { minLength: 2, maxLength: 3 })),
  { maxKeys: 8, noNullPrototype: true },
);

/** Text with lone halves of surrogate pairs cannot be sent as a form. */
const sendable = (input: Fields): Fields =>
  Object.fromEntries(
    Object.entries(input).map(([name, one]) => [
      name,
      [one].flat().map((text) => text.toWellFormed()),
    ]),
  );

/** The same seed sends the same. */
const RUNS = { numRuns: 150, seed: 20131225 };

describe('random input', () => {
  it.each([TOKEN, '/service/auth2/revoke', '/service/auth2/introspect'])(
    'to %s gets a response in the right format, and never 500',
    async (path) => {
      const { clientId: client_id, secret: client_secret = '' } = client;
      await fc.assert(
        fc.asyncProperty(fields, async (input) => {
          const body = formBody({ ...sendable(input), client_id, client_secret });
          const { status, body: response } = await harness.call(path, { method: 'POST', body });
          expect([200, 400]).toContain(status);
          if (status === 200) return;
          expect(response).toEqual({
            error: expect.stringMatching(/^[a-z_]+$/),
            error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
            code: expect.any(Number),
            msg: expect.any(String),
            request: `POST ${path}`,
          });
        }),
        RUNS,
      );
    },
  );

  it('to the authorization endpoint redirects to the client or nowhere', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (input, isKnown) => {
        const query = formBody({
          ...(isKnown ? { redirect_uri: REDIRECT } : {}),
          ...sendable(input),
          client_id: client.clientId,
        });
        const { status, headers } = await browser.open(`${AUTH}?${query.toString()}`);
        seen.add(status);
        const to = headers.get('location');
        if (to !== null) expect(to.startsWith(`${REDIRECT}?`)).toBe(true);
      }),
      RUNS,
    );
    expect([...seen].sort()).toEqual([303, 400]);
  });

  it('in a form never causes 500 or a redirect to another site', async () => {
    const form_token = await browser.formToken();
    const actions = [AUTH, `${own}/settings`, `${own}/request`, '/service/account/revoke'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...actions), fields, async (action, input) => {
        const { clientId: client_id } = client;
        const all = { ...sendable(input), form_token, client_id };
        const { status, headers } = await browser.post(action, all);
        expect([200, 303, 400]).toContain(status);
        const to = headers.get('location');
        if (to !== null) expect(to).toMatch(/^(\/service\/|https:\/\/client\.example\/callback\?)/);
      }),
      RUNS,
    );
  });
});

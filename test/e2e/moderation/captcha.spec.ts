import { createHash } from 'node:crypto';
import { CaptchaService, type CaptchaChallenge } from '../../../src/moderation/captcha.service';
import { CaptchaSweeper } from '../../../src/moderation/captcha.sweeper';
import { Factories } from '../../factories/factories';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { expectRefused, writer, type Writer } from '../books/writes';

const AFTER = 3;

let harness: Harness;
let make: Factories;
let user: Writer;
let path: string;
beforeAll(async () => {
  harness = await startHarness({
    settings: { CAPTCHA_AFTER: String(AFTER), CAPTCHA_DIFFICULTY: '500' },
  });
  make = new Factories(harness.database);
});
beforeEach(async () => {
  user = await writer(harness, (await make.aUser()).id);
  path = `/v2/book/${await make.aBook()}/collection`;
  await user.post(path, { status: 'wish' });
});
afterAll(() => harness.close());

/** As a client does it who knows nothing but the documentation. */
function solve({ challenge, salt, maxnumber }: CaptchaChallenge): number {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return number;
  }
  throw new Error('there is no solution');
}

const challenge = async (): Promise<CaptchaChallenge> =>
  (await harness.call('/v2/captcha')).body as CaptchaChallenge;
const solved = async () => {
  const issued = await challenge();
  return { captcha_id: issued.captcha_id, captcha_solution: solve(issued) };
};
const write = (fields = {}, by = user): Promise<TestResponse> =>
  by.put(path, { status: 'read', ...fields });
/** Writes until there may be no more without a challenge. */
const exhaust = async (): Promise<void> => {
  for (let time = 1; time < AFTER; time += 1) expect((await write()).status).toBe(202);
};

describe('GET /v2/captcha', () => {
  it('200: returns a challenge to any caller, and must not be cached', async () => {
    const response = await harness.call('/v2/captcha');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.body).toEqual({
      captcha_id: expect.any(String) as string,
      algorithm: 'SHA-256',
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      maxnumber: 500,
      salt: expect.any(String) as string,
      signature: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      expires_in: 600,
    });
    expect((await challenge()).captcha_id).not.toBe(response.body.captcha_id);
  });
});

describe('a user who writes too often', () => {
  beforeEach(exhaust);

  it('403, 1007: must solve a challenge, and gets its address', async () => {
    const response = await write();
    expectRefused(response, 403, 1007);
    expect(response.body.msg).toBe('need_captcha');
    expect(response.headers.get('x-error-detail')).toContain('/v2/captcha');
    expect((await user.get(path)).status).toBe(200);
  });

  it('202: can continue to write after sending a solution', async () => {
    expect((await write(await solved())).status).toBe(202);
    await exhaust();
    expectRefused(await write(), 403, 1007);
  });

  it('403, 1007: must also solve it when writing with another application (D52)', async () => {
    const elsewhere = await writer(harness, user.id);
    expectRefused(await write({}, elsewhere), 403, 1007);
    expect((await write(await solved(), elsewhere)).status).toBe(202);
    // Solved once, it is solved for all of them.
    expect((await write()).status).toBe(202);
    expect((await write({}, elsewhere)).status).toBe(202);
    expectRefused(await write({}, await writer(harness, user.id)), 403, 1007);
  });

  it.each(['query', 'JSON', 'multipart', 'DELETE without a body'])(
    'can send the solution in a %s',
    async (how) => {
      const token = await harness.token({ userId: user.id });
      const { captcha_id, captcha_solution } = await solved();
      const query = `?captcha_id=${captcha_id}&captcha_solution=${captcha_solution}`;
      const call = (more: object): Promise<TestResponse> =>
        harness.call(path, { method: 'PUT', token, ...more });
      const body = new FormData();
      body.append('status', 'read');
      const form = () => new URLSearchParams({ status: 'read' });
      for (let time = 0; time < AFTER; time += 1) await call({ body: form() });
      expectRefused(await call({ body: form() }), 403, 1007);
      if (how === 'query') {
        const response = await harness.call(path + query, { method: 'PUT', token, body: form() });
        expect(response.status).toBe(202);
      } else if (how === 'JSON') {
        const json = JSON.stringify({ status: 'read', captcha_id, captcha_solution });
        const headers = { 'content-type': 'application/json' };
        expect((await call({ headers, body: json })).status).toBe(202);
      } else if (how === 'multipart') {
        body.append('captcha_id', captcha_id);
        body.append('captcha_solution', String(captcha_solution));
        expect((await call({ body })).status).toBe(202);
      } else {
        expect((await harness.call(path + query, { method: 'DELETE', token })).status).toBe(204);
      }
    },
  );

  it('can send the payload of the ALTCHA widget as the solution', async () => {
    const issued = await challenge();
    const { algorithm, salt, signature } = issued;
    const payload = {
      algorithm,
      challenge: issued.challenge,
      number: solve(issued),
      salt,
      signature,
    };
    const captcha_solution = Buffer.from(JSON.stringify(payload)).toString('base64');
    const response = await write({ captcha_id: issued.captcha_id, captcha_solution });
    expect(response.status).toBe(202);
  });

  it.each<[string, (right: Awaited<ReturnType<typeof solved>>) => object]>([
    ['another number', (right) => ({ ...right, captcha_solution: right.captcha_solution + 1 })],
    ['no solution', ({ captcha_id }) => ({ captcha_id })],
    ['no id', ({ captcha_solution }) => ({ captcha_solution })],
    ['an empty id', (right) => ({ ...right, captcha_id: '' })],
    ['another id', (right) => ({ ...right, captcha_id: `${right.captcha_id}xx` })],
    ['a letter after the id', (right) => ({ ...right, captcha_id: `${right.captcha_id}A` })],
    ['a sign in the id', (right) => ({ ...right, captcha_id: `!${right.captcha_id}` })],
    ['padding after the id', (right) => ({ ...right, captcha_id: `${right.captcha_id}=` })],
    ['an id of nothing', (right) => ({ ...right, captcha_id: 'é\u0000%' })],
    ['no number', (right) => ({ ...right, captcha_solution: 'null' })],
    ['base64 of nothing', (right) => ({ ...right, captcha_solution: 'bnVsbA==' })],
    ['a huge number', (right) => ({ ...right, captcha_solution: '9'.repeat(400) })],
    ['a negative number', (right) => ({ ...right, captcha_solution: -right.captcha_solution - 1 })],
  ])('403, 1007 with %s', async (_what, wrong) => {
    expectRefused(await write(wrong(await solved())), 403, 1007);
  });

  it('403, 1007 with a solution that was used before, also by another user', async () => {
    const right = await solved();
    expect((await write(right)).status).toBe(202);
    await exhaust();
    const again = await write(right);
    expectRefused(again, 403, 1007);
    expect(again.headers.get('x-error-detail')).toContain('already used');
  });

  it('403, 1007 with digits moved from the solution into the challenge', async () => {
    const issued = await challenge();
    const number = String(solve(issued));
    expect((await write({ captcha_id: issued.captcha_id, captcha_solution: number })).status).toBe(
      202,
    );
    await exhaust();
    const id = Buffer.from(`${issued.salt}${number.slice(0, 1)}${issued.signature}`);
    const captcha_id = id.toString('base64url');
    const response = await write({ captcha_id, captcha_solution: number.slice(1) || '0' });
    expectRefused(response, 403, 1007);
  });

  it('403, 1007 with a challenge that has expired, or whose expiry was changed', async () => {
    const service = harness.app.get(CaptchaService, { strict: false });
    const late = await service.challenge(-1);
    const response = await write({ captcha_id: late.captcha_id, captcha_solution: solve(late) });
    expectRefused(response, 403, 1007);
    expect(response.headers.get('x-error-detail')).toContain('expired');
    const salt = late.salt.replace(/expires=\d+/, 'expires=9999999999');
    const captcha_id = Buffer.from(salt + late.signature).toString('base64url');
    expectRefused(await write({ captcha_id, captcha_solution: solve(late) }), 403, 1007);
  });

  it('a challenge is accepted once of many concurrent uses', async () => {
    const right = await solved();
    const responses = await Promise.all(Array.from({ length: 8 }, () => write(right)));
    expect(responses.filter(({ status }) => status === 202).length).toBeLessThanOrEqual(AFTER);
    const spent = await harness.source.query<unknown[]>('SELECT 1 FROM used_captchas');
    expect(spent.length).toBeGreaterThan(0);
  });

  it('can read without a challenge, and does not affect other users', async () => {
    expectRefused(await write(), 403, 1007);
    expect((await user.get(path)).status).toBe(200);
    const other = await writer(harness, (await make.aUser()).id);
    expect((await other.post(path, { status: 'wish' })).status).toBe(201);
    expect((await harness.call('/v2/captcha')).status).toBe(200);
  });
});

describe('a retry with an Idempotency-Key', () => {
  it('counts as the same request with and without a solution', async () => {
    const place = `/v2/book/${await make.aBook()}/collection`;
    await exhaust();
    const headers = { 'idempotency-key': 'k' };
    expectRefused(await user.post(place, { status: 'read' }, headers), 403, 1007);
    const first = await user.post(place, { status: 'read', ...(await solved()) }, headers);
    expect(first.status).toBe(201);
    const again = await user.post(place, { status: 'read' }, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

it('an unnecessary solution is not used up', async () => {
  const right = await solved();
  expect((await write(right)).status).toBe(202);
  expect((await write()).status).toBe(202);
  expectRefused(await write(), 403, 1007);
  expect((await write(right)).status).toBe(202);
});

it('used challenges are deleted after they expire', async () => {
  await exhaust();
  await write(await solved());
  await harness.source.query(`UPDATE used_captchas SET expires_at = now() - interval '2 hours'`);
  await harness.app.get(CaptchaSweeper, { strict: false }).run(new AbortController().signal);
  expect(await harness.source.query('SELECT 1 FROM used_captchas')).toEqual([]);
});

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { BodyInterceptor } from '../../../src/api/body/body.interceptor';
import { Factories } from '../../factories/factories';
import { type Harness, type TestResponse } from '../../harness';
import { anAdministrator } from '../admin/administrators';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { until } from '../process/programs';

interface Pieces {
  readonly method?: string;
  readonly path: string;
  readonly token: string;
  readonly type?: string;
  readonly body: Buffer;
}

/** A request whose head the guards have admitted; `end` sends the rest of its body. */
async function beginRequest(
  harness: Harness,
  { method = 'POST', path, token, type = 'application/json', body }: Pieces,
): Promise<{ end: () => Promise<Omit<TestResponse, 'text'>> }> {
  const reached = jest.spyOn(harness.app.get(BodyInterceptor, { strict: false }), 'intercept');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': type,
    'content-length': body.length,
  };
  const request = httpRequest(harness.origin + path, { method, headers });
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  request.write(body.subarray(0, 5));
  await until(() => Promise.resolve(reached.mock.calls.length > 0));
  reached.mockRestore();
  return {
    end: async () => {
      request.end(body.subarray(5));
      const [response] = await responded;
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      return {
        status: response.statusCode ?? 0,
        headers: new Headers(response.headers as Record<string, string>),
        body: JSON.parse(Buffer.concat(pieces).toString()) as unknown,
      };
    },
  };
}

const NOTE = Buffer.from(JSON.stringify({ title: 'A title', content: 'Some text.' }));

describe.each(['0', '60'])('with TOKEN_CACHE_SECONDS=%s', (seconds) => {
  let harness: Harness;
  let make: Factories;
  let lookUps: number;
  beforeAll(async () => {
    harness = await startWithPictures({ TOKEN_CACHE_SECONDS: seconds, LIMIT_USER_L1: '100' });
    make = new Factories(harness.database);
    harness.database.onStatement = (name) => {
      if (name === 'oauth.token') lookUps += 1;
    };
  });
  beforeEach(() => {
    lookUps = 0;
  });
  afterAll(() => harness.close());

  const aToken = async () => {
    const { id: userId } = await make.aUser();
    return { userId, token: await harness.token({ userId, level: 'L1' }) };
  };
  const query = (sql: string, ...values: unknown[]) => harness.source.query(sql, values);
  const count = async (table: string): Promise<number> => {
    const [{ n }] = await harness.source.query(`SELECT count(*)::int AS n FROM ${table}`);
    return n;
  };
  const post = (token: string) =>
    harness.call('/v2/notes', {
      ...{ method: 'POST', token, body: NOTE },
      headers: { 'content-type': 'application/json' },
    });
  const shown = ({ status, headers, body }: Omit<TestResponse, 'text'>) => [
    status,
    body.code,
    headers.get('www-authenticate'),
    headers.get('x-error-detail'),
  ];

  const TOKEN = 'hash = sha256($1::bytea)';
  const APPLICATION = `id = (SELECT application_id FROM access_tokens WHERE ${TOKEN})`;
  const CHANGES = {
    'its token is revoked': [
      `UPDATE access_tokens SET revoked_at = now() WHERE ${TOKEN}`,
      [401, 103],
    ],
    'its user is blocked': [
      `UPDATE users SET blocked_at = now()
       WHERE id = (SELECT user_id FROM access_tokens WHERE ${TOKEN})`,
      [401, 122],
    ],
    'its application is blocked': [
      `UPDATE applications SET blocked_at = now() WHERE ${APPLICATION}`,
      [403, 105],
    ],
    'its application loses the approval': [
      `UPDATE applications SET scopes = '{book_basic_r}' WHERE ${APPLICATION}`,
      [404, 1001],
    ],
  } as const;

  it.each(Object.entries(CHANGES))(
    'a request writes nothing if %s while its body arrives',
    async (_name, [sql, [status, code]]) => {
      const { token } = await aToken();
      const request = await beginRequest(harness, { path: '/v2/notes', token, body: NOTE });
      await query(sql, token);
      await until(async () => (await post(token)).status === status);
      const notes = await count('notes');
      const refused = await request.end();
      expect([refused.status, refused.body]).toMatchObject([status, { code }]);
      expect(shown(refused)).toEqual(shown(await post(token)));
      expect(await count('notes')).toBe(notes);
    },
  );

  it('a request writes nothing if its token expires while its body arrives', async () => {
    const { token } = await aToken();
    const request = await beginRequest(harness, { path: '/v2/notes', token, body: NOTE });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_700_000);
    try {
      expect(await request.end()).toMatchObject({ status: 401, body: { code: 106 } });
    } finally {
      clock.mockRestore();
    }
  });

  it('a request counts once in its limits, admitted or refused after its body', async () => {
    const { token } = await aToken();
    const remaining = async (): Promise<number> => {
      const { headers } = await harness.call('/v2/rate_limit', { token });
      return Number(headers.get('x-ratelimit-remaining'));
    };
    const admitted = await beginRequest(harness, { path: '/v2/notes', token, body: NOTE });
    expect((await admitted.end()).status).toBe(201);
    expect(await remaining()).toBe(99);
    const refused = await beginRequest(harness, { path: '/v2/notes', token, body: NOTE });
    await query(CHANGES['its application loses the approval'][0], token);
    await until(async () => (await post(token)).status === 404);
    const before = await remaining();
    expect((await refused.end()).status).toBe(404);
    expect(await remaining()).toBe(before);
  });

  it('stores no picture of an upload whose token is revoked while it arrives', async () => {
    const { token } = await aToken();
    const id = await make.aBook();
    const form = new FormData();
    form.append('content', 'A picture <图片 n="1">, seen in time');
    form.append('page', '1');
    form.append('1', new Blob([new Uint8Array(await someJpeg())]), 'p.jpg');
    const message = new Response(form);
    const request = await beginRequest(harness, {
      ...{ path: `/v2/book/${id}/annotations`, token },
      type: String(message.headers.get('content-type')),
      body: Buffer.from(await message.arrayBuffer()),
    });
    await query(CHANGES['its token is revoked'][0], token);
    await until(async () => (await post(token)).status === 401);
    expect(await request.end()).toMatchObject({ status: 401, body: { code: 103 } });
    expect([await count('annotations'), await count('pictures')]).toEqual([0, 0]);
  });

  it('an administrator who loses the role while the body arrives cannot take it back', async () => {
    const [ann, bob] = [await anAdministrator(harness), await anAdministrator(harness)];
    const path = `/admin/v1/users/${ann.id}/role`;
    const body = Buffer.from(JSON.stringify({ role: 'administrator' }));
    const request = await beginRequest(harness, { method: 'PUT', path, token: ann.token, body });
    expect((await bob.put(`/users/${ann.id}/role`, { role: 'member' })).status).toBe(202);
    expect(await request.end()).toMatchObject({ status: 403, body: { code: 1000 } });
    expect((await bob.get(`/users/${ann.id}`)).body.role).toBe('member');
  });

  it('a request whose body arrives with its head looks its token up once at most', async () => {
    const { token } = await aToken();
    expect((await post(token)).status).toBe(201);
    expect(lookUps).toBe(1);
    expect((await post(token)).status).toBe(201);
    expect(lookUps).toBe(seconds === '0' ? 2 : 1);
  });
});

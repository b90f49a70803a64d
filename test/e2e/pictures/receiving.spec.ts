import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { apiDocument } from '../../../src/pages/api-documents';
import { RouteTable } from '../../../src/api/routing/route-table';
import { startHarness, type Harness } from '../../harness';
import { hold, probingPictures } from '../api/probe.uploads';
import { until } from '../process/programs';

const LIMIT = 3 * 1024 * 1024;

let harness: Harness;
let token: string;
beforeAll(async () => {
  const settings = { MAX_UPLOADS_PER_USER: '1', MAX_BODY_BYTES: '65536' };
  harness = await startHarness({ root: probingPictures, settings });
  token = await harness.token();
});
afterAll(() => harness.close());

type Part = readonly [field: string, size: number] | readonly [field: string, text: string];

function form(...parts: Part[]): FormData {
  const body = new FormData();
  for (const [field, content] of parts) {
    if (typeof content === 'string') body.append(field, content);
    else body.append(field, new Blob([Buffer.alloc(content, 7)]), 'picture.jpg');
  }
  return body;
}
const post = (path: string, ...parts: Part[]) =>
  harness.call(`/v2/probe/${path}`, { method: 'POST', token, body: form(...parts) });
const put = (...parts: Part[]) =>
  harness.call('/v2/probe/many', { method: 'PUT', token, body: form(...parts) });

describe('pictures in a body', () => {
  it('are passed with their field names, beside other parameters, in their order', async () => {
    const { status, body } = await post('three', ['note', '你好'], ['pic2', 10], ['1', 20]);
    expect(status).toBe(200);
    expect(body).toEqual({
      note: '你好',
      pictures: [
        { field: 'pic2', size: 10 },
        { field: '1', size: 20 },
      ],
    });
  });

  it('may be absent, in any encoding', async () => {
    const none = { note: 'x', pictures: [] };
    expect((await post('three', ['note', 'x'])).body).toEqual(none);
    for (const body of [new URLSearchParams({ note: 'x' }), '{"note":"x"}']) {
      const headers: Record<string, string> =
        typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      const response = await harness.call('/v2/probe/three', {
        method: 'POST',
        token,
        headers,
        body,
      });
      expect(response.body).toEqual(none);
    }
    const { body } = await harness.call('/v2/probe/three', { method: 'POST', token });
    expect(body).toEqual({ pictures: [] });
  });

  it('may be empty files, which the handler receives', async () => {
    expect((await post('three', ['1', 0])).body.pictures).toEqual([{ field: '1', size: 0 }]);
  });

  it('need a file name; without one they are text: 999', async () => {
    const { status, body } = await post('three', ['note', 'x'], ['1', 'what a picture is made of']);
    expect([status, body.code]).toEqual([400, 999]);
    expect((await post('three', ['note', 'x'], ['1', ''])).body.pictures).toEqual([]);
  });

  it('are accepted below 3 MB, and rejected from there on: 1003', async () => {
    const responses = [];
    for (const size of [LIMIT - 1, LIMIT, LIMIT + 1]) {
      const { status, body, headers } = await post('three', ['note', 'x'], ['1', size]);
      responses.push([status, body.code ?? body.pictures[0].size]);
      if (status === 400) expect(headers.get('x-error-detail')).toBe('1 is too large');
    }
    expect(responses).toEqual([
      [200, LIMIT - 1],
      [400, 1003],
      [400, 1003],
    ]);
  });

  it('may each have the maximum size in one body', async () => {
    const parts = ['1', '2', '3'].map((field): Part => [field, LIMIT - 1]);
    const { body } = await post('three', ...parts);
    expect(body.pictures.map(({ size }: { size: number }) => size)).toEqual(
      parts.map(() => LIMIT - 1),
    );
  });

  it('beyond the maximum number are unknown parameters, of any size', async () => {
    const parts: Part[] = [1, 2, 3].map((number) => [String(number), number]);
    const { status, body } = await post('three', ...parts, ['4', LIMIT + 1], ['note', 'x']);
    expect(status).toBe(200);
    expect(body.note).toBe('x');
    expect(body.pictures.map(({ field }: { field: string }) => field)).toEqual(['1', '2', '3']);
  });

  it('under an unknown field are unknown parameters, of any size', async () => {
    const { status, body } = await post('three', ['cover', LIMIT + 1], ['0', 5], ['pic1', 6]);
    expect(status).toBe(200);
    expect(body.pictures).toEqual([{ field: 'pic1', size: 6 }]);
  });

  it('are unlimited in number where the endpoint sets no limit', async () => {
    const parts = Array.from({ length: 30 }, (_, at): Part => [String(at + 1), 1000]);
    expect((await put(...parts)).body.pictures).toHaveLength(30);
  });

  it('do not raise the limit of other fields: 999', async () => {
    const large = 'x'.repeat(65_537);
    const many = Array.from({ length: 40 }, (_, at): Part => [`n${at}`, 'x'.repeat(60_000)]);
    for (const parts of [[['note', large]], many] as Part[][]) {
      const { status, body } = await post('three', ...parts);
      expect([status, body.code]).toEqual([400, 999]);
    }
  });

  it('are limited by the size of the whole body: 999', async () => {
    const parts = Array.from({ length: 5 }, (_, at): Part => [`other${at}`, LIMIT - 1]);
    const { status, body, headers } = await post('three', ...parts);
    expect([status, body.code]).toEqual([400, 999]);
    expect(headers.get('x-error-detail')).toBe('the body is too large');
  });

  it('are unknown parameters of endpoints without pictures', async () => {
    const { body } = await post('none', ['1', 10], ['note', 'x']);
    expect(body).toEqual({ note: 'x', pictures: [] });
  });

  it('are not read for callers that may not write', async () => {
    const body = form(['1', 10]);
    const { status } = await harness.call('/v2/probe/three', { method: 'POST', body });
    expect(status).toBe(403);
  });

  it('are only in the multipart body in the OpenAPI document', () => {
    const document = apiDocument('public', harness.app.get(RouteTable, { strict: false })) as {
      paths: Record<string, Record<string, { requestBody: { content: Record<string, unknown> } }>>;
    };
    const content = document.paths['/v2/probe/three']?.post?.requestBody.content;
    expect(content?.['multipart/form-data']).toMatchObject({
      schema: {
        properties: { note: {} },
        patternProperties: { '^(pic)?[1-9][0-9]*$': { type: 'string', format: 'binary' } },
      },
    });
    expect(JSON.stringify(content?.['application/json'])).not.toContain('binary');
  });
});

describe('requests with pictures', () => {
  let arrived = 0;
  beforeAll(() => {
    harness.app.getHttpServer().on('request', () => {
      arrived += 1;
    });
  });
  const arrivals = (count: number) => until(() => Promise.resolve(arrived >= count));

  /** A request whose body has begun; the promise has the status of the response, or the error. */
  function begin() {
    const request = httpRequest(`${harness.origin}/v2/probe/three`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 150,
      },
      agent: false,
    });
    const part = '--b\r\ncontent-disposition: form-data; name="1"; filename="1"\r\n\r\n';
    const status = once(request, 'response').then(
      ([response]: { statusCode: number; resume(): void }[]) => {
        response?.resume();
        return response?.statusCode;
      },
      (error: NodeJS.ErrnoException) => error.code,
    );
    request.write(part);
    const finish = (): void => {
      request.end(`${'x'.repeat(150 - part.length - 9)}\r\n--b--\r\n`);
    };
    return { request, status, finish };
  }

  it('do not count as uploads of the user when the client disconnects during the upload', async () => {
    for (let at = 0; at < 3; at += 1) {
      const before = arrived;
      const { request, status } = begin();
      await arrivals(before + 1);
      request.destroy();
      expect(await status).toBe('ECONNRESET');
    }
    const again = [begin(), begin(), begin()];
    for (const { finish } of again) finish();
    expect(await Promise.all(again.map(({ status }) => status))).toEqual([200, 200, 200]);
  });
});

/** The number of deleted files that this process has open: those of uploads, and of nobody else. */
async function openSpools(): Promise<number> {
  const descriptors = await readdir('/proc/self/fd');
  const files = descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => ''));
  return (await Promise.all(files)).filter((path) => path.endsWith(' (deleted)')).length;
}

it.each([
  ['has responded', 200, () => post('held', ['1', 10])],
  ['has rejected a picture', 400, () => post('prepared', ['1', 10])],
  ['has rejected the body', 400, () => post('held', ['1', 10], ['2', LIMIT])],
])('keeps pictures on disk until it %s', async (_, expected, send) => {
  const before = await openSpools();
  let release = (): void => undefined;
  hold.until = new Promise((resolve) => {
    release = resolve;
  });
  const response = send();
  if (expected === 200) await until(async () => (await openSpools()) === before + 1);
  release();
  expect((await response).status).toBe(expected);
  await until(async () => (await openSpools()) === before);
});

it('accepts the text of an upload up to a large MAX_BODY_BYTES', async () => {
  const settings = { MAX_BODY_BYTES: String(20 * 1024 * 1024) };
  const large = await startHarness({ root: probingPictures, settings });
  try {
    const note = 'x'.repeat(19 * 1024 * 1024);
    const { status, body } = await large.call('/v2/probe/many', {
      ...{ method: 'PUT', token: await large.token() },
      body: form(['note', note], ['pic1', 10]),
    });
    expect([status, String(body.note).length]).toEqual([200, note.length]);
  } finally {
    await large.close();
  }
});

it('large bodies do not wait for forms of public routes whose handlers wait', async () => {
  const settings = { TRUSTED_PROXIES: '1' };
  const other = await startHarness({ root: probingPictures, settings });
  let release: () => void = () => undefined;
  hold.until = new Promise((resolve) => (release = resolve));
  hold.count = 0;
  const note = 'x'.repeat(60_000);
  const send = (path: string, address: string, bearer?: string) =>
    other.call(`/v2/probe/${path}`, {
      ...{ method: 'POST', token: bearer, headers: { 'X-Forwarded-For': address } },
      body: new URLSearchParams({ note }),
    });
  // Their bodies have more than the 8 MB that are processed at once.
  const held = Array.from({ length: 160 }, (_, at) => send('held', `192.0.2.${at % 8}`));
  await until(() => Promise.resolve(hold.count >= held.length));
  const { status } = await send('none', '198.51.100.1', await other.token());
  expect(status).toBe(200);
  release();
  await Promise.all(held);
  await other.close();
});

import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { readdir, readlink, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { until } from '../faults/collectors';
import { atScale, figure } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

const BODIES = atScale(480, 60);
const SIZE = 1_048_500;
/** Bodies that are sent at once. */
const STEP = 20;
/** Bytes of each body that do not arrive. */
const MISSING = 2000;
const ONE = ['127.0.0.1'];
const MANY = Array.from({ length: 12 }, (_, number) => `127.0.0.${number + 1}`);
/** Bodies of 1 MB in the memory for bodies of one address (8 MB), and of all (32 MB). */
const IN_MEMORY_OF_ADDRESS = 8;
const IN_MEMORY = 32;
/** Bodies of 1 MB that one address may have on disk (64 MB). */
const ON_DISK_OF_ADDRESS = 64;
/** MB above rest while the bodies are incomplete. */
const MOST_MEMORY = 200;

const FORM = 'application/x-www-form-urlencoded';

const form = (content: string): string => new URLSearchParams({ title: 'A', content }).toString();
/** 450 KB. */
const LARGE = form('书'.repeat(MAX_CONTENT));

let target: Target;
let attacker: Attacker;
let token: string;
let slow: string;
beforeAll(async () => {
  // The bodies arrive quickly, and then nothing more.
  target = await Target.start({ MIN_BODY_RATE: '0', CAPTCHA_AFTER: '0' });
  const tokenOfUser = async (): Promise<string> =>
    target.token({ userId: (await target.make.aUser()).id });
  [token, slow] = [await tokenOfUser(), await tokenOfUser()];
  attacker = new Attacker(target.port);
});
afterEach(() => {
  attacker.leave();
});
afterAll(() => target.close());

/** A body of {@link SIZE} bytes. */
interface Body {
  readonly type: string;
  readonly path: string;
  readonly text: string;
}

const formBody = (): Body => ({
  type: FORM,
  path: '/v2/notes',
  text: 'title=A&content='.padEnd(SIZE, 'a'),
});

/** JSON of as many objects as possible, which take much more memory than their text. */
function jsonBody(): Body {
  const [start, end] = ['{"title":"A","content":[', '{}]}'];
  const fill = '{},'.repeat(Math.floor((SIZE - start.length - end.length) / 3));
  const text = (start + fill + end).padEnd(SIZE, ' ');
  return { type: 'application/json', path: '/v2/notes', text };
}

/** A parser that handles each plus sign takes long. */
const plusBody = (): Body => {
  const body = formBody();
  return { ...body, text: body.text.replaceAll('aa', '+a') };
};

/** Each carriage return is replaced by a newline. */
const returnBody = (): Body => {
  const body = formBody();
  return { ...body, text: body.text.replaceAll('aa', '\ra') };
};

const PART = '--b\r\nContent-Disposition: form-data; name="comment"\r\n\r\n';
/** Of notes, whose multipart bodies may have pictures, a user sends at most two at once. */
const multipartBody = async (): Promise<Body> => ({
  type: 'multipart/form-data; boundary=b',
  path: `/v2/book/${await target.make.aBook()}/collection`,
  text: PART.padEnd(SIZE - 9, 'a') + '\r\n--b--\r\n',
});

/** The head of a request, and nearly all of its body. */
const beginningOf = ({ type, path, text }: Body): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${slow}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${SIZE}\r\n\r\n${text.slice(0, -MISSING)}`,
  );

/**
 * Sends beginnings of bodies, a few at a time, and waits until the server has them.
 *
 * @param from addresses
 * @param inMemory number of bodies that need not be on disk
 * @param count of bodies
 */
async function begin(
  body: Body,
  from: readonly string[],
  inMemory: number,
  count = BODIES,
): Promise<Socket[]> {
  const bytes = beginningOf(body);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const next = from[(sockets.length / STEP) % from.length];
    sockets.push(...(await attacker.openMany(STEP, bytes, { reads: false, from: next })));
    const onDisk = sockets.length - inMemory;
    await until(`${onDisk} bodies are on disk`, async () => (await countOnDisk()) >= onDisk);
  }
  return sockets;
}

/** Writes a note. @returns the status */
async function write(body: string, from: string): Promise<number> {
  const sent = request({
    host: '127.0.0.1',
    port: target.port,
    path: '/v2/notes',
    method: 'POST',
    localAddress: from,
    agent: false,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': FORM },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return Number(response.statusCode);
}

/** Sizes of the bodies that the server keeps on disk. */
async function sizesOnDisk(): Promise<number[]> {
  const folder = `/proc/${target.pid}/fd`;
  const sizes = (await readdir(folder)).map(async (name) => {
    const path = `${folder}/${name}`;
    const file = await readlink(path).catch(() => '');
    // It may be closed meanwhile.
    return file.includes('/uploads/')
      ? stat(path).then(
          ({ size }) => [size],
          () => [],
        )
      : [];
  });
  return (await Promise.all(sizes)).flat();
}

const countOnDisk = async (): Promise<number> => (await sizesOnDisk()).length;

const bytesOnDisk = async (): Promise<number> =>
  (await sizesOnDisk()).reduce((sum, size) => sum + size, 0);

/** Writes notes while the server has incomplete bodies, and measures its memory. */
async function expectService(name: string, rest: number): Promise<void> {
  for (const from of ['127.0.0.1', '127.0.0.99']) {
    for (const body of [form('A small note'), LARGE]) expect(await write(body, from)).toBe(201);
  }
  const { memory } = await target.usage();
  figure(`${name}: memory above rest meanwhile in MB`, memory - rest, { atMost: MOST_MEMORY });
}

it.each([
  ['forms of one address', formBody, ONE, IN_MEMORY_OF_ADDRESS],
  ['JSON of one address', jsonBody, ONE, IN_MEMORY_OF_ADDRESS],
  ['multipart forms of one address', multipartBody, ONE, IN_MEMORY_OF_ADDRESS],
  ['forms of many addresses', formBody, MANY, IN_MEMORY],
])('incomplete bodies use a bounded amount of memory: %s', async (kind, make, from, inMemory) => {
  const body = await make();
  const count = from === ONE ? Math.min(BODIES, ON_DISK_OF_ADDRESS - STEP) : BODIES;
  const name = `${count} incomplete bodies, ${kind}`;
  const rest = (await target.usage()).memory;
  await target.attack(name, async () => {
    await begin(body, from, inMemory, count);
    await expectService(name, rest);
    attacker.leave();
  });
});

it.each([
  // The content is longer than that of a note, which is known when the body is parsed.
  ['forms', formBody, 'content'],
  ['forms with plus signs', plusBody, 'content'],
  ['forms with carriage returns', returnBody, 'content'],
  ['JSON', jsonBody, 'the body has too many parameters'],
])('bodies that become complete at once wait for their turns: %s', async (kind, make, detail) => {
  const body = make();
  const responses = await target.attack(`${BODIES} complete bodies, ${kind}`, async () => {
    const sockets = await begin(body, MANY, IN_MEMORY);
    const received = sockets.map(async (socket) => {
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      return String(bytes);
    });
    for (const socket of sockets) socket.write(body.text.slice(-MISSING));
    const all = await Promise.all(received);
    attacker.leave();
    return all;
  });
  for (const response of responses) {
    expect(response).toMatch(/^HTTP\/1\.1 400 [^]*"code":\d+,"request":"POST \/v2\/notes"/);
    expect(response).toMatch(new RegExp(`X-Error-Detail: .*${detail}`));
  }
});

it('JSON of a public route has at most 1,000 values, also if it is small when compressed', async () => {
  const answers = [1001, 400].map((values) =>
    fetch(`http://127.0.0.1:${target.port}/service/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(
        JSON.stringify({ uid: 'x', password: 'y', z: Array<object>(values).fill({}) }),
      ),
      redirect: 'manual',
    }),
  );
  const details = (await Promise.all(answers)).map(({ headers }) => headers.get('x-error-detail'));
  expect(details[0]).toContain('the body has too many parameters');
  expect(details[1]).not.toContain('too many');
});

it('an address may write many large notes at once', async () => {
  const statuses = await Promise.all(Array.from({ length: 50 }, () => write(LARGE, '127.0.0.1')));
  expect(new Set(statuses)).toEqual(new Set([201]));
});

it('bodies of one address on disk have at most 64 MB; further ones get 503', async () => {
  const bytes = beginningOf(formBody());
  const most = IN_MEMORY_OF_ADDRESS + ON_DISK_OF_ADDRESS;
  await target.attack('incomplete bodies of one address beyond its disk space', async () => {
    const refused: string[] = [];
    for (let count = 0; count < most + 2 * STEP; count += STEP) {
      for (const socket of await attacker.openMany(STEP, bytes, { reads: false, from: ONE[0] })) {
        socket.once('data', (data) => refused.push(String(data)));
      }
    }
    await until('bodies are refused', () => Promise.resolve(refused.length >= STEP));
    expect(await bytesOnDisk()).toBeLessThanOrEqual(ON_DISK_OF_ADDRESS * 1_048_576);
    expect(await write(LARGE, '127.0.0.99')).toBe(201);
    expect(await write(form('A small note'), '127.0.0.1')).toBe(201);
    for (const response of refused) expect(response).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 2/);
    attacker.leave();
  });
});

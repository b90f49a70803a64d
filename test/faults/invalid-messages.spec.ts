import { until } from './collectors';
import { Scene } from './scene';
import { Tunnel } from './tunnel';

/** A message of PostgreSQL: type, length and content. */
function message(type: string, content: readonly number[], length = content.length + 4): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

/** A request for authentication with the given code. */
const authentication = (code: number): Buffer => message('R', [0, 0, 0, code]);

/** An error with a severity, in a translation of PostgreSQL, and an SQLSTATE. */
const failure = (code: string): Buffer =>
  message('E', [...Buffer.from(`S致命错误\0C${code}\0Mno\0\0`)]);

let tunnel: Tunnel;
let scene: Scene;
let path: string;
beforeAll(async () => {
  scene = await Scene.open(async (postgres) => {
    tunnel = await Tunnel.before(postgres.url);
    return { DATABASE_URL: tunnel.url, CACHE_MB: '0' };
  });
  const { books } = await scene.people(0, 1);
  path = `/v2/book/${books[0]}`;
}, 600_000);
afterAll(async () => {
  await scene.close();
  await tunnel.end();
});
afterEach(async () => {
  tunnel.mend();
  await until('the service serves', async () => (await scene.call(path)).status === 200);
  expect(scene.isAlive).toBe(true);
});

it.each([
  ['a message without a length', message('D', [], 0)],
  ['an incomplete description of rows', message('T', [0, 5])],
  ['a message of an unknown type', message('x', [0, 0, 0, 0])],
  ['an unknown way of authentication', authentication(99)],
  ['another request for a password', authentication(3)],
])('the process survives on open connections: %s', async (_, bytes) => {
  for (let round = 0; round < 5; round += 1) {
    const requests = Promise.all(Array.from({ length: 5 }, () => scene.call(path)));
    tunnel.inject(bytes);
    const statuses = (await requests).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  }
});

it.each([
  ['authentication with GSSAPI', authentication(7)],
  ['the greeting of MySQL', Buffer.from('4a0000000a382e302e33360008', 'hex')],
  ['an unknown way of authentication', authentication(99)],
  ['a wrong password, in another language', failure('28P01')],
  ['a missing database, in another language', failure('3D000')],
])('requests get 503 when new connections receive %s', async (_, bytes) => {
  tunnel.replaceServer(bytes);
  for (let round = 0; round < 5; round += 1) {
    const { status, headers } = await scene.call(path);
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await scene.call('/readyz')).status).toBe(503);
});

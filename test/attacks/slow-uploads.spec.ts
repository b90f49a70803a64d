import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { someJpeg } from '../e2e/pictures/pictures';
import { atScale, figure } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

const MEGABYTE = 1024 * 1024;

/** Users who attack, and uploads of each. */
const USERS = atScale(10, 1);
const UPLOADS = atScale(8, 3);

let target: Target;
let attacker: Attacker;
let path: string;
beforeAll(async () => {
  target = await Target.start(atScale<Record<string, string>>({}, { MIN_BODY_RATE_SECONDS: '1' }));
  attacker = new Attacker(target.port);
  path = `/v2/book/${await target.make.aBook()}/annotations`;
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

const tokenOfNewUser = async (): Promise<string> =>
  target.token({ userId: (await target.make.aUser()).id });

/** An upload that is never complete: its head, and `size` bytes of a picture. */
const beginning = (token: string, size: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${9 * MEGABYTE}\r\n\r\n` +
        '--b\r\nContent-Disposition: form-data; name="1"; filename="1.jpg"\r\n\r\n',
    ),
    Buffer.alloc(size, 1),
  ]);

async function upload(token: string, picture: Buffer): Promise<number> {
  const body = new FormData();
  body.append('content', 'A picture <图片 n="1">, seen in time');
  body.append('page', '1');
  body.append('1', new Blob([new Uint8Array(picture)]), 'p.jpg');
  const startedAt = performance.now();
  const { status } = await target.call(path, { method: 'POST', token, body });
  figure('upload of another user: s', (performance.now() - startedAt) / 1000, { atMost: 5 });
  return status;
}

it(`${UPLOADS} slow uploads of each of ${USERS} users neither delay other users nor use much memory`, async () => {
  const slow = await Promise.all(Array.from({ length: USERS }, tokenOfNewUser));
  const other = await tokenOfNewUser();
  const picture = await someJpeg(900, 700);
  await target.attack(`${USERS * UPLOADS} slow uploads`, async () => {
    for (const token of slow) {
      // Nearly all of a large picture at once, and the rest byte by byte.
      attacker.drip(await attacker.openMany(UPLOADS, beginning(token, 2.9 * MEGABYTE)));
    }
    for (let times = 0; times < 3; times += 1) expect(await upload(other, picture)).toBe(201);
  });
  const folder = join(target.folder, '.data', 'uploads');
  expect(await readdir(folder)).toEqual([]);
  expect(await upload(slow[0] as string, picture)).toBe(201);
});

import { readdir, readlink } from 'node:fs/promises';
import type * as Files from 'node:fs/promises';
import { type Socket } from 'node:net';
import { probingPictures } from '../e2e/api/probe.uploads';
import { Factories } from '../factories/factories';
import { until } from '../faults/collectors';
import { startHarness, type Harness } from '../harness';
import { Attacker } from './sockets';

const MEGABYTE = 1024 * 1024;
/** Content-Length of the uploads. Its last part does not arrive. */
const LENGTH = 9 * MEGABYTE;
const DELIMITER = Buffer.from('--b\r\n');
const PATH = '/v2/probe/many';

const files = jest.requireActual<typeof Files>('node:fs/promises');

let harness: Harness;
let attacker: Attacker;
let token: string;
beforeAll(async () => {
  // Neither a minimum rate nor another upload of the user ends an upload that stalls.
  const settings = { MIN_BODY_RATE: '0', MAX_UPLOADS_PER_USER: '1' };
  harness = await startHarness({ root: probingPictures, settings });
  attacker = new Attacker(Number(new URL(harness.origin).port));
  const { id } = await new Factories(harness.database).aUser();
  token = await harness.token({ userId: id });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  attacker.leave();
  await harness.close();
});

const picture = (size: number): Buffer =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="1"; filename="1.jpg"\r\n\r\n'),
    Buffer.alloc(size, 1),
    Buffer.from('\r\n'),
  ]);

const field = (name: string): Buffer =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\ntext\r\n`);

const head = Buffer.from(
  `PUT ${PATH} HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=b\r\n`,
);

/** Sends the beginning of an upload, up to the delimiter of its next part. */
const begin = (body: Buffer): Promise<Socket> =>
  attacker.open(
    Buffer.concat([
      head,
      Buffer.from(`Authorization: Bearer ${token}\r\nContent-Length: ${LENGTH}\r\n\r\n`),
      body,
      DELIMITER,
    ]),
    { reads: false },
  );

/** What the server sends until it matches a pattern. */
const received = (socket: Socket, pattern: RegExp): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const onData = (piece: Buffer): void => {
      text += String(piece);
      if (!pattern.test(text)) return;
      socket.off('data', onData);
      resolve(text);
    };
    socket.on('data', onData);
  });

/** Uploads a small picture as the same user. @returns the status */
async function upload(): Promise<number> {
  const body = new FormData();
  body.append('1', new Blob([Buffer.alloc(100, 1)]), '1.jpg');
  return (await harness.call(PATH, { method: 'PUT', token, body })).status;
}

/** Whether no file of an upload is open. */
async function isDiskFree(): Promise<boolean> {
  const folder = '/proc/self/fd';
  const open = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return !open.some((file) => file.includes('/uploads/'));
}

const fillDisk = (): void => {
  jest.spyOn(files, 'statfs').mockResolvedValue({ bavail: 0, bsize: 4096 } as never);
};

it.each([
  ['a picture of 4 MB', picture(4 * MEGABYTE), '400', 1003],
  ['an index in a name', Buffer.concat([picture(MEGABYTE), field('a[5]')]), '400', 999],
  ['too many fields', Buffer.concat(Array.from({ length: 101 }, () => field('a'))), '400', 999],
  ['a full disk', picture(MEGABYTE), '503', 999],
])(
  'an upload that fails and stalls gets its response at once: %s',
  async (_failure, body, status, code) => {
    if (status === '503') fillDisk();
    const socket = await begin(body);
    const response = await received(socket, /"code":\d+/);
    jest.restoreAllMocks();
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"code":${code},`));
    // The server still reads its connection.
    expect(await upload()).toBe(200);
    await until('the disk is free', isDiskFree);
    expect(response).toMatch(/\r\nConnection: close\r\n/);
  },
);

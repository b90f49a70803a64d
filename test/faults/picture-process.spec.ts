import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHeader, type ImageHeader } from '../../src/images/picture-encoding';
import { inheritedFlags, PictureProcess } from '../../src/images/picture-process';
import { Factories } from '../factories/factories';
import { handmadePng } from '../factories/pictures';
import { startHarness, type Harness } from '../harness';
import { pictureProcessesOf } from '../picture-processes';
import { until } from '../e2e/process/until';
import { someJpeg } from '../e2e/pictures/pictures';

const PROGRAM = join(__dirname, '../../src/images/picture-program.ts');

/** A picture whose decoding takes longer than to send it a signal. */
const SLOW = handmadePng(7000, 7000, 8);
let slowHeader: ImageHeader;
let jpeg: Buffer;
let harness: Harness;
beforeAll(async () => {
  slowHeader = await readHeader(SLOW);
  jpeg = await someJpeg();
  harness = await startHarness();
});
afterAll(() => harness.close());

let pictures: PictureProcess;
beforeEach(() => {
  pictures = new PictureProcess();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await pictures.end();
});

/** The only process that decodes pictures. */
async function processId(): Promise<number> {
  const [pid, ...others] = await pictureProcessesOf(process.pid);
  expect(others).toEqual([]);
  return pid as number;
}

const isGone = async (): Promise<boolean> => (await pictureProcessesOf(process.pid)).length === 0;

const UNAVAILABLE = { status: 503, headers: { 'Retry-After': '2' } };

it('503: a process that is killed while it decodes; the next picture gets a new one', async () => {
  await pictures.readHeader(jpeg);
  const pid = await processId();
  const both = [pictures.reencode(SLOW, slowHeader), pictures.reencode(SLOW, slowHeader)];
  process.kill(pid, 'SIGKILL');
  for (const failed of await Promise.allSettled(both)) {
    expect(failed).toMatchObject({
      reason: {
        ...UNAVAILABLE,
        // Followed by what it has written to standard error.
        cause: { message: expect.stringContaining('ended: signal SIGKILL') as string },
      },
    });
  }
  await expect(pictures.readHeader(jpeg)).resolves.toMatchObject({ format: 'jpeg' });
  expect(await processId()).not.toBe(pid);
});

it('503: work that takes too long; the process is killed', async () => {
  const impatient = new PictureProcess(undefined, 1);
  await expect(impatient.reencode(SLOW, slowHeader)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: { message: expect.stringContaining('took longer than 1 ms') as string },
  });
  await until(isGone);
});

it('1008 and 1009 pass from the process with their details', async () => {
  await expect(pictures.readHeader(Buffer.from('text'))).rejects.toMatchObject({
    row: { code: 1008 },
    detail: 'the picture must be a JPEG, GIF, PNG or BMP file',
  });
  const cut = jpeg.subarray(0, jpeg.length / 2);
  const header = await pictures.readHeader(cut);
  await expect(pictures.reencode(cut, header)).rejects.toMatchObject({
    row: { code: 1009 },
    detail: 'the picture cannot be decoded',
    cause: expect.any(Error) as Error,
  });
});

it('ends the process when it has no work', async () => {
  pictures = new PictureProcess(1);
  await pictures.readHeader(jpeg);
  await until(isGone);
  await expect(pictures.readHeader(jpeg)).resolves.toMatchObject({ format: 'jpeg' });
});

it('the process ignores SIGTERM and SIGINT, because the server finishes uploads first', async () => {
  await pictures.readHeader(jpeg);
  const pid = await processId();
  process.kill(pid, 'SIGTERM');
  process.kill(pid, 'SIGINT');
  await expect(pictures.reencode(SLOW, slowHeader)).resolves.toMatchObject({ width: 1200 });
  expect(await processId()).toBe(pid);
});

it('503: the server ends while the process decodes, and no process remains', async () => {
  await pictures.readHeader(jpeg);
  const decoding = expect(pictures.reencode(SLOW, slowHeader)).rejects.toMatchObject(UNAVAILABLE);
  await pictures.end();
  expect(await isGone()).toBe(true);
  await decoding;
});

it('the process ends when the server is gone', async () => {
  const child = fork(PROGRAM, [], { execArgv: process.execArgv, serialization: 'advanced' });
  child.send({ id: 1, work: 'reencode', bytes: SLOW, header: slowHeader });
  child.disconnect();
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  // With SIGKILL if the picture had reached it.
  expect(code === 0 || signal === 'SIGKILL').toBe(true);
});

it('the process inherits flags of Node that load code, and no others', () => {
  const flags = ['--env-file=.env', '--require', 'a.js', '--cpu-prof-dir', '/x', '--import=b.mjs'];
  expect(inheritedFlags(flags)).toEqual(['--require', 'a.js', '--import=b.mjs']);
});

it('the process has no settings in its environment', async () => {
  jest.replaceProperty(process, 'env', {
    ...process.env,
    DATABASE_URL: 'postgres://user:secret@localhost/x',
    PICTURES_S3_SECRET_KEY: 'secret',
  });
  await pictures.readHeader(jpeg);
  const environment = await readFile(`/proc/${await processId()}/environ`, 'utf8');
  expect(environment).toContain('MALLOC_ARENA_MAX=2');
  expect(environment).not.toContain('secret');
});

// Last, because the process of this server remains for some seconds.
it('503 with Retry-After over HTTP, and 201 afterwards', async () => {
  const make = new Factories(harness.database);
  const token = await harness.token({ userId: (await make.aUser()).id });
  const path = `/v2/book/${await make.aBook()}/annotations`;
  const upload = async (): Promise<Response> => {
    const body = new FormData();
    body.append('content', 'with a picture: <图片 n="1">');
    body.append('page', '1');
    body.append('1', new Blob([new Uint8Array(jpeg)]), 'p.jpg');
    const headers = { authorization: `Bearer ${token}` };
    return fetch(harness.origin + path, { method: 'POST', headers, body });
  };
  let response: Response | undefined;
  const received = upload().then((one) => (response = one));
  await until(async () => {
    for (const pid of await pictureProcessesOf(process.pid)) process.kill(pid, 'SIGKILL');
    return response !== undefined;
  });
  expect((await received).status).toBe(503);
  expect((await received).headers.get('retry-after')).toBe('2');
  expect((await upload()).status).toBe(201);
});

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readHeader, type ImageHeader } from '../../src/images/picture-encoding';
import { PictureProcess } from '../../src/images/picture-process';
import { Factories } from '../factories/factories';
import { flat, handmadePng } from '../factories/pictures';
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
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-picture-process-'));
  slowHeader = await readHeader(SLOW);
  jpeg = await someJpeg();
  harness = await startHarness();
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

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

it('503: pictures in a frozen process, and later ones, before the server aborts requests', async () => {
  await pictures.readHeader(jpeg);
  process.kill(await processId(), 'SIGSTOP');
  const pending = [pictures.readHeader(jpeg), pictures.reencode(SLOW, slowHeader)];
  pictures.rejectPending();
  const stopping = {
    ...UNAVAILABLE,
    cause: { message: expect.stringContaining('the server stops before') as string },
  };
  for (const failed of await Promise.allSettled(pending)) {
    expect(failed).toMatchObject({ reason: stopping });
  }
  await expect(pictures.readHeader(jpeg)).rejects.toMatchObject(stopping);
  await until(isGone);
});

/** Sets the variable NODE_OPTIONS of processes that start from now on. */
function setNodeOptions(options: string): void {
  jest.replaceProperty(process, 'env', { ...process.env, NODE_OPTIONS: options });
}

it('503: the library cannot be loaded; the next picture gets a new process', async () => {
  const [hook, fault] = [join(folder, 'hook.js'), join(folder, 'fault')];
  await writeFile(
    hook,
    `const Module = require('node:module');
    const load = Module._load;
    Module._load = (name, ...rest) => {
      if (name === 'sharp' && require('node:fs').existsSync(${JSON.stringify(fault)})) {
        throw new Error('the module is missing');
      }
      return load(name, ...rest);
    };`,
  );
  await writeFile(fault, '');
  setNodeOptions(`--require=${hook}`);
  // The second one is sent to the same process.
  const failing = [pictures.readHeader(jpeg), pictures.readHeader(jpeg)];
  const pid = await processId();
  for (const failed of await Promise.allSettled(failing)) {
    expect(failed).toMatchObject({
      reason: { ...UNAVAILABLE, detail: 'the server cannot process pictures' },
    });
  }
  await rm(fault);
  await expect(pictures.readHeader(jpeg)).resolves.toMatchObject({ format: 'jpeg' });
  await until(async () => (await pictureProcessesOf(process.pid)).length === 1);
  expect(await processId()).not.toBe(pid);
});

it.each([
  ['the decoder of JPEG', () => flat(7000, 7000).jpeg({ progressive: true })],
  ['the decoder of PNG', () => flat(6500, 6500).png({ progressive: true })],
])('503: %s has too little memory; the next picture gets a new process', async (_, encode) => {
  const large = await encode().toBuffer();
  const header = await pictures.readHeader(large);
  await pictures.reencode(jpeg, await pictures.readHeader(jpeg));
  const pid = await processId();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const size = 1024 * Number(/^VmSize:\s+(\d+)/m.exec(status)?.[1]);
  await promisify(execFile)('prlimit', ['--pid', `${pid}`, `--as=${size + 30_000_000}`]);
  await expect(pictures.reencode(large, header)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: { message: expect.stringMatching(/memory/i) as string },
  });
  await expect(pictures.reencode(large, header)).resolves.toMatchObject({ width: 1200 });
  await until(async () => (await pictureProcessesOf(process.pid)).length === 1);
  expect(await processId()).not.toBe(pid);
});

it('the process inherits flags of NODE_OPTIONS with quotes and several spaces', async () => {
  const hook = join(folder, 'a "b\\ c.js');
  const loaded = join(folder, 'loaded');
  await writeFile(hook, `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, 'loaded');`);
  const quoted = hook.replace(/["\\]/g, '\\$&');
  setNodeOptions(`--no-deprecation  --require   "${quoted}" `);
  await expect(pictures.readHeader(jpeg)).resolves.toMatchObject({ format: 'jpeg' });
  expect(await readFile(loaded, 'utf8')).toBe('loaded');
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

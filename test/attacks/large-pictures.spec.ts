import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../src/config/settings';
import { until } from '../e2e/process/until';
import { flat, handmadePng, noise, paddedPng, pngWithTexts } from '../factories/pictures';
import { atScale, figure } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { postFrom } from '../post-from';
import { forgetPeaks, memoryWithPictures, type ResidentMemory } from '../picture-processes';

const MEGABYTE = 1024 * 1024;

/** Pictures that are sent at once. Requests wait at most a minute for their turn. */
const PICTURES = atScale(20, 8);

let opened: TestDatabase;
let folder: string;
let server: ChildProcess;
let origin: string;
/** Memory before the first picture. */
let rest: ResidentMemory;
beforeAll(async () => {
  opened = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-memory-'));
  const others = Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name));
  const env = {
    ...Object.fromEntries(others),
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: opened.url,
    PICTURES_DIR: folder,
  };
  const programs = join(__dirname, '../e2e/process');
  const program = ['typescript.js', 'pictures.server.ts'].map((name) => join(programs, name));
  server = spawn(process.execPath, program, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  origin = `http://127.0.0.1:${/port (\d+)/.exec(output.toString())?.[1]}`;
  rest = await memory();
});
beforeEach(() => forgetPeaks(server.pid ?? 0));
afterAll(async () => {
  server.kill('SIGKILL');
  await once(server, 'close');
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const memory = (): Promise<ResidentMemory> => memoryWithPictures(server.pid ?? 0);

/** Uploads a picture. @param from address of the client, of 127.0.0.0/8 */
function send(bytes: Buffer, from = '127.0.0.1'): Promise<number> {
  const form = new FormData();
  form.append('pic1', new Blob([new Uint8Array(bytes)]), 'picture');
  return postFrom(`${origin}/v2/probe/prepared`, form, { from });
}

/** Reports how much more memory the server has had than before the first picture. */
async function reportMemory(name: string, atMost: number): Promise<void> {
  const { most } = await memory();
  figure(`${name}: MB more memory`, (most - rest.now) / MEGABYTE, { atMost });
}

it(`accepts ${PICTURES} pictures of 2.9 MB at once`, async () => {
  const size = Math.floor(2.9 * MEGABYTE);
  const [jpeg, png] = await Promise.all([
    noise(2200, 2200).jpeg({ quality: 75 }).toBuffer(),
    noise(950, 950).png().toBuffer(),
  ]);
  const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(size)], size);
  expect([jpeg.length, png.length].every((length) => length > 2 * MEGABYTE)).toBe(true);
  expect([jpeg.length, png.length].every((length) => length < size - 12)).toBe(true);
  const kinds = [padded(jpeg), paddedPng(png, size)];
  const statuses = await Promise.all(
    Array.from({ length: PICTURES }, (_, at) => send(kinds[at % 2] as Buffer)),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory(`${PICTURES} pictures of 2.9 MB`, 300);
});

it('accepts concurrent pictures with the maximum number of pixels within bounded memory', async () => {
  const large = handmadePng(7000, 7000, 8);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => send(large)));
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory('6 pictures of 49 million pixels', 300);
});

/** Pictures whose decoders keep all of the picture, up to the limit of 190 MB. */
const ENTIRE = {
  'progressive JPEG with 4 components': () =>
    flat(atScale(4250, 1000), 4250)
      .toColourspace('cmyk')
      .jpeg({ progressive: true, quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  'progressive JPEG with 3 components': () =>
    flat(3500, 3550)
      .jpeg({ progressive: true, quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  'interlaced PNG': () => flat(6700, 6700).png({ progressive: true }).toBuffer(),
  GIF: () => flat(4000, 4000).gif().toBuffer(),
  'wide PNG with 16 bits': () => flat(16_384, 2000).toColourspace('rgb16').png().toBuffer(),
};

it('decodes pictures whose decoders keep all pixels within bounded memory, and frees it', async () => {
  const kinds = await Promise.all(Object.values(ENTIRE).map((encode) => encode()));
  const pictures = Array.from({ length: atScale(4, 1) }, () => kinds).flat();
  const statuses = await Promise.all(
    pictures.map((picture, at) => send(picture, `127.0.0.${2 + (at % 3)}`)),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory(`${pictures.length} pictures that are decoded at once`, 400);
  await until(async () => (await memory()).now < rest.now + 100 * MEGABYTE);
});

it('1009: rejects pictures whose decoders need more than 190 MB', async () => {
  const jpeg = await flat(7000, 7000)
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  // A segment with the length 0, which must not hide those after it.
  const hidden = Buffer.from([0xff, 0xdc, 0, 0]);
  const withHidden = Buffer.concat([jpeg.subarray(0, 2), hidden, jpeg.subarray(2)]);
  expect(await send(jpeg)).toBe(400);
  expect(await send(withHidden)).toBe(400);
  await reportMemory('a picture whose decoder needs 294 MB', 300);
});

it('1009: rejects GIFs and wide pictures that need more than 190 MB', async () => {
  const [gif, wide] = await Promise.all([
    flat(5600, 5600).gif().toBuffer(),
    flat(16_384, 762).ensureAlpha().toColourspace('rgb16').png().toBuffer(),
  ]);
  const statuses = await Promise.all([send(gif, '127.0.0.2'), send(wide, '127.0.0.3')]);
  expect(statuses).toEqual([400, 400]);
  await reportMemory('a GIF and a wide picture', 300);
});

it('keeps the pictures of uploads on disk until they are decoded', async () => {
  const size = Math.floor(2.9 * MEGABYTE);
  const padded = new Blob([new Uint8Array(paddedPng(handmadePng(10, 10, 8), size))]);
  const statuses = await Promise.all(
    Array.from({ length: 8 }, (_, upload) => {
      const form = new FormData();
      for (let at = 1; at <= atScale(19, 6); at += 1) form.append(`pic${at}`, padded, 'picture');
      return postFrom(`${origin}/v2/probe/prepared`, form, { from: `127.0.0.${2 + (upload % 2)}` });
    }),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory(`8 uploads of ${atScale(19, 6)} pictures of 2.9 MB`, atScale(300, 200));
});

it('skips compressed texts of a PNG', async () => {
  const bomb = pngWithTexts(20, 7_900_000);
  expect(bomb.length).toBeLessThan(200_000);
  expect(await send(bomb)).toBe(200);
  await reportMemory('a PNG with 158 MB of compressed texts', 300);
});

it('rejects a picture with too many pixels before it is decoded', async () => {
  const bomb = handmadePng(30_000, 30_000, 1);
  expect(bomb.length).toBeLessThan(1_000_000);
  await send(handmadePng(1, 1, 8));
  const startedAt = performance.now();
  expect(await send(bomb)).toBe(400);
  figure('rejection of 900 million pixels: ms', performance.now() - startedAt, { atMost: 100 });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../src/config/settings';
import { handmadePng, noise, paddedPng, pngWithTexts } from '../factories/pictures';
import { atScale, figure } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';

const MEGABYTE = 1024 * 1024;

/** Pictures that are sent at once. Requests wait at most a minute for their turn. */
const PICTURES = atScale(20, 8);

let opened: TestDatabase;
let folder: string;
let server: ChildProcess;
let origin: string;
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
});
afterAll(async () => {
  server.kill('SIGKILL');
  await once(server, 'close');
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function memory(): Promise<{ now: number; most: number }> {
  const response = await fetch(`${origin}/v2/probe/memory`);
  return (await response.json()) as { now: number; most: number };
}

async function send(bytes: Buffer): Promise<number> {
  const body = new FormData();
  body.append('pic1', new Blob([new Uint8Array(bytes)]), 'picture');
  const response = await fetch(`${origin}/v2/probe/prepared`, { method: 'POST', body });
  await response.text();
  return response.status;
}

/** Reports how much more memory the server had than before. */
async function reportMemory(name: string, before: { now: number }): Promise<void> {
  const { most } = await memory();
  figure(`${name}: MB more memory`, (most - before.now) / MEGABYTE, { atMost: 300 });
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
  const before = await memory();
  const statuses = await Promise.all(
    Array.from({ length: PICTURES }, (_, at) => send(kinds[at % 2] as Buffer)),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory(`${PICTURES} pictures of 2.9 MB`, before);
});

it('accepts concurrent pictures with the maximum number of pixels within bounded memory', async () => {
  const before = await memory();
  const large = handmadePng(7000, 7000, 8);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => send(large)));
  expect(statuses).toEqual(statuses.map(() => 200));
  await reportMemory('6 pictures of 49 million pixels', before);
});

it('skips compressed texts of a PNG', async () => {
  const bomb = pngWithTexts(20, 7_900_000);
  expect(bomb.length).toBeLessThan(200_000);
  const before = await memory();
  expect(await send(bomb)).toBe(200);
  await reportMemory('a PNG with 158 MB of compressed texts', before);
});

it('rejects a picture with too many pixels before it is decoded', async () => {
  const bomb = handmadePng(30_000, 30_000, 1);
  expect(bomb.length).toBeLessThan(1_000_000);
  await send(handmadePng(1, 1, 8));
  const startedAt = performance.now();
  expect(await send(bomb)).toBe(400);
  figure('rejection of 900 million pixels: ms', performance.now() - startedAt, { atMost: 100 });
});

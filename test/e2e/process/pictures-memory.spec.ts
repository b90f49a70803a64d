import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../../src/config/settings';
import { handmadePng, noise, paddedPng } from '../../factories/pictures';
import { openTestDatabase, type TestDatabase } from '../../harness';

const MEGABYTE = 1024 * 1024;

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
  const program = ['typescript.js', 'pictures.server.ts'].map((name) => join(__dirname, name));
  server = spawn(process.execPath, program, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  origin = `http://127.0.0.1:${/port (\d+)/.exec(said.toString())?.[1]}`;
});
afterAll(async () => {
  server.kill('SIGKILL');
  await once(server, 'close');
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function memory(): Promise<{ now: number; most: number }> {
  const answer = await fetch(`${origin}/v2/probe/memory`);
  return (await answer.json()) as { now: number; most: number };
}

async function send(bytes: Buffer): Promise<number> {
  const body = new FormData();
  body.append('pic1', new Blob([new Uint8Array(bytes)]), 'picture');
  const answer = await fetch(`${origin}/v2/probe/prepared`, { method: 'POST', body });
  await answer.text();
  return answer.status;
}

it('takes 20 pictures of 2.9 MB at once in at most 300 MB', async () => {
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
    Array.from({ length: 20 }, (_, at) => send(kinds[at % 2] as Buffer)),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  const { most } = await memory();
  expect((most - before.now) / MEGABYTE).toBeLessThan(300);
});

it('takes pictures of as many pixels as are allowed, many at once, within bounds', async () => {
  const before = await memory();
  const large = handmadePng(7000, 7000, 8);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => send(large)));
  expect(statuses).toEqual(statuses.map(() => 200));
  const { most } = await memory();
  expect((most - before.now) / MEGABYTE).toBeLessThan(300);
});

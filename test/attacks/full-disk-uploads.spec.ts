import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool, SpoolFolder } from '../../src/api/body/spool';

const MEGABYTE = 1024 * 1024;
/** Megabytes that stay free. */
const KEPT_FREE = 200;

const files = jest.requireActual<typeof Files>('node:fs/promises');

/** Free space of the disk without the files of uploads, in megabytes. */
let free: number;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-spool-'));
  free = KEPT_FREE + 10;
  jest
    .spyOn(files, 'statfs')
    .mockImplementation((() =>
      Promise.resolve({ bavail: free - written(), bsize: MEGABYTE })) as never);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Megabytes in the files of uploads, which are open and have no name. */
function written(): number {
  const sizes = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      const isUpload = readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
      return isUpload ? fstatSync(Number(descriptor)).size : 0;
    } catch {
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE;
}

/** Writes a number of chunks to each spool, all at once. @returns the errors */
async function writeAll(spools: readonly Spool[], count: number, chunk: Buffer): Promise<object[]> {
  const upload = async (spool: Spool): Promise<void> => {
    for (let at = 0; at < count; at += 1) await spool.write(chunk);
  };
  const ended = await Promise.allSettled(spools.map(upload));
  return ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as object] : []));
}

const UNAVAILABLE: unknown = expect.objectContaining({
  status: 503,
  headers: { 'Retry-After': '2' },
});

it('uploads that have begun, of several processes, stop with 503 before they fill the disk', async () => {
  const spools = Array.from({ length: 5 }, () => new Spool(new SpoolFolder(folder)));
  const errors = await writeAll(spools, 60, Buffer.alloc(MEGABYTE));
  expect(errors).toEqual(spools.map(() => UNAVAILABLE));
  // 10 MB above the limit, and at most 4 MB of each process.
  expect(written()).toBeLessThanOrEqual(10 + 4 * spools.length);
  for (const spool of spools) spool.close();
});

it('300 small bodies that began while the disk had room leave its last 200 MB free', async () => {
  free = KEPT_FREE + 30;
  const uploads = new SpoolFolder(folder);
  const spools = Array.from({ length: 300 }, () => new Spool(uploads));
  const small = Buffer.alloc(MEGABYTE / 4);
  expect(await writeAll(spools, 1, Buffer.alloc(100))).toEqual([]);
  const errors = await writeAll(spools, 4, small);
  expect(errors.length).toBeGreaterThan(200);
  expect(errors).toEqual(errors.map(() => UNAVAILABLE));
  expect(written()).toBeLessThanOrEqual(30);
  expect(written()).toBeGreaterThan(28);
  for (const spool of spools) spool.close();
  // The turn after those of closing the files.
  await new Promise(setImmediate);
  await uploads.disk.runWithoutTimeout(() => Promise.resolve());
  expect(written()).toBe(0);
  const next = new Spool(uploads);
  await expect(next.write(small)).resolves.toBe(0);
  next.close();
});

it('an upload is written completely while the disk has room', async () => {
  free = 1000;
  const spool = new Spool(new SpoolFolder(folder));
  for (let at = 0; at < 60; at += 1) await spool.write(Buffer.alloc(MEGABYTE));
  await expect(spool.write(Buffer.from('end'))).resolves.toBe(60 * MEGABYTE);
  spool.close();
});

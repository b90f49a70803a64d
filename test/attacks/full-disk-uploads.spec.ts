import type * as Files from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool, SpoolFolder } from '../../src/api/body/spool';

const MEGABYTE = 1024 * 1024;

const files = jest.requireActual<typeof Files>('node:fs/promises');

/** Free space of a disk on which many uploads began while it had room, in megabytes. */
let free: number;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-spool-'));
  free = 210;
  jest
    .spyOn(files, 'statfs')
    .mockImplementation((() => Promise.resolve({ bavail: free, bsize: MEGABYTE })) as never);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

it('uploads that have begun stop with 503 before they fill the disk', async () => {
  const spools = Array.from({ length: 5 }, () => new Spool(new SpoolFolder(folder)));
  const chunk = Buffer.alloc(MEGABYTE);
  let written = 0;
  const upload = async (spool: Spool): Promise<void> => {
    for (let at = 0; at < 60; at += 1) {
      await spool.write(chunk);
      written += 1;
      free -= 1;
    }
  };
  const ended = await Promise.allSettled(spools.map(upload));
  const reasons = ended.map((one) => (one.status === 'rejected' ? (one.reason as object) : {}));
  expect(reasons).toEqual(spools.map(() => expect.objectContaining({ status: 503 }) as object));
  // 10 MB above the limit, and less than 4 MB of each upload that had begun.
  expect(written).toBeLessThanOrEqual(10 + 4 * spools.length);
  for (const spool of spools) spool.close();
});

it('an upload is written completely while the disk has room', async () => {
  free = 1000;
  const spool = new Spool(new SpoolFolder(folder));
  for (let at = 0; at < 60; at += 1) await spool.write(Buffer.alloc(MEGABYTE));
  await expect(spool.write(Buffer.from('end'))).resolves.toBe(60 * MEGABYTE);
  spool.close();
});

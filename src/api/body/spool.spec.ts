import { randomBytes } from 'node:crypto';
import { fstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskOperations, UPLOADS_DISK } from './disk-operations';
import { Spool, SpoolFolder, Spooled } from './spool';

/** Long enough that it never passes in a test. */
const NEVER = 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Descriptors of unlinked files with this content. */
const openFiles = (content: string): number[] =>
  Array.from({ length: 256 }, (_, descriptor) => descriptor).filter((descriptor) => {
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.nlink === 0 && stats.size === content.length;
    } catch {
      return false;
    }
  });

it('returns the content of files that arrive at the same time, and leaves nothing in the folder', async () => {
  const spool = new Spool(new SpoolFolder(folder));
  const [one, other] = [new Spooled(spool), new Spooled(spool)];
  const pieces = Array.from({ length: 6 }, () => randomBytes(70_000));
  for (const [at, piece] of pieces.entries()) await (at % 2 ? other : one).append(piece);
  expect(await one.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 0)));
  expect(await other.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 1)));
  spool.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('does one operation at a time, and closes the file when the disk no longer hangs', async () => {
  const disk = new DiskOperations({ ...UPLOADS_DISK, wait: 1, result: NEVER });
  const spool = new Spool(new SpoolFolder(folder, disk));
  const content = 'c'.repeat(12_347);
  await spool.write(Buffer.from(content));
  let end: () => void = () => undefined;
  const hanging = disk.run(() => new Promise<void>((resolve) => (end = resolve)));
  await expect(spool.write(Buffer.from('meanwhile'))).rejects.toMatchObject({ status: 503 });
  await expect(spool.readInto(Buffer.alloc(6), 0)).rejects.toMatchObject({ status: 503 });
  const freed = new Promise<number[]>((resolve) => {
    spool.close(() => {
      resolve(openFiles(content));
    });
  });
  expect(openFiles(content)).toHaveLength(1);
  end();
  await hanging;
  expect(await freed).toEqual([]);
});

it('ends writes that wait for the disk when it is closed', async () => {
  const disk = new DiskOperations({ ...UPLOADS_DISK, wait: NEVER, result: NEVER });
  let end: () => void = () => undefined;
  const other = disk.run(() => new Promise<void>((resolve) => (end = resolve)));
  const spool = new Spool(new SpoolFolder(folder, disk));
  const writing = spool.write(Buffer.alloc(10));
  spool.close();
  await expect(writing).rejects.toMatchObject({ status: 503 });
  end();
  await other;
  expect(readdirSync(folder)).toEqual([]);
});

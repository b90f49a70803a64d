import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiError } from '../errors/error-codes';
import { DiskOperations } from './disk-operations';
import { Spool, Spooled } from './spool';

/** Long enough that it never passes in a test. */
const NEVER = 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('returns the content of files that arrive at the same time, and leaves nothing in the folder', async () => {
  const spool = new Spool(folder);
  const [one, other] = [new Spooled(spool), new Spooled(spool)];
  const pieces = Array.from({ length: 6 }, () => randomBytes(70_000));
  for (const [at, piece] of pieces.entries()) await (at % 2 ? other : one).append(piece);
  expect(await one.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 0)));
  expect(await other.read()).toEqual(Buffer.concat(pieces.filter((_, at) => at % 2 === 1)));
  spool.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('takes turns with all operations on the disk: 503 while it hangs, and closing does not wait', async () => {
  const disk = new DiskOperations({ wait: 1, result: NEVER });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const spool = new Spool(folder, disk);
  await spool.write(Buffer.from('before'));
  const hanging = [disk.run(() => ended), disk.run(() => ended)];
  const failure = await spool.write(Buffer.from('meanwhile')).catch((error: unknown) => error);
  expect((failure as ApiError).status).toBe(503);
  await expect(spool.readInto(Buffer.alloc(6), 0)).rejects.toMatchObject({ status: 503 });
  spool.close();
  end();
  await Promise.all(hanging);
});

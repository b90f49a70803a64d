import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BatchedWrites, PendingBytes } from './batched-writes';
import { BudgetUse, ByteBudget } from './byte-budget';
import { DiskOperations, UPLOADS_DISK } from './disk-operations';
import { Spool, SpoolFolder, Spooled } from './spool';

/** Long enough that it never passes in a test. */
const NEVER = 3_600_000;

let folder: string;
let disk: DiskOperations;
let budget: ByteBudget;
let spool: Spool;
let content: Spooled;
let pending: PendingBytes;
let writes: BatchedWrites;
/** Ends the operation that occupies the disk. */
let free: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-spool-'));
  disk = new DiskOperations({ ...UPLOADS_DISK, wait: NEVER, result: NEVER });
  void disk.run(() => new Promise<void>((resolve) => (free = resolve)));
  spool = new Spool(new SpoolFolder(folder, disk));
  content = new Spooled(spool);
  budget = new ByteBudget(50_000, 50_000);
  pending = new PendingBytes(new BudgetUse(budget, 'one'));
  writes = new BatchedWrites(content, pending);
});
afterEach(() => {
  free();
  spool.close();
  rmSync(folder, { recursive: true });
});

const chunk = (letter: string): Buffer => Buffer.alloc(10_000, letter);

/** Expects work to wait until the disk is free. */
async function expectToWait(work: Promise<void>): Promise<void> {
  let isDone = false;
  const working = work.then(() => (isDone = true));
  await setImmediate();
  expect(isDone).toBe(false);
  free();
  await working;
}

it('chunks that arrive while the disk is busy are written in one operation', async () => {
  const append = jest.spyOn(content, 'append');
  for (const letter of 'abcde') await writes.add(chunk(letter));
  free();
  await writes.end();
  expect(append.mock.calls.map(([{ length }]) => length)).toEqual([10_000, 40_000]);
  expect(await content.read()).toEqual(Buffer.concat(Array.from('abcde', chunk)));
  expect(budget.size).toBe(0);
});

it('waits for the disk when the budget has no room', async () => {
  for (const letter of 'abcde') await writes.add(chunk(letter));
  await expectToWait(writes.add(chunk('f')));
  expect(content.size).toBe(60_000);
});

it('counts all files of a request', async () => {
  const other = new BatchedWrites(new Spooled(spool), pending);
  for (const file of [writes, other]) for (const letter of 'ab') await file.add(chunk(letter));
  await writes.add(chunk('c'));
  await expectToWait(other.add(chunk('d')));
  await writes.end();
  expect(budget.size).toBe(0);
});

it('takes nothing of the budget after the end of the request', async () => {
  const use = new BudgetUse(budget, 'one');
  const late = new BatchedWrites(content, new PendingBytes(use));
  spool.close();
  use.close();
  await expect(late.add(chunk('a'))).rejects.toThrow('the spool is closed');
  expect(budget.size).toBe(0);
});

it('503: reports an error to the next call', async () => {
  await writes.add(chunk('a'));
  spool.close();
  await expect(writes.end()).rejects.toMatchObject({ status: 503 });
  await expect(writes.add(chunk('b'))).rejects.toMatchObject({ status: 503 });
});

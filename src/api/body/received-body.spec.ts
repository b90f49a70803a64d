import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BudgetUse, ByteBudget } from './byte-budget';
import { DiskOperations, UPLOADS_DISK } from './disk-operations';
import { ReceivedBody } from './received-body';
import { Spool, SpoolFolder } from './spool';

/** Long enough that it never passes in a test. */
const NEVER = 3_600_000;
const CHUNK = Buffer.alloc(50_000, 'a');

let folder: string;
let disk: DiskOperations;
let spools: Spool[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-spool-'));
  disk = new DiskOperations({ ...UPLOADS_DISK, wait: NEVER, result: NEVER });
  spools = [];
});
afterEach(() => {
  for (const spool of spools) spool.close();
  rmSync(folder, { recursive: true });
});

/** Makes bodies that share budgets of a number of bytes. */
function bodiesWith(memoryBytes: number, writingBytes: number) {
  const unlimited = new ByteBudget(Infinity, Infinity);
  const [memory, writing] = [memoryBytes, writingBytes].map(
    (bytes) => new ByteBudget(bytes, bytes),
  ) as [ByteBudget, ByteBudget];
  return (announced?: number): ReceivedBody => {
    const spool = new Spool(new SpoolFolder(folder, disk));
    spools.push(spool);
    const [inMemory, waiting, onDisk] = [memory, writing, unlimited].map(
      (budget) => new BudgetUse(budget, 'one'),
    ) as [BudgetUse, BudgetUse, BudgetUse];
    return new ReceivedBody(inMemory, waiting, onDisk, spool, announced);
  };
}

it('503: bodies that wait to be written to a slow disk have a bound', async () => {
  const newBody = bodiesWith(0, 120_000);
  let end: () => void = () => undefined;
  const slow = disk.run(() => new Promise<void>((resolve) => (end = resolve)));
  const bodies = [newBody(), newBody()];
  const writing = bodies.map(async (body) => {
    await body.append(CHUNK);
  });
  await expect(newBody().append(CHUNK)).rejects.toMatchObject({ status: 503 });
  end();
  await slow;
  await Promise.all(writing);
  await newBody().append(CHUNK);
  for (const body of bodies) expect(await body.bytes()).toEqual(CHUNK);
});

it('a body in memory takes no more than it announces', async () => {
  const newBody = bodiesWith(3 * CHUNK.length, 0);
  const body = newBody(3 * CHUNK.length);
  for (let at = 0; at < 3; at += 1) expect(body.append(CHUNK)).toBeUndefined();
  expect(await body.bytes()).toHaveLength(3 * CHUNK.length);
});

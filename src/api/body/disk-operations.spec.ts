import { type ApiError } from '../errors/error-codes';
import type * as Disks from './disk-operations';
import {
  DiskOperations,
  PICTURES_DISK,
  TRANSFERS_DISK,
  UPLOADS_DISK,
  type DiskLimits,
} from './disk-operations';

/** Long enough that it never passes in a test. */
const NEVER = 3_600_000;

/** An operation that ends when it is told to. */
function operation<T>(result: T): { run: () => Promise<T>; end: () => void; begun: boolean } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const made = {
    begun: false,
    run: async () => {
      made.begun = true;
      await ended;
      return result;
    },
    end: () => {
      end();
    },
  };
  return made;
}

const threeOperations = () => [operation(1), operation(2), operation(3)] as const;
const failure = async (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as ApiError,
  );

it('runs at most two operations at once, half of the threads, in order', async () => {
  const disk = new DiskOperations({ ...PICTURES_DISK, wait: NEVER, result: NEVER });
  const all = threeOperations();
  const results = all.map(({ run }) => disk.run(run));
  await new Promise(setImmediate);
  expect(all.map(({ begun }) => begun)).toEqual([true, true, false]);
  all[1].end();
  expect(await results[1]).toBe(2);
  await new Promise(setImmediate);
  expect(all[2].begun).toBe(true);
  for (const { end } of all) end();
  expect(await Promise.all(results)).toEqual([1, 2, 3]);
});

it('addresses take turns', async () => {
  const disk = new DiskOperations({ ...UPLOADS_DISK, wait: NEVER, result: NEVER });
  const begun: string[] = [];
  const run = (address: string) =>
    disk.run(
      async () => {
        begun.push(address);
        await new Promise(setImmediate);
      },
      { address },
    );
  await Promise.all(['one', 'one', 'one', 'one', 'two', 'two', 'three'].map(run));
  expect(begun).toEqual(['one', 'two', 'three', 'one', 'two', 'one', 'one']);
});

it('fails with 503 and Retry-After when an operation gets no turn in time', async () => {
  const disk = new DiskOperations({ ...PICTURES_DISK, wait: 1, result: NEVER });
  const [first, second, third] = threeOperations();
  const running = [first, second].map(({ run }) => disk.run(run));
  const { status, headers } = await failure(disk.run(third.run));
  expect([status, headers, third.begun]).toEqual([503, { 'Retry-After': '2' }, false]);
  first.end();
  second.end();
  await Promise.all(running);
  third.end();
  expect(await disk.run(third.run)).toBe(3);
});

it('runs operations of all disks on all threads but one', async () => {
  const [pictures, uploads, transfers] = [PICTURES_DISK, UPLOADS_DISK, TRANSFERS_DISK].map(
    (limits) => new DiskOperations({ ...limits, wait: NEVER, result: NEVER }),
  );
  const all = threeOperations();
  const last = operation(4);
  const results = [pictures, pictures, uploads].map((disk, at) =>
    disk?.run(all[at]?.run ?? last.run),
  );
  const lastResult = transfers?.run(last.run);
  await new Promise(setImmediate);
  expect([...all, last].map(({ begun }) => begun)).toEqual([true, true, true, false]);
  all[0].end();
  await new Promise(setImmediate);
  expect(last.begun).toBe(true);
  for (const { end } of [...all, last]) end();
  expect(await Promise.all([...results, lastResult])).toEqual([1, 2, 3, 4]);
});

describe('with five threads', () => {
  const { UV_THREADPOOL_SIZE: before } = process.env;
  let Operations: typeof DiskOperations;
  beforeAll(() => {
    process.env.UV_THREADPOOL_SIZE = '5';
    jest.isolateModules(() => {
      Operations = jest.requireActual<typeof Disks>('./disk-operations').DiskOperations;
    });
  });
  afterAll(() => {
    if (before === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = before;
  });

  it.each([
    ['pictures', PICTURES_DISK, [UPLOADS_DISK, TRANSFERS_DISK]],
    ['uploads', UPLOADS_DISK, [PICTURES_DISK, TRANSFERS_DISK]],
    ['transfers', TRANSFERS_DISK, [PICTURES_DISK, UPLOADS_DISK]],
  ])('runs operations on the disk of %s while both others hang', async (_disk, works, others) => {
    const diskOf = (limits: DiskLimits): DiskOperations =>
      new Operations({ ...limits, wait: NEVER, result: NEVER });
    const hanging = threeOperations();
    const results = others.map(diskOf).flatMap((disk) => hanging.map(({ run }) => disk.run(run)));
    expect(await diskOf(works).run(() => Promise.resolve('done'))).toBe('done');
    for (const { end } of hanging) end();
    await Promise.all(results);
  });
});

it('fails with 503 when an operation has no result in time, which keeps its turn until it ends', async () => {
  const disk = new DiskOperations({ ...PICTURES_DISK, wait: NEVER, result: 1 });
  const [first, second, third] = threeOperations();
  const discarded: number[] = [];
  const discard = (result: number): Promise<unknown> => Promise.resolve(discarded.push(result));
  const late: Promise<unknown>[] = [];
  const failures = [first, second].map(({ run }) =>
    failure(disk.run(run, { discard, onLate: (ended) => late.push(ended) })),
  );
  expect((await Promise.all(failures)).map(({ status }) => status)).toEqual([503, 503]);
  // Without a wait.
  expect((await failure(disk.run(third.run))).status).toBe(503);
  expect(third.begun).toBe(false);
  first.end();
  third.end();
  await new Promise(setImmediate);
  expect(await disk.run(third.run)).toBe(3);
  expect(discarded).toEqual([1]);
  second.end();
  await Promise.all(late);
  expect([late.length, discarded]).toEqual([2, [1, 2]]);
});

it('passes errors on', async () => {
  const disk = new DiskOperations(PICTURES_DISK);
  for (let round = 0; round < 3; round += 1) {
    await expect(disk.run(() => Promise.reject(new Error('no such file')))).rejects.toThrow(
      'no such',
    );
  }
});

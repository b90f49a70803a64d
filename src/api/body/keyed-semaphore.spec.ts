import { KeyedSemaphore } from './keyed-semaphore';

/** Whether a promise is fulfilled by now. */
const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise(setImmediate);
  return done;
};

describe('KeyedSemaphore', () => {
  it('limits the concurrent holders of each key independently, and removes unused keys', async () => {
    const semaphore = new KeyedSemaphore<number>(2);
    const [first, second] = [await semaphore.acquire(1), await semaphore.acquire(1)];
    const third = semaphore.acquire(1);
    expect(await isDone(third)).toBe(false);
    const other = await semaphore.acquire(2);
    expect(semaphore.size).toBe(2);
    first();
    first();
    expect(await isDone(third)).toBe(true);
    const fourth = semaphore.acquire(1);
    expect(await isDone(fourth)).toBe(false);
    second();
    for (const release of [await third, await fourth, other]) release();
    expect(semaphore.size).toBe(0);
  });

  it('removes waiting requests whose client disconnects', async () => {
    const semaphore = new KeyedSemaphore<string>(1);
    const first = await semaphore.acquire('a');
    const gone = new AbortController();
    const second = semaphore.acquire('a', gone.signal);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    first();
    expect(semaphore.size).toBe(0);
  });
});

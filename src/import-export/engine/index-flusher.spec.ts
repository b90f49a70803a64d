import { type TransactionExecutor } from '../../database/database';
import { type Storing } from './storing';
import { IndexFlusher } from './index-flusher';
import { type RecordHandler } from './record-handler';

const executor = { query: () => Promise.resolve([]) } as unknown as TransactionExecutor;
const database: Pick<Storing, 'transaction'> = {
  transaction: (work) => work(executor),
};

/** A handler whose flushes last until they are ended. */
function slowHandler() {
  const running: { end: () => void; fail: (error: Error) => void }[] = [];
  const flush = (): Promise<void> =>
    new Promise((resolve, reject) => running.push({ end: resolve, fail: reject }));
  return { handler: { name: 'slow', flush } as unknown as RecordHandler, running };
}

/** Whether a promise is still pending after all work that is ready. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  let pending = true;
  void promise.then(
    () => (pending = false),
    () => (pending = false),
  );
  await new Promise(setImmediate);
  return pending;
}

const MANY = 30_000;

it('an import goes on while its indexes are flushed', async () => {
  const { handler, running } = slowHandler();
  const flusher = new IndexFlusher(database, { beside: true });
  flusher.add(handler, MANY);
  await flusher.keepUp();
  flusher.add(handler, 1000);
  await flusher.keepUp();
  await new Promise(setImmediate);
  expect(running).toHaveLength(1);
});

it('an import waits for a flush that is far behind', async () => {
  const { handler, running } = slowHandler();
  const flusher = new IndexFlusher(database, { beside: true });
  flusher.add(handler, MANY);
  await flusher.keepUp();
  flusher.add(handler, 2 * MANY);
  const waiting = flusher.keepUp();
  expect(await isPending(waiting)).toBe(true);
  running[0]?.end();
  await waiting;
  await new Promise(setImmediate);
  expect(running).toHaveLength(2);
});

it('an import waits for each flush without a connection for it', async () => {
  const { handler, running } = slowHandler();
  const flusher = new IndexFlusher(database, { beside: false });
  flusher.add(handler, MANY);
  const waiting = flusher.keepUp();
  expect(await isPending(waiting)).toBe(true);
  running[0]?.end();
  await waiting;
});

it('a failed flush ends the import', async () => {
  const { handler, running } = slowHandler();
  const flusher = new IndexFlusher(database, { beside: true });
  flusher.add(handler, MANY);
  await flusher.keepUp();
  await new Promise(setImmediate);
  running[0]?.fail(new Error('lost'));
  await flusher.stop();
  await expect(flusher.keepUp()).rejects.toThrow('lost');
});

it('nothing is flushed for handlers without an index, and few records are flushed at the end', async () => {
  const flush = jest.fn(() => Promise.resolve());
  const flusher = new IndexFlusher(database, { beside: true });
  flusher.add({ name: 'plain' } as RecordHandler, MANY);
  flusher.add({ name: 'few', flush } as unknown as RecordHandler, 1);
  await flusher.keepUp();
  expect(flush).not.toHaveBeenCalled();
  await flusher.flush();
  expect(flush).toHaveBeenCalledTimes(1);
});

import { setImmediate as turn } from 'node:timers/promises';
import { Lanes } from './lanes';
import { type ParsedRecord } from './parsed-record';
import { type RecordHandler } from './record-handler';

const handler = { key: (record: unknown) => record } as unknown as RecordHandler;

const batch = (...keys: readonly (string | undefined)[]): ParsedRecord[] =>
  keys.map((record, line) => ({ position: line, line, record }));

/** Parts that end when the test says so, named by their records. */
class PendingParts {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();
  readonly lanes = new Lanes();

  begin(records: readonly ParsedRecord[]): Promise<void> {
    const name = records.map(({ record }) => String(record)).join('');
    this.begun.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)?.(error);
    await turn();
  }
}

let pending: PendingParts;
const store = (...keys: readonly (string | undefined)[]): Promise<void> =>
  pending.lanes.store(handler, batch(...keys), (records) => pending.begin(records));
beforeEach(() => {
  pending = new PendingParts();
});

it('a lane goes on with the next batch while others store the last one', async () => {
  const [first, second] = [store('a', 'b', 'c'), store('d', 'e', 'f')];
  await turn();
  expect(pending.begun).toEqual(['a', 'b', 'c']);
  await pending.end('b');
  expect(pending.begun).toEqual(['a', 'b', 'c', 'e']);
  for (const name of ['a', 'c', 'd', 'e', 'f']) await pending.end(name);
  await Promise.all([first, second]);
});

it('records with the same key are stored in order, also of different batches', async () => {
  const [first, second] = [store('a', 'b', 'c'), store('x', 'y', 'a')];
  await turn();
  await pending.end('b');
  await pending.end('c');
  // The second `a` waits in the lane of the first one.
  expect(pending.begun).toEqual(['a', 'b', 'c', 'y']);
  await pending.end('a');
  expect(pending.begun.at(-1)).toBe('xa');
  await pending.end('y');
  await pending.end('xa');
  await Promise.all([first, second]);
});

describe('records that share a lane or a key', () => {
  const withLane = {
    key: (record: unknown) => String(record)[0],
    lane: (record: unknown) => String(record)[1] ?? String(record)[0],
  } as unknown as RecordHandler;
  const storeAll = (...keys: readonly string[]): Promise<void> =>
    pending.lanes.store(withLane, batch(...keys), (records) => pending.begin(records));

  it('are stored in order within a batch', async () => {
    // The last one names its key alone.
    const stored = storeAll('aS', 'bT', 'cU', 'dV', 'eW', 'a');
    await turn();
    expect(pending.begun).toEqual(['aSbTa', 'cUdV', 'eW']);
    for (const name of pending.begun) await pending.end(name);
    await stored;
  });

  it('wait for all others, when those before them are in several lanes', async () => {
    const [first, second] = [storeAll('aS', 'bT', 'cU'), storeAll('aU', 'x', 'y')];
    await turn();
    await pending.end('bT');
    expect(pending.begun).toEqual(['aS', 'bT', 'cU']);
    await pending.end('aS');
    await pending.end('cU');
    expect(pending.begun.slice(3)).toEqual(['aU', 'x', 'y']);
    for (const name of ['aU', 'x', 'y']) await pending.end(name);
    await Promise.all([first, second]);
  });
});

it('a batch with records without a key is stored alone', async () => {
  const all = [store('a', 'b', 'c'), store('d', undefined), store('e', 'f', 'g')];
  await turn();
  await pending.end('a');
  await pending.end('b');
  expect(pending.begun).toEqual(['a', 'b', 'c']);
  await pending.end('c');
  expect(pending.begun.slice(3)).toEqual(['dundefined']);
  await pending.end('dundefined');
  expect(pending.begun.slice(4)).toEqual(['e', 'f', 'g']);
  for (const name of ['e', 'f', 'g']) await pending.end(name);
  await Promise.all(all);
});

it('after an error all further parts fail with it, and the batch ends with its last part', async () => {
  const [first, second] = [store('a', 'b', 'c'), store('d', 'e', 'f')];
  await turn();
  let ended = false;
  second.catch(() => undefined);
  const failed = first.catch((error: unknown) => {
    ended = true;
    return error;
  });
  await pending.end('b', new Error('lost'));
  expect(ended).toBe(false);
  await pending.end('a');
  await pending.end('c');
  expect(await failed).toEqual(new Error('lost'));
  await expect(second).rejects.toEqual(new Error('lost'));
  expect(pending.begun).toEqual(['a', 'b', 'c']);
});

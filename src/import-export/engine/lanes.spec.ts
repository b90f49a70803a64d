import { setImmediate as turn } from 'node:timers/promises';
import { type ParsedRecord } from './import.service';
import { Lanes } from './lanes';
import { type RecordHandler } from './record-handler';

const handler = { key: (record: unknown) => record } as unknown as RecordHandler;

const batch = (...keys: readonly (string | undefined)[]): ParsedRecord[] =>
  keys.map((record, line) => ({ line, record }));

/** Parts whose storing ends on request, named by their records. */
class HeldParts {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();
  readonly lanes = new Lanes((_kind, records) => {
    const name = records.map(({ record }) => String(record)).join('');
    this.begun.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  });

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)?.(error);
    await turn();
  }
}

let held: HeldParts;
const store = (...keys: readonly (string | undefined)[]): Promise<void> =>
  held.lanes.store(handler, batch(...keys));
beforeEach(() => {
  held = new HeldParts();
});

it('a lane goes on with the next batch while others store the last one', async () => {
  const [first, second] = [store('a', 'b', 'c'), store('d', 'e', 'f')];
  await turn();
  expect(held.begun).toEqual(['a', 'b', 'c']);
  await held.end('b');
  expect(held.begun).toEqual(['a', 'b', 'c', 'e']);
  for (const name of ['a', 'c', 'd', 'e', 'f']) await held.end(name);
  await Promise.all([first, second]);
});

it('records with the same key are stored in order, also of different batches', async () => {
  const [first, second] = [store('a', 'b', 'c'), store('x', 'y', 'a')];
  await turn();
  await held.end('b');
  await held.end('c');
  // The second `a` waits in the lane of the first one.
  expect(held.begun).toEqual(['a', 'b', 'c', 'y']);
  await held.end('a');
  expect(held.begun.at(-1)).toBe('xa');
  await held.end('y');
  await held.end('xa');
  await Promise.all([first, second]);
});

describe('records that share a lane or a key', () => {
  const withLane = {
    key: (record: unknown) => String(record)[0],
    lane: (record: unknown) => String(record)[1] ?? String(record)[0],
  } as unknown as RecordHandler;
  const storeAll = (...keys: readonly string[]): Promise<void> =>
    held.lanes.store(withLane, batch(...keys));

  it('are stored in order within a batch', async () => {
    // The last one names its key alone.
    const stored = storeAll('aS', 'bT', 'cU', 'dV', 'eW', 'a');
    await turn();
    expect(held.begun).toEqual(['aSbTa', 'cUdV', 'eW']);
    for (const name of held.begun) await held.end(name);
    await stored;
  });

  it('wait for all others, when those before them are in several lanes', async () => {
    const [first, second] = [storeAll('aS', 'bT', 'cU'), storeAll('aU', 'x', 'y')];
    await turn();
    await held.end('bT');
    expect(held.begun).toEqual(['aS', 'bT', 'cU']);
    await held.end('aS');
    await held.end('cU');
    expect(held.begun.slice(3)).toEqual(['aU', 'x', 'y']);
    for (const name of ['aU', 'x', 'y']) await held.end(name);
    await Promise.all([first, second]);
  });
});

it('a batch with records without a key is stored alone', async () => {
  const all = [store('a', 'b', 'c'), store('d', undefined), store('e', 'f', 'g')];
  await turn();
  await held.end('a');
  await held.end('b');
  expect(held.begun).toEqual(['a', 'b', 'c']);
  await held.end('c');
  expect(held.begun.slice(3)).toEqual(['dundefined']);
  await held.end('dundefined');
  expect(held.begun.slice(4)).toEqual(['e', 'f', 'g']);
  for (const name of ['e', 'f', 'g']) await held.end(name);
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
  await held.end('b', new Error('lost'));
  expect(ended).toBe(false);
  await held.end('a');
  await held.end('c');
  expect(await failed).toEqual(new Error('lost'));
  await expect(second).rejects.toEqual(new Error('lost'));
  expect(held.begun).toEqual(['a', 'b', 'c']);
});

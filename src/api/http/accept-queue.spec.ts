import { setImmediate as turn } from 'node:timers/promises';
import { AcceptQueue, type AcceptedHandle } from './accept-queue';

/** A connection of an address; undefined for one that its client has reset. */
class Handle implements AcceptedHandle {
  isClosed = false;
  constructor(readonly address: string | undefined) {}

  getpeername(to: { address?: string }): number {
    if (this.address !== undefined) to.address = this.address;
    return 0;
  }

  close(): void {
    this.isClosed = true;
  }
}

let passed: Handle[];
let dropped: number;
const open = (maxWaiting: number, maxOpen?: number): AcceptQueue =>
  new AcceptQueue({
    maxWaiting,
    maxOpen,
    pass: (handle) => passed.push(handle as Handle),
    onDrop: () => (dropped += 1),
    // The clock is fixed, so that the number of waiting connections does not depend on the speed of
    // the machine.
    now: () => 0,
  });

beforeEach(() => {
  passed = [];
  dropped = 0;
});

/** Adds connections in a row. */
function add(queue: AcceptQueue, ...addresses: (string | undefined)[]): Handle[] {
  const handles = addresses.map((address) => new Handle(address));
  for (const handle of handles) queue.add(handle);
  return handles;
}

/** Waits until no connection waits. */
async function drained(queue: AcceptQueue): Promise<void> {
  while (queue.size > 0) await turn();
}

const many = (address: string, count: number): string[] =>
  Array.from({ length: count }, () => address);

it('passes the first connection on at once', () => {
  const [handle] = add(open(10), '192.0.2.1');
  expect(passed).toEqual([handle]);
});

it('addresses take turns', async () => {
  const queue = open(10);
  add(queue, ...many('192.0.2.1', 4), '192.0.2.2', '::ffff:192.0.2.2', '192.0.2.3');
  await drained(queue);
  expect(passed.map(({ address }) => address)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.3',
    '192.0.2.1',
    '::ffff:192.0.2.2',
    '192.0.2.1',
  ]);
});

it('closes connections of an address with too many, and none of others', async () => {
  const queue = open(10);
  const before = add(queue, '192.0.2.2', '192.0.2.2');
  const flood = add(queue, ...many('192.0.2.1', 50));
  const after = add(queue, ...many('192.0.2.3', 3));
  expect([...before, ...after].some(({ isClosed }) => isClosed)).toBe(false);
  expect(flood.filter(({ isClosed }) => isClosed)).toHaveLength(50 - 6);
  expect([queue.size, dropped]).toEqual([10, 44]);
  await drained(queue);
  expect(passed).toHaveLength(11);
});

it('closes connections that were reset', () => {
  const queue = open(10);
  expect(add(queue, undefined)).toEqual([expect.objectContaining({ isClosed: true })]);
  expect([passed, queue.size]).toEqual([[], 0]);
});

it('passes no more on than may be open', async () => {
  const queue = open(10, 2);
  add(queue, ...many('192.0.2.1', 5));
  while (passed.length < 2) await turn();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect([passed.length, queue.size]).toEqual([2, 3]);
  passed[0]?.close();
  while (passed.length < 3) await turn();
  expect(passed[0]?.isClosed).toBe(true);
  for (const handle of passed) handle.close();
  await drained(queue);
  expect(passed).toHaveLength(5);
});

it('closes what waits', () => {
  const queue = open(10);
  const handles = add(queue, ...many('192.0.2.1', 5));
  queue.close();
  expect(handles.filter(({ isClosed }) => isClosed)).toHaveLength(4);
  expect(queue.size).toBe(0);
});

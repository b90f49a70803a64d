import { IdleMemory, type CollectableMemory } from './idle-memory';

const MB = 1024 * 1024;
/** Checks of a day. */
const DAY = 17_280;

/** A process whose memory is what it holds, and garbage until the next compaction. */
class FakeMemory implements CollectableMemory {
  held = 90 * MB;
  garbage = 0;
  open = 10;
  busy = false;
  compactions = 0;

  utilization(): number {
    return this.busy ? 1 : 0;
  }

  size(): number {
    return this.held + this.garbage;
  }

  openConnections(): number {
    return this.open;
  }

  collect(): void {
    this.garbage = 0;
  }

  compact(): void {
    this.compactions += 1;
    this.garbage = 0;
  }

  /** Closes connections: what they held is garbage now. */
  close(bytes: number, connections: number): void {
    this.held -= bytes;
    this.garbage += bytes;
    this.open -= connections;
  }
}

let memory: FakeMemory;
let idle: IdleMemory;
beforeEach(() => {
  memory = new FakeMemory();
  idle = new IdleMemory(memory);
});
afterEach(() => {
  idle.stop();
});

const check = (times: number): void => {
  for (let number = 0; number < times; number += 1) idle.check();
};

/** Connections that hold 335 MB, compacted meanwhile. */
function holdConnections(connections: number): void {
  check(50);
  memory.held += 335 * MB;
  memory.open += connections;
  check(10);
}

it('an idle process stops to compact its memory', () => {
  check(50);
  expect(memory.compactions).toBeGreaterThan(0);
  const { compactions } = memory;
  check(DAY);
  expect(memory.compactions).toBe(compactions);
});

it('a busy process is never compacted', () => {
  memory.busy = true;
  memory.garbage = 300 * MB;
  check(DAY);
  expect(memory).toMatchObject({ compactions: 0, garbage: 300 * MB });
});

it.each([5, 1000])('memory that %i connections held when it was compacted is freed', (count) => {
  holdConnections(count);
  memory.close(335 * MB, count);
  expect(memory.size()).toBe(425 * MB);
  check(30);
  expect(memory.size()).toBe(90 * MB);
});

it('connections that are closed a few at a time leave no memory', () => {
  holdConnections(1000);
  for (let number = 0; number < 100; number += 1) {
    memory.close(3.35 * MB, 10);
    check(1);
  }
  check(200);
  expect(memory.size()).toBeLessThan(90 * MB + 32 * MB);
});

it.each([5, 1000])(
  'a process that keeps its memory becomes quiet until some of %i connections close',
  (count) => {
    holdConnections(count);
    memory.compactions = 0;
    check(DAY);
    const { compactions } = memory;
    expect(compactions).toBeLessThan(10);
    check(DAY);
    expect(memory.compactions).toBe(compactions);
    // Hours later, its connections are closed.
    memory.close(335 * MB, count);
    check(10);
    expect(memory.size()).toBe(90 * MB);
  },
);

it('connections that come and go without memory cause few compactions', () => {
  check(50);
  memory.compactions = 0;
  for (let number = 0; number < DAY; number += 1) {
    memory.open = number % 2 === 0 ? 5000 : 10;
    check(1);
  }
  expect(memory.compactions).toBeLessThan(DAY / 300);
});

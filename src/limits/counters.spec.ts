import { CounterTable } from './counter-table';
import { MemoryCounters, type Counted } from './counters';

const CAPACITY = 1000;

const counter = (key: string, limit = 100, window = 3600): Counted => ({ key, limit, window });

let counters: MemoryCounters;
let now: jest.SpyInstance<number>;
beforeEach(() => {
  counters = new MemoryCounters(CAPACITY);
  now = jest.spyOn(performance, 'now').mockReturnValue(1_800_000_000.5);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const pass = (ms: number): void => {
  const later = performance.now() + ms;
  now.mockReturnValue(later);
};
const used = async (key: string): Promise<number> =>
  (await counters.read([counter(key)]))[0]?.used ?? NaN;
const take = (key: string, times = 1, limit = 100, window = 3600): void => {
  for (let time = 0; time < times; time += 1) counters.consume([counter(key, limit, window)]);
};

it('continues to count after a failure', async () => {
  const broken = {
    ...counter('broken'),
    get limit(): number {
      throw new Error('no limit');
    },
  };
  expect(() => counters.consume([broken])).toThrow('no limit');
  expect(counters.consume([counter('a')])).toMatchObject({ granted: true });
  expect(await used('a')).toBe(1);
});

it('counts a request in all of its counters or in none', () => {
  const [one, other] = [counter('one', 1), counter('other', 2)];
  expect(counters.consume([one, other])).toEqual({
    granted: true,
    counts: [
      { used: 1, reset: 3_600_000 },
      { used: 1, reset: 3_600_000 },
    ],
  });
  pass(1000);
  expect(counters.consume([counter('third'), one, other])).toEqual({
    granted: false,
    counts: [
      { used: 0, reset: undefined },
      { used: 1, reset: 3_599_000 },
      { used: 1, reset: 3_599_000 },
    ],
  });
});

it.each(['back', 'forward'])('does not change windows when the wall clock goes %s', async (way) => {
  take('a', 3);
  pass(1000);
  const day = way === 'back' ? -86_400_000 : 86_400_000;
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + day);
  expect(await counters.read([counter('a')])).toEqual([{ used: 3, reset: 3_599_000 }]);
  pass(3_599_000);
  expect(await used('a')).toBe(0);
});

it('removes counters that return to 0', async () => {
  counters.consume([counter('a'), counter('b')]);
  counters.consume([counter('b')]);
  counters.refund([counter('a'), counter('b')]);
  expect([counters.size, await used('a'), await used('b')]).toEqual([1, 0, 1]);
  // More is not given back than was taken.
  counters.refund([counter('a'), counter('b')]);
  counters.refund([counter('a'), counter('b')]);
  expect(counters.size).toBe(0);
  take('a', 2);
  await counters.clear([counter('a')]);
  expect(counters.size).toBe(0);
});

it('does not refund a request to a later window', async () => {
  take('a', 3, 100, 60);
  pass(60_000);
  counters.refund([counter('a')]);
  expect(await used('a')).toBe(0);
  take('a', 1, 100, 60);
  expect(await used('a')).toBe(1);
});

it('does not refund a request of an earlier window to the current one', async () => {
  take('a', 3, 100, 60);
  pass(60_000);
  take('a', 2, 100, 60);
  counters.refund([{ ...counter('a'), left: 1000 }]);
  expect(await used('a')).toBe(2);
  counters.refund([{ ...counter('a'), left: 60_000 }]);
  expect(await used('a')).toBe(1);
});

it('removes counters of past windows while it counts', () => {
  for (let at = 0; at < CAPACITY; at += 1) take(`old ${at}`, 1, 100, 60);
  pass(60_000);
  take('new', CAPACITY / 2, CAPACITY);
  expect(counters.size).toBe(1);
});

describe('a full counter table', () => {
  const flood = (keys: number, each = 1): void => {
    for (let at = 0; at < keys; at += 1) take(`flood ${at}`, each);
  };

  it('never exceeds its capacity', () => {
    flood(3 * CAPACITY);
    expect(counters.size).toBe(CAPACITY);
  });

  it('evicts the least recently used counters with low usage', async () => {
    for (let at = 0; at < CAPACITY; at += 1) take(`key ${at}`);
    take('key 0');
    take('another');
    expect([await used('key 0'), await used('key 1'), await used('key 2')]).toEqual([2, 0, 1]);
  });

  it('keeps a counter that has reached its limit when many new counters arrive', async () => {
    take('full', 100);
    take('half full', 50);
    take('much used', 50, 1_000_000);
    flood(20 * CAPACITY);
    const keys = ['full', 'half full', 'much used'];
    expect(await Promise.all(keys.map(used))).toEqual([100, 50, 50]);
  });

  it('evicts a counter only when three quarters of the table have at least its usage', async () => {
    take('guesses', 99);
    flood(CAPACITY * 0.7, 75);
    for (let at = 0; at < 5 * CAPACITY; at += 1) take(`fresh ${at}`);
    expect(await used('guesses')).toBe(99);
  });

  it('accepts new counters even when all others have reached their limits', async () => {
    flood(2 * CAPACITY, 100);
    for (let at = 0; at < CAPACITY / 4; at += 1) take(`fresh ${at}`, 1);
    for (let at = 0; at < CAPACITY / 4; at += 1) take(`fresh ${at}`, 9);
    const all = await Promise.all(
      Array.from({ length: CAPACITY / 4 }, (_, at) => used(`fresh ${at}`)),
    );
    expect(new Set(all)).toEqual(new Set([10]));
  });

  it('agrees with a model of plain maps (property test)', () => {
    const table = new CounterTable(50);
    const wrong: string[] = [];
    let time = 1;
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    // Fewer keys than it has room for: nothing is evicted, so everything must be as in a map.
    const known = new Map<string, { used: number; ends: number }>();
    for (let step = 0; step < 5000; step += 1) {
      const key = `key ${random(40)}`;
      const entry = known.get(key);
      const open = entry && entry.ends > time ? entry : undefined;
      const what = random(10);
      if (what < 6) {
        table.add(key, 1 + random(8), 100, time);
        known.set(key, { used: (open?.used ?? 0) + 1, ends: open?.ends ?? time + 100 });
      } else if (what < 9) {
        table.subtract(key, 1 + random(8), time);
        if (open && open.used > 1) open.used -= 1;
        else if (open) known.delete(key);
      } else {
        table.delete(key);
        known.delete(key);
      }
      time += random(3);
      for (const [name, { used: count, ends }] of known) {
        const slot = table.find(name, time);
        const stands = slot === undefined ? 0 : table.usedAt(slot);
        if (stands !== (ends > time ? count : 0)) wrong.push(`${step}: ${name} ${stands}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(table.size).toBeLessThanOrEqual(known.size);
  });
});

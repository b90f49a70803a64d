import { ClientPresence } from '../api/http/client-presence';
import {
  ClientLeft,
  BACKGROUND_WORK,
  PoolBusy,
  PoolQueue,
  PROBE,
  type ConnectionRequester,
} from './pool-queue';
import { Share } from './pool-shares';

const LIMITS = { length: 10, requestTimeoutMs: 60_000, timeoutMs: 60_000 };

/** Somebody who takes from a share of a size. */
const askerOf = (maxRunning: number, maxWaiting = 100): ConnectionRequester => ({
  share: new Share(maxRunning, maxWaiting),
});

/** Outcomes of requests, in the order of their end. */
class Outcomes {
  readonly all: string[] = [];

  constructor(private readonly queue: PoolQueue) {}

  ask(name: string, requester: ConnectionRequester): void {
    try {
      const turn = this.queue.enter(requester);
      if (!turn) this.all.push(name);
      else
        turn.then(
          () => this.all.push(name),
          (error: Error) => this.all.push(`${name}: ${error.constructor.name}`),
        );
    } catch (error) {
      this.all.push(`${name}: ${(error as Error).constructor.name}`);
    }
  }

  /** Outcomes so far. */
  async settled(): Promise<string[]> {
    await Promise.resolve();
    await Promise.resolve();
    return this.all;
  }
}

const queueOf = (size: number, limits: Partial<typeof LIMITS> = {}) => {
  const queue = new PoolQueue(size, { ...LIMITS, ...limits });
  return { queue, outcomes: new Outcomes(queue) };
};

it('admits in order of arrival when connections become free', async () => {
  const { queue, outcomes } = queueOf(1);
  const books = askerOf(1);
  const films = askerOf(1);
  for (const [name, requester] of [
    ['a', books],
    ['b', films],
    ['c', books],
    ['d', films],
  ] as const) {
    outcomes.ask(name, requester);
  }
  expect(await outcomes.settled()).toEqual(['a']);
  queue.leave(books, 1);
  expect(await outcomes.settled()).toEqual(['a', 'b']);
  queue.leave(films, 1);
  queue.leave(books, 1);
  queue.leave(films, 1);
  expect(await outcomes.settled()).toEqual(['a', 'b', 'c', 'd']);
  expect(queue.length).toBe(0);
});

it('admits later requests before those whose share is used up', async () => {
  const { queue, outcomes } = queueOf(3);
  const locked = askerOf(2);
  const free = askerOf(2);
  for (const name of ['l1', 'l2', 'l3', 'l4']) outcomes.ask(name, locked);
  outcomes.ask('f1', free);
  outcomes.ask('f2', free);
  expect(await outcomes.settled()).toEqual(['l1', 'l2', 'f1']);
  queue.leave(free, 1);
  expect(await outcomes.settled()).toEqual(['l1', 'l2', 'f1', 'f2']);
});

it('counts a request in its share and in those that it is a part of', async () => {
  const { queue, outcomes } = queueOf(4);
  const area = new Share(3, 100);
  const search = { share: new Share(1, 100, area) };
  const read = { share: area };
  for (const name of ['s1', 's2']) outcomes.ask(name, search);
  for (const name of ['r1', 'r2', 'r3']) outcomes.ask(name, read);
  expect(await outcomes.settled()).toEqual(['s1', 'r1', 'r2']);
  queue.leave(search, 1);
  expect(await outcomes.settled()).toEqual(['s1', 'r1', 'r2', 's2']);
});

describe('rejects immediately', () => {
  it('when the queue is full, except for internal work', async () => {
    const { outcomes } = queueOf(1, { length: 2 });
    const requester = askerOf(1);
    for (const name of ['a', 'b', 'c', 'd']) outcomes.ask(name, requester);
    outcomes.ask('own', BACKGROUND_WORK);
    outcomes.ask('probe', PROBE);
    expect(await outcomes.settled()).toEqual(['a', 'd: PoolBusy']);
  });

  it('when the part of the queue that a share may hold is full', async () => {
    const { outcomes } = queueOf(1);
    const small = askerOf(1, 1);
    for (const name of ['a', 'b', 'c']) outcomes.ask(name, small);
    outcomes.ask('other', askerOf(1));
    expect(await outcomes.settled()).toEqual(['a', 'c: PoolBusy']);
  });

  it('when the predicted wait is too long', async () => {
    const { queue, outcomes } = queueOf(1, { requestTimeoutMs: 100 });
    const slow = askerOf(1);
    outcomes.ask('a', slow);
    queue.leave(slow, 5_000);
    for (const name of ['b', 'c']) outcomes.ask(name, slow);
    expect(await outcomes.settled()).toEqual(['a', 'b', 'c: PoolBusy']);
  });
});

describe('searches of one client', () => {
  const searches = new Share(2, 100);
  const [one, other] = [1, 1].map((size) => ({ share: new Share(size, 2, searches, true) }));

  it('leave connections to those of others, and do not make their expected wait longer', async () => {
    const { queue, outcomes } = queueOf(4, { requestTimeoutMs: 1_000 });
    for (const requester of [one, other] as ConnectionRequester[]) {
      outcomes.ask('before', requester);
      queue.leave(requester, 5_000);
    }
    const client = one as ConnectionRequester;
    for (const name of ['a1', 'a2', 'a3', 'a4']) outcomes.ask(name, client);
    outcomes.ask('b1', other as ConnectionRequester);
    outcomes.ask('b2', other as ConnectionRequester);
    expect(searches.waiting).toBe(2);
    expect(await outcomes.settled()).toEqual(['before', 'before', 'a1', 'a4: PoolBusy', 'b1']);
  });
});

it('clients together wait at most in the queue of their area', async () => {
  const { queue, outcomes } = queueOf(4, { length: 100 });
  const searches = new Share(2, 6, new Share(2, 10));
  for (let client = 0; client < 10; client += 1) {
    const requester = { share: new Share(1, 4, searches, true) };
    for (const name of ['a', 'b', 'c']) outcomes.ask(`${client}${name}`, requester);
  }
  // Two have connections.
  expect(searches.queued).toBe(6);
  expect(queue.length).toBe(6);
  expect(await outcomes.settled()).toHaveLength(30 - 6);
});

it('admits health probes before all waiting requests', async () => {
  const { queue, outcomes } = queueOf(1);
  const requester = askerOf(1);
  for (const name of ['a', 'b']) outcomes.ask(name, requester);
  outcomes.ask('own', BACKGROUND_WORK);
  outcomes.ask('probe', PROBE);
  queue.leave(requester, 1);
  expect(await outcomes.settled()).toEqual(['a', 'probe']);
});

it('rejects waiting requests when no connection becomes free in time', async () => {
  const { queue } = queueOf(1, { requestTimeoutMs: 5 });
  const requester = askerOf(1);
  expect(queue.enter(requester)).toBeUndefined();
  await expect(queue.enter(requester)).rejects.toBeInstanceOf(PoolBusy);
  expect(queue.length).toBe(0);
  // Its place is not lost.
  queue.leave(requester, 1);
  expect(queue.enter(requester)).toBeUndefined();
});

it('removes requests whose client disconnected, and does not admit them', async () => {
  const { queue, outcomes } = queueOf(1);
  const { share } = askerOf(1);
  const presence = new ClientPresence();
  outcomes.ask('a', { share });
  outcomes.ask('b', { share, presence });
  outcomes.ask('c', { share });
  presence.leave();
  queue.leave({ share }, 1);
  outcomes.ask('d', { share, presence });
  expect(await outcomes.settled()).toEqual(['a', 'd: ClientLeft', 'b: ClientLeft', 'c']);
});

it('keeps its counts exact for random sequences of arrivals, timeouts and releases', async () => {
  const { queue } = queueOf(3, { length: 1_000 });
  const askers = [askerOf(1, 500), askerOf(2, 500), askerOf(3, 500), BACKGROUND_WORK];
  let running = 0;
  let most = 0;
  const use = async (turn: number): Promise<void> => {
    const presence = new ClientPresence();
    const requester = { ...(askers[turn % askers.length] as ConnectionRequester), presence };
    if (turn % 7 === 0) queueMicrotask(() => presence.leave());
    try {
      await queue.enter(requester);
    } catch (error) {
      expect(error).toBeInstanceOf(ClientLeft);
      return;
    }
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    queue.leave(requester, 0);
  };
  await Promise.all(Array.from({ length: 500 }, (_, turn) => use(turn)));
  expect([most, running, queue.length]).toEqual([3, 0, 0]);
});

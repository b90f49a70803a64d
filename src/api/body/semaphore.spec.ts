import { Semaphore } from './semaphore';

/** Lets everything that is ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Takes turns and notes who has one. */
function taking(turns: Semaphore) {
  const running: string[] = [];
  const ends: Record<string, () => void> = {};
  const take = (name: string, weight = 1, gone?: AbortSignal) =>
    turns.acquire(weight, gone).then((end) => {
      running.push(name);
      ends[name] = end;
    });
  return { running, ends, take };
}

describe('Semaphore', () => {
  it('admits at most its capacity at once, in order of arrival', async () => {
    const { running, ends, take } = taking(new Semaphore(2));
    for (const name of ['a', 'b', 'c', 'd']) void take(name);
    await settle();
    expect(running).toEqual(['a', 'b']);
    ends.b?.();
    await settle();
    expect(running).toEqual(['a', 'b', 'c']);
    // Ending a turn twice frees it once.
    ends.b?.();
    await settle();
    expect(running).toEqual(['a', 'b', 'c']);
    ends.a?.();
    await settle();
    expect(running).toEqual(['a', 'b', 'c', 'd']);
  });

  it('admits a holder that is larger than the capacity alone, and lets no later one overtake it', async () => {
    const { running, ends, take } = taking(new Semaphore(10));
    for (const [name, weight] of Object.entries({ light: 1, huge: 99, late: 1 })) {
      void take(name, weight);
    }
    await settle();
    expect(running).toEqual(['light']);
    ends.light?.();
    await settle();
    expect(running).toEqual(['light', 'huge']);
    ends.huge?.();
    await settle();
    expect(running).toEqual(['light', 'huge', 'late']);
  });

  it('admits a lighter holder at once that comes before a waiting one', async () => {
    const turns = new Semaphore(10);
    await turns.acquire(5);
    const begun: string[] = [];
    void turns.acquire(6, undefined, 2).then(() => begun.push('heavy'));
    void turns.acquire(1, undefined, 1).then(() => begun.push('light'));
    await settle();
    expect(begun).toEqual(['light']);
  });

  it('skips waiting requests whose client disconnected', async () => {
    const { running, ends, take } = taking(new Semaphore(1));
    const gone = new AbortController();
    void take('first');
    const left = take('gone', 1, gone.signal);
    void take('last');
    gone.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    ends.first?.();
    await settle();
    expect(running).toEqual(['first', 'last']);
    await expect(take('dead', 1, gone.signal)).rejects.toThrow('left');
  });
});

import { ApiError } from '../api/errors/error-codes';
import { DerivationQueue, type DerivationClient } from './derivation-queue';

const LIMITS = {
  running: 2,
  waiting: 6,
  reserved: 2,
  perAddress: 3,
  trustedPerAddress: 4,
  maxConsecutiveTrusted: 2,
};
const from = (address: string, trusted = false): DerivationClient => ({ address, trusted });

/** Derivations that end on demand, and the order in which they start. */
function setUp(limits = LIMITS) {
  const queue = new DerivationQueue(limits);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, client: DerivationClient): Promise<string> =>
    queue.run(client, async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const endNext = (): Promise<void> => {
    ends.shift()?.();
    return new Promise(setImmediate);
  };
  const endAll = async (all: readonly Promise<unknown>[]): Promise<void> => {
    const settled = Promise.allSettled(all);
    let over = false;
    void settled.then(() => (over = true));
    while (!over) await endNext();
  };
  return { run, began, endNext, endAll };
}

const expectBusy = async (attempt: Promise<unknown>): Promise<void> => {
  const error: unknown = await attempt.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  const { status, headers } = error as ApiError;
  expect([status, headers['Retry-After']]).toEqual([503, '2']);
};

it('runs a limited number of derivations at once and queues the others in order of arrival', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', '2', '3', '4'].map((name) => run(name, from(name)));
  expect(began).toEqual(['1', '2']);
  await endAll(all);
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
  expect(began).toEqual(['1', '2', '3', '4']);
});

it('runs derivations of trusted browsers first, and reserves queue places for them', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', '2', '3', '4', '5', '6'].map((name) => run(name, from(name)));
  await expectBusy(run('7', from('7')));
  all.push(run('t1', from('8', true)), run('t2', from('9', true)));
  await expectBusy(run('t3', from('10', true)));
  await endAll(all);
  expect(began).toEqual(['1', '2', 't1', 't2', '3', '4', '5', '6']);
});

it('gives other browsers a share while trusted browsers keep the queue full', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', '2', '3', '4'].map((name) => run(name, from(name)));
  all.push(...['t1', 't2', 't3', 't4'].map((name) => run(name, from(name, true))));
  await endAll(all);
  expect(began).toEqual(['1', '2', 't1', 't2', '3', 't3', 't4', '4']);
});

it('runs one derivation of an address at once, also of its trusted browsers', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', '2'].map((name) => run(name, from('one')));
  all.push(run('t1', from('one', true)));
  expect(began).toEqual(['1']);
  all.push(run('other', from('another')));
  expect(began).toEqual(['1', 'other']);
  await endAll(all);
  expect(began).toEqual(['1', 'other', 't1', '2']);
});

it('an address waits for at most one more derivation of each other address', async () => {
  const { run, began, endAll } = setUp();
  const names = ['a1', 'b1', 'a2', 'a3', 'b2', 'c1'];
  const all = names.map((name) => run(name, from(name.charAt(0))));
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('new addresses that arrive all the time do not keep out an address with many', async () => {
  const { run, began, endAll } = setUp();
  const all: Promise<unknown>[] = ['a1', 'b1', 'b2', 'b3'].map((name) =>
    run(name, from(name.charAt(0))),
  );
  const oneAfterTheOther = async (names: readonly string[]): Promise<void> => {
    for (const name of names) await run(name, from(name));
  };
  all.push(
    ...[
      ['1', '2', '3', '4'],
      ['5', '6', '7', '8'],
    ].map(oneAfterTheOther),
  );
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', '1', '5', 'b2', '2', '6', 'b3', '3', '7', '4', '8']);
});

it('a trusted browser waits for at most one more derivation of each other address', async () => {
  const { run, began, endAll } = setUp();
  const names = ['a1', 'b1', 'a2', 'a3', 'b2', 'known'];
  const all = names.map((name) => run(name, from(name.charAt(0), true)));
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'known', 'a2', 'b2', 'a3']);
});

it('other browsers wait for at most one derivation of the trusted browsers of each address', async () => {
  const { run, began, endAll } = setUp({ ...LIMITS, waiting: 20, maxConsecutiveTrusted: 9 });
  const names = ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4'];
  const all = names.map((name) => run(name, from(name.charAt(0), true)));
  all.push(run('c', from('c')), run('d', from('d')));
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'a2', 'b2', 'c', 'a3', 'd', 'b3', 'a4', 'b4']);
});

it('addresses that sign in from both kinds of browsers delay others once each', async () => {
  const addresses = ['a', 'b', 'c', 'd'];
  const { run, began, endAll } = setUp({ ...LIMITS, waiting: 40, maxConsecutiveTrusted: 4 });
  const all = addresses.flatMap((address) => [
    run(`${address}-known-1`, from(address, true)),
    run(`${address}-known-2`, from(address, true)),
    run(`${address}-new-1`, from(address)),
    run(`${address}-new-2`, from(address)),
  ]);
  const before = began.length;
  all.push(run('visitor', from('visitor')));
  await endAll(all);
  expect(began.indexOf('visitor') - before).toBeLessThanOrEqual(addresses.length);
});

it('trusted browsers of one address take turns with others that flood', async () => {
  const { run, began, endAll } = setUp({ ...LIMITS, waiting: 60, maxConsecutiveTrusted: 4 });
  const all = Array.from({ length: 40 }, (_, at) => run(`new ${at}`, from(String(at))));
  all.push(...['known 1', 'known 2', 'known 3'].map((name) => run(name, from('office', true))));
  await endAll(all);
  expect(began.slice(2, 9)).toEqual([
    'known 1',
    'new 2',
    'known 2',
    'new 3',
    'known 3',
    'new 4',
    'new 5',
  ]);
});

it('trusted browsers come first when others arrive after a time without others', async () => {
  const { run, began, endNext, endAll } = setUp({ ...LIMITS, maxConsecutiveTrusted: 1 });
  const all = ['1', '2', '3'].map((name) => run(name, from(name, true)));
  await endNext();
  expect(began).toEqual(['1', '2', '3']);
  all.push(run('new', from('new')), run('known', from('known', true)));
  await endAll(all);
  expect(began).toEqual(['1', '2', '3', 'known', 'new']);
});

it('rejects an address that has too many waiting derivations, and not other addresses', async () => {
  const { run, endAll } = setUp();
  const all = ['1', '2', '3', '4'].map((name) => run(name, from('one')));
  await expectBusy(run('5', from('one')));
  all.push(run('6', from('another')));
  await endAll(all);
  expect(await Promise.all(all)).toHaveLength(5);
});

it('a new address displaces the latest derivation of the address with the most', async () => {
  const { run, began, endAll } = setUp();
  const all = ['a1', 'b1', 'a2', 'a3', 'b2', 'b3'].map((name) => run(name, from(name.charAt(0))));
  // Two run, and the queue is full: a2, a3, b2, b3.
  all.push(run('c1', from('c')));
  await expectBusy(all[5] as Promise<string>);
  await expectBusy(run('b4', from('b')));
  // No address has two more than this one.
  await expectBusy(run('c2', from('c')));
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('limits the waiting derivations of trusted browsers of one address', async () => {
  const { run, endAll } = setUp();
  const all = ['1', '2', '3', '4', '5'].map((name) => run(name, from('one', true)));
  await expectBusy(run('6', from('one', true)));
  await endAll(all);
  expect(await Promise.all(all)).toHaveLength(5);
});

it('trusted browsers of one address do not keep out other addresses', async () => {
  const { run, began, endAll } = setUp();
  const all = ['a1', 'b1', 'a2', 'a3', 'a4', 'a5'].map((name) =>
    run(name, from(name.charAt(0), true)),
  );
  all.push(run('new', from('another')), run('known', from('a third', true)));
  all.push(run('late', from('a fourth', true)));
  await expectBusy(all[5] as Promise<string>);
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'known', 'late', 'new', 'a2', 'a3', 'a4']);
});

it('trusted browsers of several addresses do not keep out other addresses', async () => {
  const { run, began, endAll } = setUp();
  const all = ['a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'b3', 'b4'].map((name) =>
    run(name, from(name.charAt(0), true)),
  );
  all.push(run('known', from('another', true)), run('new', from('a third')));
  await expectBusy(all[7] as Promise<string>);
  await expectBusy(all[4] as Promise<string>);
  await endAll(all);
  expect(began).toEqual(['a1', 'b1', 'known', 'a2', 'new', 'b2', 'a3', 'b3']);
});

it('an address loses the derivations of its other browsers before those of trusted ones', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', 'b', '3', '4'].map((name) => run(name, from(name === 'b' ? 'b' : 'one')));
  all.push(...['t1', 't2', 't3', 't4'].map((name) => run(name, from('one', true))));
  all.push(run('known', from('another', true)));
  await expectBusy(all[3] as Promise<string>);
  await endAll(all);
  expect(began).toEqual(['1', 'b', 'known', 't1', '3', 't2', 't3', 't4']);
});

it('other browsers do not displace trusted ones from the reserved places', async () => {
  const { run, began, endAll } = setUp();
  const all = ['1', 't1', 't2'].map((name) => run(name, from('one', true)));
  all.push(...['2', '3', '4'].map((name) => run(name, from(name))));
  await expectBusy(run('5', from('5')));
  await endAll(all);
  expect(began).toEqual(['1', '2', 't1', '3', 't2', '4']);
});

it('continues with the next derivation when one fails', async () => {
  const queue = new DerivationQueue(LIMITS);
  const failing = () => queue.run(from('x'), () => Promise.reject(new Error('failed')));
  for (let time = 0; time < 5; time += 1) await expect(failing()).rejects.toThrow('failed');
  expect(await queue.run(from('x'), () => Promise.resolve('done'))).toBe('done');
});

it('rejects a derivation that has waited too long, and starts the next one', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { run, began, endAll } = setUp();
    const running = ['1', '2'].map((name) => run(name, from(name)));
    const late = run('3', from('3'));
    const refused = expectBusy(late);
    jest.advanceTimersByTime(15_000);
    const next = run('4', from('4'));
    jest.advanceTimersByTime(5000);
    await refused;
    await endAll([...running, next]);
    expect(began).toEqual(['1', '2', '4']);
  } finally {
    jest.useRealTimers();
  }
});

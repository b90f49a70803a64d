import { ClientPresence } from '../http/client-presence';
import { FairTurns, type FairTurn } from './fair-turns';
import { WaitingTime } from './turn';

/** Lets promises that can continue do so. */
const settled = (): Promise<void> => new Promise(setImmediate);

let turns: FairTurns;
/** Addresses in the order in which their work began. */
let begun: string[];
beforeEach(() => {
  turns = new FairTurns(1, 1);
  begun = [];
});

interface Asked {
  readonly presence: ClientPresence;
  readonly turn: Promise<FairTurn>;
}

async function ask(address: string, cost: number): Promise<Asked> {
  const presence = new ClientPresence();
  const turn = turns.acquire({ address, cost }, new WaitingTime(presence));
  turn.then(
    () => begun.push(address),
    () => undefined,
  );
  await settled();
  return { presence, turn };
}

/** Does all parts of work that has a turn, in one. */
async function finish({ turn }: Asked, cost: number): Promise<void> {
  await (await turn).next(cost);
  (await turn).end();
  await settled();
}

it('gives an address that sends requests one after the other no more than its share', async () => {
  const work = async (address: string, parts: number): Promise<void> => {
    const turn = await turns.acquire({ address, cost: parts }, new WaitingTime());
    for (let part = 0; part < parts; part += 1) {
      await turn.next(1);
      await settled();
    }
    turn.end();
    await settled();
  };
  let ended = 0;
  const others = Array.from({ length: 30 }, async (_, at) => {
    await work(`10.0.1.${at}`, 10);
    ended += 1;
  });
  let served = 0;
  for (; ended < others.length; served += 1) await work('attacker', 1);
  await Promise.all(others);
  // As many parts as each of the others had, and those that began before or after them.
  expect(served).toBeLessThanOrEqual(12);
});

it('does not count the work of a client that left', async () => {
  const running = await ask('other', 1);
  await ask('two', 50);
  const left = await ask('one', 1000);
  left.presence.leave();
  await expect(left.turn).rejects.toMatchObject({ status: 503 });
  await ask('one', 20);
  await finish(running, 1);
  expect(begun).toEqual(['other', 'one']);
});

it('does not count the work that a failed request did not begin', async () => {
  const failed = await ask('one', 1000);
  const second = await ask('two', 50);
  (await failed.turn).end();
  await ask('three', 100);
  await ask('one', 20);
  (await second.turn).end();
  await settled();
  expect(begun).toEqual(['one', 'two', 'one']);
});

it('an address that got more than its share while others needed less does not wait for it later', async () => {
  turns = new FairTurns(2, 1);
  const heavy = await ask('heavy', 10_000);
  await (await heavy.turn).next(1);
  // It waits for the other work of its address.
  await ask('heavy', 10_000);
  for (let time = 0; time < 100; time += 1) await finish(await ask('one', 10), 10);
  const third = await ask('third', 10);
  begun = [];
  await ask('two', 25);
  await ask('one', 10);
  await finish(third, 10);
  expect(begun).toEqual(['one']);
});

it('gives nothing back that was not counted any more', async () => {
  const failed = await ask('one', 1000);
  // Nothing waits, so that the work of the first request is not counted from here on.
  const waiting = await ask('one', 50);
  await ask('two', 60);
  (await failed.turn).end();
  await settled();
  await ask('one', 50);
  await finish(waiting, 50);
  expect(begun).toEqual(['one', 'one', 'two']);
});

it('limits the work of one address', async () => {
  turns = new FairTurns(3, 2);
  const first = await ask('one', 1);
  await ask('one', 1);
  await ask('one', 1);
  await ask('two', 50);
  expect(begun).toEqual(['one', 'one', 'two']);
  await finish(first, 1);
  expect(begun).toEqual(['one', 'one', 'two', 'one']);
});

import { type ApiError } from '../errors/error-codes';
import { ClientPresence } from '../http/client-presence';
import { LargeResponseQueue } from './large-response-queue';

const [ATTACKER, OTHER, THIRD] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];

let turns: LargeResponseQueue;
/** Lists by the number of their request, with what became of them. */
let outcomes: Record<number, string>;
let ends: Map<number, () => void>;
let requests: number;
afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  turns = new LargeResponseQueue({ concurrent: 2, waiting: 4 });
  outcomes = {};
  ends = new Map();
  requests = 0;
});

/** Lets promises that can continue do so. */
const settled = (): Promise<void> => new Promise(setImmediate);

/** Asks for a turn. @returns what makes the client leave */
async function ask(addressKey: string): Promise<() => void> {
  const presence = new ClientPresence();
  const request = requests;
  requests += 1;
  outcomes[request] = 'waits';
  turns.acquire({ addressKey, presence }).then(
    (end) => {
      outcomes[request] = 'rendered';
      ends.set(request, end);
    },
    (error: unknown) => {
      outcomes[request] = String((error as ApiError).status);
    },
  );
  await settled();
  return () => {
    presence.leave();
  };
}

async function end(request: number): Promise<void> {
  ends.get(request)?.();
  outcomes[request] = 'ended';
  await settled();
}

const inState = (state: string): number[] =>
  Object.keys(outcomes)
    .map(Number)
    .filter((request) => outcomes[request] === state);

it('one address has half of the turns, and the others wait or are refused', async () => {
  for (let count = 0; count < 8; count += 1) await ask(ATTACKER);
  expect(inState('rendered')).toEqual([0]);
  expect(inState('waits')).toEqual([1, 2, 3, 4]);
  expect(inState('503')).toEqual([5, 6, 7]);
  await ask(OTHER);
  expect(inState('rendered')).toEqual([0, 8]);
});

it('a list of another address replaces the newest of the address with the most', async () => {
  for (let count = 0; count < 5; count += 1) await ask(ATTACKER);
  await ask(OTHER);
  expect(inState('503')).toEqual([]);
  await ask(THIRD);
  expect(inState('503')).toEqual([4]);
  await ask(OTHER);
  expect(inState('503')).toEqual([3, 4]);
  // Now no address has more than the others.
  for (let count = 0; count < 3; count += 1) await ask(OTHER);
  expect(inState('waits')).toEqual([1, 2, 6, 7]);
});

it('an address that asks rarely comes before those that have had much', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const attackers = ['10.0.1.1', '10.0.1.2'];
  for (const attacker of attackers) await ask(attacker);
  for (const attacker of attackers) await ask(attacker);
  await ask(OTHER);
  now.mockReturnValue(2000);
  await end(0);
  expect(inState('rendered')).toEqual([1, 4]);
  now.mockReturnValue(3000);
  await end(4);
  expect(inState('rendered')).toEqual([1, 2]);
  await ask(attackers[0] as string);
  await ask(OTHER);
  await end(2);
  // One second was spent for it, and two for the attacker, whose list waits for longer.
  expect(inState('rendered')).toEqual([1, 6]);
});

it('a client that has had some time comes before those that come later', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  for (const address of [OTHER, ATTACKER]) await ask(address);
  now.mockReturnValue(100);
  await end(0);
  await ask('10.0.1.1');
  await ask(OTHER);
  now.mockReturnValue(2600);
  for (const address of ['10.0.1.2', '10.0.1.3']) await ask(address);
  await end(1);
  expect(inState('rendered')).toEqual([2, 3]);
});

it.each([
  ['further addresses of a network of 48 bits', '2001:db8:1:', '2001:db8:2:0::/64'],
  ['networks of the same provider', '2001:db8:', '2001:db9:2:0::/64'],
])('an attacker gains little by %s', async (_, prefix, other) => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  for (let number = 0; number < 4; number += 1) await ask(`${prefix}${number}::/64`);
  await ask(other);
  now.mockReturnValue(1000);
  await end(0);
  expect(inState('rendered')).toEqual([1, 4]);
});

it('an address comes before another one of its network that asks for more', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const [one, other] = ['2001:db8:1:1::/64', '2001:db8:1:2::/64'];
  for (let count = 0; count < 5; count += 1) await ask(one);
  await ask('10.0.0.9');
  await ask(other);
  // Four can wait.
  expect(inState('503')).toEqual([4]);
  now.mockReturnValue(1000);
  await end(0);
  expect(inState('rendered')).toEqual([5, 6]);
});

it('time that was spent long ago does not count', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  await ask(ATTACKER);
  now.mockReturnValue(10_000);
  await end(0);
  now.mockReturnValue(310_000);
  for (const address of [OTHER, THIRD]) await ask(address);
  now.mockReturnValue(311_000);
  await end(1);
  await ask('10.0.0.4');
  await ask(OTHER);
  await ask(ATTACKER);
  await end(2);
  expect(inState('rendered')).toEqual([3, 5]);
});

it('addresses take turns', async () => {
  for (let count = 0; count < 3; count += 1) await ask(ATTACKER);
  await ask(OTHER);
  await ask(THIRD);
  await end(0);
  expect(inState('rendered')).toEqual([3, 4]);
  await end(3);
  expect(inState('rendered')).toEqual([1, 4]);
});

it('lists of clients that leave give up their place', async () => {
  for (let count = 0; count < 4; count += 1) await ask(ATTACKER);
  const leave = await ask(ATTACKER);
  leave();
  await settled();
  expect(inState('503')).toEqual([4]);
  await ask(ATTACKER);
  expect(inState('waits')).toEqual([1, 2, 3, 5]);
});

import { AddressSemaphore } from './address-semaphore';

const CAPACITY = 4;
const [ATTACKER, OTHER] = ['10.0.0.1', '10.0.0.2'];

let turns: AddressSemaphore;
let begun: string[];
beforeEach(() => {
  turns = new AddressSemaphore(CAPACITY);
  begun = [];
});

/** Lets promises that can continue do so. */
const settled = (): Promise<void> => new Promise(setImmediate);

interface Upload {
  readonly leave: () => void;
  readonly end: () => Promise<void>;
}

/** Asks for a turn. */
function upload(address: string, weight = 1): Upload {
  const gone = new AbortController();
  const turn = turns.acquire(address, gone.signal, weight);
  turn.then(
    () => begun.push(address),
    () => undefined,
  );
  return {
    leave: () => {
      gone.abort(new Error('the client left'));
    },
    end: async () => {
      (await turn)();
      await settled();
    },
  };
}

it('gives one address half of the turns, and the others to other addresses', async () => {
  const many = Array.from({ length: 10 }, () => upload(ATTACKER));
  await settled();
  expect(begun).toEqual([ATTACKER, ATTACKER]);
  upload(OTHER);
  upload(OTHER);
  await settled();
  expect(begun).toEqual([ATTACKER, ATTACKER, OTHER, OTHER]);
  await many[0]?.end();
  expect(begun).toHaveLength(5);
});

it('has no more turns than its capacity', async () => {
  for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
    upload(address);
    upload(address);
  }
  await settled();
  expect(begun).toHaveLength(CAPACITY);
});

it('gives the turns of uploads that ended or whose clients left to later ones', async () => {
  for (let time = 0; time < 20; time += 1) {
    const uploads = Array.from({ length: 4 }, () => upload(ATTACKER));
    await settled();
    // Two run, and two wait.
    uploads[3]?.leave();
    await uploads[0]?.end();
    await uploads[1]?.end();
    await uploads[2]?.end();
  }
  expect(begun).toHaveLength(60);
});

it('light work comes before heavy work of many other addresses that waits', async () => {
  turns = new AddressSemaphore(8);
  const addresses = Array.from({ length: 10 }, (_, at) => `10.0.1.${at}`);
  const heavy = addresses.flatMap((address) => [upload(address, 4), upload(address, 4)]);
  await settled();
  expect(begun).toHaveLength(2);
  upload(OTHER);
  await settled();
  await heavy[0]?.end();
  expect(begun[2]).toBe(OTHER);
});

describe('light work of an address waits for little', () => {
  let running: (() => void)[];
  beforeEach(() => {
    turns = new AddressSemaphore(100);
    running = [];
  });

  /** Work of three addresses, which takes and awaits all permits. */
  async function flood(): Promise<void> {
    for (const address of ['10.0.1.1', '10.0.1.2', '10.0.1.3']) {
      for (let time = 0; time < 20; time += 1) {
        const turn = turns.acquire(address, new AbortController().signal, 20);
        void turn.then((end) => running.push(end));
      }
    }
    await settled();
  }

  /** How many of the running ones end before light work of an address begins. */
  async function endsBefore(address: string): Promise<number> {
    begun = [];
    upload(address, 1);
    await settled();
    let ended = 0;
    for (; begun.length === 0 && running.length > 0; ended += 1) {
      running.shift()?.();
      await settled();
    }
    return ended;
  }

  it('after work for which nobody waited', async () => {
    const holder = upload('10.0.2.1', 50);
    for (let time = 0; time < 100; time += 1) await upload(OTHER, 45).end();
    await flood();
    await holder.end();
    expect(await endsBefore(OTHER)).toBeLessThan(6);
  });

  it('after waits that its clients ended', async () => {
    await flood();
    for (let time = 0; time < 100; time += 1) {
      const { leave } = upload(OTHER, 30);
      await settled();
      leave();
    }
    expect(await endsBefore(OTHER)).toBeLessThan(6);
  });
});

import { handmadePng, jpegWithScans } from '../../test/factories/pictures';
import { type FairTurn } from '../api/body/fair-turns';
import { WaitingTime } from '../api/body/turn';
import { ClientPresence } from '../api/http/client-presence';
import { readHeader, type ImageHeader } from './picture-encoding';
import { costOfPicture, PictureTurns } from './picture-turns';

const [ATTACKER, OTHER, THIRD] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const SMALL: ImageHeader = { format: 'png', width: 1000, height: 1000 };
const LARGE: ImageHeader = { format: 'png', width: 7000, height: 7000 };
const SLOW: ImageHeader = { format: 'png', width: 4000, height: 4000, costFactor: 4 };
const IN_MEMORY: ImageHeader = {
  format: 'jpeg',
  width: 3000,
  height: 3000,
  decoderBytes: 72_000_000,
};

let turns: PictureTurns;
let running: string[];
beforeEach(() => {
  turns = new PictureTurns();
  running = [];
});

/** Lets promises that can continue do so. */
const settled = (): Promise<void> => new Promise(setImmediate);

interface Asked {
  readonly presence: ClientPresence;
  readonly turn: Promise<FairTurn>;
  /** Begins the next picture. */
  readonly next: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** @param waitMs milliseconds that the request waits in total */
async function ask(
  addressKey: string,
  header: ImageHeader,
  count = 1,
  waitMs?: number,
): Promise<Asked> {
  const presence = new ClientPresence();
  const waiting = new WaitingTime(presence, waitMs);
  const headers = Array<ImageHeader>(count).fill(header);
  const turn = turns.acquire([SMALL, ...headers], addressKey, waiting);
  turn.then(
    () => running.push(addressKey),
    () => undefined,
  );
  await settled();
  return {
    presence,
    turn,
    next: async () => {
      running.splice(running.indexOf(addressKey), 1);
      // Requests that wait at the end of a test give up later.
      (await turn).next(costOfPicture(header)).then(
        () => running.push(addressKey),
        () => undefined,
      );
      await settled();
    },
    end: async () => {
      (await turn).end();
      running.splice(running.indexOf(addressKey), 1);
      await settled();
    },
  };
}

it.each([
  ['large pictures', LARGE],
  ['pictures that decode slowly', SLOW],
  ['small pictures', SMALL],
])('gives an address one turn for its %s, and the other to others', async (_, header) => {
  const first = await ask(ATTACKER, header);
  await ask(ATTACKER, header);
  await ask(ATTACKER, header);
  expect(running).toEqual([ATTACKER]);
  const other = await ask(OTHER, SMALL);
  expect(running).toEqual([ATTACKER, OTHER]);
  await other.end();
  await first.end();
  expect(running).toEqual([ATTACKER]);
});

it.each([
  ['that decode slowly', SLOW],
  ['whose decoders need much memory', IN_MEMORY],
])('decodes large pictures, and those %s, of at most one request at once', async (_, header) => {
  const first = await ask(ATTACKER, LARGE);
  await ask(OTHER, header);
  expect(running).toEqual([ATTACKER]);
  await ask(THIRD, SMALL);
  await ask('10.0.0.4', SMALL);
  expect(running).toEqual([ATTACKER, THIRD]);
  await first.end();
  expect(running).toHaveLength(2);
});

it('serves a small picture before many of others, from however many addresses', async () => {
  const first = await ask(ATTACKER, SMALL, 90);
  const second = await ask(THIRD, SMALL, 90);
  for (const address of ['10.0.0.4', '10.0.0.5']) await ask(address, SMALL, 90);
  const other = await ask(OTHER, SMALL);
  expect(running).toEqual([ATTACKER, THIRD]);
  await first.next();
  expect(running).toEqual([THIRD, OTHER]);
  await second.next();
  expect(running).toEqual([OTHER, THIRD]);
  await other.end();
  expect(running).toEqual([THIRD, ATTACKER]);
});

it('does not interrupt a request for an equal one, or for a later one of its address', async () => {
  const first = await ask(ATTACKER, SMALL, 90);
  await ask(ATTACKER, SMALL);
  const second = await ask(OTHER, SMALL, 90);
  await ask(THIRD, SMALL, 90);
  for (let picture = 0; picture < 90; picture += 1) {
    await first.next();
    await second.next();
  }
  expect(running.toSorted()).toEqual([ATTACKER, OTHER]);
  // A smaller one would end later, too, because it came later.
  await ask('10.0.0.4', SMALL, 89);
  await first.next();
  expect(running.toSorted()).toEqual([ATTACKER, OTHER]);
});

const PHOTO: ImageHeader = { format: 'jpeg', width: 4000, height: 3000 };
const PALETTE: ImageHeader = { format: 'png', width: 1200, height: 1200 };
const ALMOST_LARGE: ImageHeader = { format: 'png', width: 7000, height: 3500 };

it.each([
  ['a small picture', SMALL, ALMOST_LARGE, 1],
  ['a photo', PHOTO, PALETTE, 5],
])('serves %s before the backlog of 30 addresses', async (_, header, other, count) => {
  const backlog: Asked[] = [];
  for (let at = 1; at <= 30; at += 1) backlog.push(await ask(`10.0.1.${at}`, other, count));
  for (const { next } of backlog.slice(0, 2)) await next();
  await ask(OTHER, header);
  await backlog[0]?.next();
  await backlog[1]?.next();
  expect(running).toContain(OTHER);
});

it('serves a large request although others with small pictures always wait', async () => {
  const small = (at: number): Promise<Asked> => ask(`10.0.2.${at % 200}`, SMALL);
  const others = [await small(0), await small(1), await small(2)];
  await ask(ATTACKER, PHOTO, 20);
  let at = 3;
  for (; !running.includes(ATTACKER); at += 1) {
    others.push(await small(at));
    const first = others.shift();
    await first?.next();
    await first?.end();
    if (at > 1000) throw new Error('it is not served');
  }
  expect(at).toBeGreaterThan(10);
});

it('serves a large picture before many large ones of others', async () => {
  const first = await ask(ATTACKER, LARGE, 10);
  await ask(THIRD, LARGE, 10);
  await ask(OTHER, LARGE);
  await first.next();
  expect(running).toEqual([OTHER]);
});

it('skips requests whose client left', async () => {
  const first = await ask(ATTACKER, LARGE);
  const left = await ask(ATTACKER, LARGE);
  await ask(ATTACKER, LARGE);
  left.presence.leave();
  await expect(left.turn).rejects.toMatchObject({ status: 503 });
  await first.end();
  expect(running).toEqual([ATTACKER]);
});

it.each([
  ['its client leaves', undefined],
  ['its time is over', 20],
])('503 for a request that waits again when %s, and others continue', async (_, waitMs) => {
  const first = await ask(ATTACKER, SMALL, 90, waitMs);
  const second = await ask(THIRD, SMALL, 90);
  const other = await ask(OTHER, SMALL);
  const turn = await first.turn;
  const resumed = turn.next(costOfPicture(SMALL));
  await settled();
  if (waitMs === undefined) first.presence.leave();
  await expect(resumed).rejects.toMatchObject({ status: 503 });
  turn.end();
  await ask('10.0.0.4', SMALL);
  // Those with the turns keep them.
  expect(running.filter((one) => one !== ATTACKER).toSorted()).toEqual([OTHER, THIRD]);
  await other.end();
  await second.end();
  expect(running).toContain('10.0.0.4');
});

it('503 after the time limit', async () => {
  const first = await ask(ATTACKER, LARGE);
  const late = await ask(ATTACKER, LARGE, 1, 20);
  await expect(late.turn).rejects.toMatchObject({ status: 503 });
  expect(running).toEqual([ATTACKER]);
  await first.end();
  expect(running).toEqual([]);
});

it('weighs pictures with 16 bits a color and interlaced ones more', async () => {
  const sharp = (await import('sharp')).default;
  const picture = sharp(handmadePng(8, 8, 1)).toColourspace('rgb16');
  const factors = [];
  for (const progressive of [false, true]) {
    const bytes = await picture.clone().png({ progressive }).toBuffer();
    factors.push((await readHeader(bytes)).costFactor);
  }
  expect(factors).toEqual([2, 4]);
});

it('weighs JPEGs with more scans than encoders write by their number', async () => {
  const factors = [];
  for (const scans of [10, 25, 50, 100])
    factors.push((await readHeader(jpegWithScans(scans))).costFactor);
  expect(factors).toEqual([2, 2, 4, 8]);
});

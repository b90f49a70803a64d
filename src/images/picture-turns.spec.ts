import { handmadePng } from '../../test/factories/pictures';
import { ClientPresence } from '../api/http/client-presence';
import { readHeader, type ImageHeader } from './picture-encoding';
import { PictureTurns } from './picture-turns';

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
  readonly turn: Promise<() => void>;
  readonly end: () => Promise<void>;
}

async function ask(addressKey: string, header: ImageHeader): Promise<Asked> {
  const presence = new ClientPresence();
  const turn = turns.acquire([SMALL, header], { addressKey, presence });
  turn.then(
    () => running.push(addressKey),
    () => undefined,
  );
  await settled();
  return {
    presence,
    turn,
    end: async () => {
      (await turn)();
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

it('skips requests whose client left', async () => {
  const first = await ask(ATTACKER, LARGE);
  const left = await ask(ATTACKER, LARGE);
  await ask(ATTACKER, LARGE);
  left.presence.leave();
  await expect(left.turn).rejects.toMatchObject({ status: 503 });
  await first.end();
  expect(running).toEqual([ATTACKER]);
});

it('503 after the time limit', async () => {
  turns = new PictureTurns(20);
  const first = await ask(ATTACKER, LARGE);
  const late = await ask(ATTACKER, LARGE);
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

import { handmadePng } from '../factories/pictures';
import { atScale, figure } from '../figures';
import { someJpeg } from '../e2e/pictures/pictures';
import { postFrom } from '../post-from';
import { Target } from './target';

/** Addresses of clients that attack, of 127.0.0.0/8. */
const ATTACKER = '127.0.0.2';
const SECOND_ATTACKER = '127.0.0.3';

/** Users who attack together, and pictures of the upload of each: a few KB, and 49 million pixels. */
const USERS = atScale(8, 4);
const PICTURES = atScale(10, 3);
const LARGE = handmadePng(7000, 7000, 1);
/** Pictures of one request at most, of a pixel each, from each of some addresses. */
const TINY = atScale(98, 40);
const ADDRESSES = 4;
/** Requests of others that may end before an upload with a small picture. */
const MOST_BEFORE = 4;

/** The most of the time of the attack that an upload of another address may wait. */
const MAX_WAIT = 0.5;

let target: Target;
let path: string;
beforeAll(async () => {
  target = await Target.start();
  path = `/v2/book/${await target.make.aBook()}/annotations`;
});
afterAll(() => target.close());

const tokenOfNewUser = async (): Promise<string> =>
  target.token({ userId: (await target.make.aUser()).id });

/**
 * Uploads pictures from an address.
 * @param more further text
 * @returns the status
 */
function upload(
  token: string,
  pictures: readonly Buffer[],
  from: string,
  more = '',
): Promise<number> {
  const form = new FormData();
  if (more !== '') form.append('unknown', more);
  form.append('content', 'Pictures that take long to decode');
  form.append('page', '1');
  pictures.forEach((picture, at) => {
    form.append(`pic${at + 1}`, new Blob([new Uint8Array(picture)]), 'picture');
  });
  const headers = { authorization: `Bearer ${token}` };
  return postFrom(target.origin + path, form, { from, headers });
}

it('201: an upload does not wait for those of another address, which take long to decode', async () => {
  const pictures = Array<Buffer>(PICTURES).fill(LARGE);
  const tokens = await Promise.all(Array.from({ length: USERS }, tokenOfNewUser));
  const ended: string[] = [];
  const attack = tokens.map(async (token) => {
    const status = await upload(token, pictures, ATTACKER);
    ended.push('attacker');
    return status;
  });
  // The first upload is being decoded when its address has a turn.
  await target.call('/healthz');
  const picture = await someJpeg(400, 300);
  const token = await tokenOfNewUser();
  expect(await upload(token, [picture], '127.0.0.1')).toBe(201);
  ended.push('other');
  const statuses = await Promise.all(attack);
  // All but the uploads of the first turns of the address end later, or give up.
  expect(ended.slice(ended.indexOf('other')).length).toBeGreaterThan(tokens.length / 2);
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
});

it('201: uploads wait for few of those of two addresses, which together take all permits', async () => {
  const pictures = Array<Buffer>(PICTURES).fill(LARGE);
  const tokens = await Promise.all(Array.from({ length: USERS }, tokenOfNewUser));
  const small = await someJpeg(400, 300);
  const since = performance.now();
  let isRunning = true;
  const attack = Promise.all(
    tokens.map((of, at) => upload(of, pictures, at % 2 === 0 ? ATTACKER : SECOND_ATTACKER)),
  ).finally(() => (isRunning = false));
  let longest = 0;
  do {
    // A user who writes often has to solve a captcha.
    const token = await tokenOfNewUser();
    const from = performance.now();
    expect(await upload(token, [small], '127.0.0.1')).toBe(201);
    longest = Math.max(longest, performance.now() - from);
  } while (isRunning);
  expect(new Set(await attack)).toEqual(new Set([201]));
  // If their uploads took turns for each picture, all would end last.
  figure(
    'part of the time of the attack that an upload waits',
    longest / (performance.now() - since),
    {
      atMost: MAX_WAIT,
    },
  );
});

it('201: an upload does not wait for requests with many tiny pictures, from many addresses', async () => {
  const pictures = Array.from({ length: TINY }, (_, at) => handmadePng(at + 1, 1, 1));
  const tokens = await Promise.all(Array.from({ length: 2 * ADDRESSES }, tokenOfNewUser));
  const small = await someJpeg(400, 300);
  let ended = 0;
  const attack = tokens.map((of, at) =>
    upload(of, pictures, `127.0.0.${2 + (at % ADDRESSES)}`).finally(() => (ended += 1)),
  );
  while (ended < tokens.length) {
    const token = await tokenOfNewUser();
    const before = ended;
    expect(await upload(token, [small], '127.0.0.1')).toBe(201);
    // At most those that were being decoded or stored when it arrived end before it.
    expect(ended - before).toBeLessThanOrEqual(MOST_BEFORE);
  }
  expect(new Set(await Promise.all(attack))).toEqual(new Set([201]));
});

it('503: the texts of uploads that wait for their turn use a bounded part of the memory', async () => {
  const text = 'x'.repeat(990_000);
  const tokens = await Promise.all(Array.from({ length: 12 }, tokenOfNewUser));
  const attack = tokens.map((of) => upload(of, [LARGE, LARGE], ATTACKER, text));
  const picture = await someJpeg(400, 300);
  expect(await upload(await tokenOfNewUser(), [picture], '127.0.0.1', text)).toBe(201);
  const statuses = await Promise.all(attack);
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
});

import { once } from 'node:events';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { until } from '../e2e/process/programs';
import { atScale } from '../figures';
import { Attacker } from './sockets';
import { Target } from './target';

/** Connections; their responses of 8 MB are more than the 100 MB that clients may leave unread. */
const READERS = atScale(120, 40);

let target: Target;
let attacker: Attacker;
let request: string;
beforeAll(async () => {
  target = await Target.start();
  attacker = new Attacker(target.port);
  const book = await target.make.aBook();
  const { id: user } = await target.make.aUser();
  await target.opened.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $1, $2, '', n, $3 FROM generate_series(1, 30) n`,
    [user, book, '"'.repeat(MAX_CONTENT)],
  );
  request = `GET /v2/book/${book}/annotations?count=30&format=html HTTP/1.1\r\nHost: test\r\n\r\n`;
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

it('responses that clients do not read are cut off beyond 100 MB', async () => {
  const { descriptors } = await target.usage();
  await target.attack(`${READERS} responses of 8 MB that clients do not read`, async () => {
    for (let reader = 0; reader < READERS; reader += 1) {
      const socket = await attacker.open(request, { reads: false });
      // The beginning of the response has arrived, and nothing more is read.
      await once(socket, 'readable');
    }
    await until(async () => (await target.usage()).descriptors < descriptors + READERS);
    attacker.leave();
  });
});

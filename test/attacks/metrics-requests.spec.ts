import { freePort } from '../../src/server/listen';
import { atScale } from '../figures';
import { Attacker, closed } from './sockets';
import { Target } from './target';

const CONNECTIONS = atScale(100, 30);
/** Requests at once on a connection. */
const PIPELINED = 1000;
/** Clients that send one request after the other, and requests of each. */
const CLIENTS = 10;
const REQUESTS = atScale(1000, 100);

let target: Target;
let attacker: Attacker;
let address: string;
beforeAll(async () => {
  const port = await freePort();
  target = await Target.start({ METRICS_PORT: String(port) });
  attacker = new Attacker(port);
  address = `http://127.0.0.1:${port}/metrics`;
});
afterAll(async () => {
  attacker.leave();
  await target.close();
});

const request = 'GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n';

const scrape = async (): Promise<string> => (await fetch(address)).text();

it('connections with several requests at once are closed', async () => {
  await target.attack(
    `${PIPELINED} requests on ${CONNECTIONS} connections for metrics`,
    async () => {
      const sockets = await attacker.openMany(CONNECTIONS, request.repeat(PIPELINED));
      await Promise.all(sockets.map(closed));
    },
  );
  expect(await scrape()).toContain('commonplace_requests_total');
});

it('requests one after the other do not delay those of the service', async () => {
  await target.attack(`${REQUESTS} requests of ${CLIENTS} clients for metrics`, async () => {
    const client = async (): Promise<void> => {
      for (let count = 0; count < REQUESTS; count += 1) {
        expect(await scrape()).toContain('commonplace_requests_total');
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  });
});

it('a response includes what happened before its request', async () => {
  const seen = async (): Promise<number> =>
    Number(/route="none",status="404",code="1001"\} (\d+)/.exec(await scrape())?.[1] ?? 0);
  await target.call('/v2/nothing');
  const before = await seen();
  // The second one waits for the pause after the collection of the first.
  await Promise.all([scrape(), target.call('/v2/nothing')]);
  expect(await seen()).toBe(before + 1);
});

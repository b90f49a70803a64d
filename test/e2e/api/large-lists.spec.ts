import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { MAX_CONTENT } from '../../../src/api/input/text-limits';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

const CONNECTIONS = 24;
const REFUSED = 'the service is temporarily unavailable; retry the request';

let harness: Harness;
let path: string;
beforeAll(async () => {
  // No request is refused because the machine is busy.
  const timeout = '60000';
  harness = await startHarness({
    settings: {
      REQUEST_QUEUE_TIMEOUT_MS: timeout,
      DATABASE_QUEUE_TIMEOUT_MS: timeout,
      DATABASE_CONNECT_TIMEOUT_MS: timeout,
      DATABASE_STATEMENT_TIMEOUT_MS: timeout,
    },
  });
  const make = new Factories(harness.database);
  const [book, { id: user }] = [await make.aBook(), await make.aUser()];
  await harness.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $1, $2, '', n, $3 FROM generate_series(1, 20) n`,
    [user, book, '"'.repeat(MAX_CONTENT)],
  );
  path = `/v2/book/${book}/annotations?count=20&format=html&error_detail=1`;
});
afterAll(() => harness.close());

/** Requests the list from an address, and reads it. @returns the status, or why it was refused */
async function outcomeFrom(localAddress: string): Promise<unknown> {
  const sent = request(harness.origin + path, { localAddress, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode === 503) return ((await json(response)) as { detail: string }).detail;
  await once(response.resume(), 'end');
  return response.statusCode;
}

it('200: large lists are served while another address requests as many as it can', async () => {
  let isOver = false;
  const outcomes = new Set<unknown>();
  const attack = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) outcomes.add(await outcomeFrom('127.0.0.2'));
  });
  while (!outcomes.has(REFUSED)) outcomes.add(await outcomeFrom('127.0.0.2'));
  const others: unknown[] = [];
  for (let count = 0; count < 5; count += 1) others.push(await outcomeFrom('127.0.0.3'));
  isOver = true;
  await Promise.all(attack);
  expect(others).toEqual([200, 200, 200, 200, 200]);
  expect(outcomes).toEqual(new Set([200, REFUSED]));
});

import { once } from 'node:events';
import { type Server } from 'node:http';
import { promisify } from 'node:util';
import { MAX_CONTENT } from '../../src/api/input/text-limits';
import { IdleMemory, ProcessMemory } from '../../src/server/idle-memory';
import { Factories } from '../factories/factories';
import { until } from '../faults/collectors';
import { startHarness, type Harness } from '../harness';
import { Attacker } from './sockets';

/** Connections whose responses of 8 MB are not read: less than the 100 MB that may be unread. */
const READERS = 12;
/** Bytes that these hold at least. */
const HELD = READERS * 6 * 1024 * 1024;

/** The memory of this process, which counts as idle. */
class IdleProcess extends ProcessMemory {
  compactions = 0;

  override utilization(): number {
    return 0;
  }

  override compact(): void {
    this.compactions += 1;
    super.compact();
  }
}

let harness: Harness;
let attacker: Attacker;
const memory = new IdleProcess();
const idle = new IdleMemory(memory);
beforeAll(async () => {
  harness = await startHarness();
  attacker = new Attacker(Number(new URL(harness.origin).port));
});
afterAll(async () => {
  idle.stop();
  attacker.leave();
  await harness.close();
});

/** Enough checks for several compactions. */
function checkOften(): void {
  for (let number = 0; number < 40; number += 1) idle.check();
}

it('memory that connections held when it was compacted is freed after they close', async () => {
  const make = new Factories(harness.database);
  const book = await make.aBook();
  const { id: user } = await make.aUser();
  await harness.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $1, $2, '', n, $3 FROM generate_series(1, 30) n`,
    [user, book, '"'.repeat(MAX_CONTENT)],
  );
  checkOften();
  const path = `/v2/book/${book}/annotations?count=30&format=html`;
  for (let reader = 0; reader < READERS; reader += 1) {
    const request = `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
    await once(await attacker.open(request, { reads: false }), 'readable');
  }
  memory.compactions = 0;
  checkOften();
  expect(memory.compactions).toBeGreaterThan(0);
  const held = memory.size();

  attacker.leave();
  const server: Server = harness.app.getHttpServer();
  const open = promisify(server.getConnections.bind(server));
  await until('the server has closed the connections', async () => (await open()) === 0);
  // At once, because V8 would collect the garbage of further work.
  checkOften();
  expect(memory.size()).toBeLessThan(held - HELD / 2);
});

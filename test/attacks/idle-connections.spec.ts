import { once } from 'node:events';
import { ProcessMemory } from '../../src/server/idle-memory';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { Attacker } from './sockets';

const CONNECTIONS = 40;
const SIZE = 1_048_500;

const part = (name: string): string =>
  `\r\n--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;

let harness: Harness;
let attacker: Attacker;
beforeAll(async () => {
  harness = await startHarness();
  attacker = new Attacker(Number(new URL(harness.origin).port));
});
afterAll(async () => {
  attacker.leave();
  await harness.close();
});

it.each([
  // The content is longer than that of a note. Errors must not keep it either.
  ['application/x-www-form-urlencoded', 'title=A&content='.padEnd(SIZE, 'a')],
  ['application/json', '{"content":['.padEnd(SIZE, '0,')],
  [
    'multipart/form-data; boundary=B',
    `${part('title')}A${part('content')}`.padEnd(SIZE - 9, 'a') + '\r\n--B--\r\n',
  ],
])('connections do not keep the bodies of their last requests: %s', async (type, body) => {
  const { id: userId } = await new Factories(harness.database).aUser();
  const token = await harness.token({ userId });
  const request =
    `POST /v2/notes HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${SIZE}\r\n\r\n${body}`;
  const send = async (): Promise<void> => {
    const [response] = (await once(await attacker.open(request, { reads: false }), 'data')) as [
      Buffer,
    ];
    expect(String(response)).toMatch(/^HTTP\/1\.1 400 /);
  };
  await send();
  const memory = new ProcessMemory();
  memory.compact();
  const before = memory.size();
  for (let number = 0; number < CONNECTIONS; number += 1) await send();
  memory.compact();
  expect(memory.size() - before).toBeLessThan((CONNECTIONS * SIZE) / 2);
});

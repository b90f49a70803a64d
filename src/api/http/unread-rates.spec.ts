import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { UnreadResponses, type UnreadOptions } from './unread-responses';

/** A response that has begun, and the client that asked for it. */
interface Begun {
  readonly client: Socket;
  readonly response: ServerResponse;
}

/** Runs a test that begins responses to clients of several addresses, which a proxy reports. */
async function withResponses(
  limits: Pick<UnreadOptions, 'limit' | 'addressLimit'>,
  test: (many: UnreadResponses, begin: (address: string) => Promise<Begun>) => Promise<void>,
): Promise<void> {
  const many = new UnreadResponses({ ...limits, spareMs: 0, trustedProxies: 1 });
  const other = createServer((_, response) => {
    many.add(response);
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const clients: Socket[] = [];
  await test(many, async (address) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`GET / HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    const [, response] = (await once(other, 'request')) as [unknown, ServerResponse];
    return { client, response };
  });
  for (const client of clients) client.destroy();
  other.close();
}

it('checks the limit after 10 MB of responses below 1 MB', async () => {
  await withResponses({ limit: 3_000_000 }, async (_, begin) => {
    const begun: Begun[] = [];
    for (let at = 0; at < 12; at += 1) {
      const one = await begin('192.0.2.1');
      // Its end would write to the system, whose buffers have room for it.
      one.response.req.socket.cork();
      one.response.write(Buffer.alloc(900_000));
      one.response.emit('prefinish');
      begun.push(one);
    }
    expect(begun.filter(({ response }) => !response.req.socket.destroyed)).toHaveLength(3);
  });
});

/** The response holds bytes in the process, as when the buffers of the system are full. */
function hold({ response }: Begun, bytes: number): void {
  response.req.socket.cork();
  response.write(Buffer.alloc(bytes));
}

/** The client reads what the response holds, and more. */
async function read({ client, response }: Begun, bytes: number): Promise<void> {
  client.resume();
  response.req.socket.uncork();
  await new Promise((resolve) => response.write(Buffer.alloc(bytes), resolve));
}

/** Sets the time, in seconds. */
function setTime(seconds: number): void {
  jest.spyOn(performance, 'now').mockReturnValue(seconds * 1000);
}
afterEach(() => jest.restoreAllMocks());

const whereClosed = (begun: readonly Begun[]): boolean[] =>
  begun.map(({ response }) => response.req.socket.destroyed);

it.each([
  { limit: 1_500_000, addressLimit: Infinity, closed: [false, false, true] },
  { limit: 1_300_000, addressLimit: Infinity, closed: [false, true, true] },
  // Otherwise a fast client could cut off all others.
  { limit: 1_500_000, addressLimit: 850_000, closed: [true, false, false] },
])(
  'beyond $limit bytes, closes the slowest, after those of addresses above $addressLimit bytes',
  async ({ closed, ...limits }) => {
    await withResponses(limits, async (many, begin) => {
      setTime(0);
      const fast = await begin('192.0.2.1');
      const slow = await begin('192.0.2.2');
      const stalled = await begin('192.0.2.3');
      hold(fast, 10_000);
      hold(slow, 10_000);
      hold(stalled, 300_000);
      many.closeSlowest();
      await read(fast, 3_000_000);
      await read(slow, 500_000);
      hold(fast, 900_000);
      hold(slow, 400_000);
      setTime(5);
      many.closeSlowest();
      expect(whereClosed([fast, slow, stalled])).toEqual(closed);
    });
  },
);

it('of an address, closes the slowest first', async () => {
  await withResponses({ limit: 1_500_000 }, async (many, begin) => {
    setTime(0);
    const fast = await begin('192.0.2.1');
    const stalled = await begin('192.0.2.1');
    hold(fast, 10_000);
    hold(stalled, 700_000);
    many.closeSlowest();
    await read(fast, 1_000_000);
    hold(fast, 900_000);
    setTime(5);
    many.closeSlowest();
    expect(whereClosed([fast, stalled])).toEqual([false, true]);
  });
});

it('a client whose system takes the next 1.4 MB later is not slow yet', async () => {
  await withResponses({ limit: 1_500_000, addressLimit: Infinity }, async (many, begin) => {
    setTime(0);
    const slow = await begin('192.0.2.1');
    hold(slow, 10_000);
    many.closeSlowest();
    setTime(5);
    const other = await begin('192.0.2.2');
    hold(other, 900_000);
    many.closeSlowest();
    await read(slow, 500_000);
    hold(slow, 700_000);
    // Until now (0.5 + 1.4) MB in 10 s, and 1.4 MB in 5 s.
    setTime(10);
    many.closeSlowest();
    expect(whereClosed([slow, other])).toEqual([true, false]);
  });
});

it('a client that begins again does not come after one that was measured for long', async () => {
  await withResponses({ limit: 1_500_000, addressLimit: Infinity }, async (many, begin) => {
    setTime(0);
    const measured = await begin('192.0.2.1');
    hold(measured, 10_000);
    many.closeSlowest();
    await read(measured, 6_000_000);
    hold(measured, 900_000);
    setTime(12);
    const again = await begin('192.0.2.2');
    hold(again, 700_000);
    many.closeSlowest();
    expect(whereClosed([measured, again])).toEqual([false, true]);
  });
});

it('measures the reading rate again after the response has ended', async () => {
  await withResponses({ limit: 1_500_000, addressLimit: Infinity }, async (many, begin) => {
    setTime(0);
    const first = await begin('192.0.2.1');
    hold(first, 900_000);
    many.closeSlowest();
    setTime(3);
    const second = await begin('192.0.2.2');
    hold(second, 500_000);
    many.closeSlowest();
    setTime(12);
    first.response.emit('prefinish');
    hold(second, 200_000);
    many.closeSlowest();
    expect(whereClosed([first, second])).toEqual([false, true]);
  });
});

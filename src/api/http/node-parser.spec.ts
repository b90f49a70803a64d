import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { skipBody } from './node-parser';

const REQUEST =
  'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n' +
  `${'1\r\na\r\n'.repeat(3)}0\r\n\r\n`;

it('a skipped body has no data, and the next connection with the same parser has its body', async () => {
  const bodies: string[] = [];
  const parsers: unknown[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const socket = request.socket as Socket & { readonly parser: unknown };
    parsers.push(socket.parser);
    if (parsers.length === 1) skipBody(socket);
    void text(request).then((body) => {
      bodies.push(body);
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  for (let connection = 0; connection < 2; connection += 1) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(REQUEST);
    await once(client, 'data');
    const [socket] = await accepted;
    client.destroy();
    await once(socket, 'close');
  }
  expect(bodies).toEqual(['', 'aaa']);
  expect(parsers[1]).toBe(parsers[0]);
  server.close();
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { closeAfterEarlyResponse } from './early-responses';
import { encodeRawTarget, readRawTarget } from './raw-targets';

const encoded = (text: string): string | undefined =>
  encodeRawTarget(Buffer.from(text))?.toString();

it('percent-encodes a target of raw UTF-8, and nothing behind it', () => {
  expect(encoded('GET /围?q=城%20%E5 HTTP/1.1\r\nX: 围\r\n\r\n围')).toBe(
    'GET /%e5%9b%b4?q=%e5%9f%8e%20%E5 HTTP/1.1\r\nConnection: close\r\nX: 围\r\n\r\n围',
  );
});

it.each([
  ['ASCII alone', 'GET /a HTTP/1.1\r\n\r\n'],
  ['an unfinished line', 'GET /围'],
  ['a space in the target', 'GET /围 城 HTTP/1.1\r\n\r\n'],
  ['a control character', 'GET /围\u0001 HTTP/1.1\r\n\r\n'],
  ['a line feed', 'GET /围\nX: y HTTP/1.1\r\n\r\n'],
  ['another version', 'GET /围 HTTP/2.0\r\n\r\n'],
  ['an earlier request', 'GET / HTTP/1.1\r\n\r\nGET /围 HTTP/1.1\r\n\r\n'],
])('leaves %s to the parser', (_, text) => {
  expect(encoded(text)).toBeUndefined();
});

it('leaves other encodings to the parser', () => {
  const gbk = Buffer.from('GET /\xce\xa7\xb3\xc7 HTTP/1.1\r\n\r\n', 'latin1');
  expect(encodeRawTarget(gbk)).toBeUndefined();
});

describe('a request with raw UTF-8 after a request with a body', () => {
  const raw = 'GET /v2/book/7?ü HTTP/1.1\r\nHost: a\r\n\r\n';
  /** Whether the data after a response was read as a request. */
  let decisions: boolean[];
  let server: Server;
  let readsBodies: boolean;
  beforeEach(async () => {
    decisions = [];
    server = createServer((request, response) => {
      if (request.method !== 'POST' || !readsBodies) {
        response.end('done');
        return;
      }
      request.resume().on('end', () => response.end('done'));
    });
    server.prependListener('request', closeAfterEarlyResponse);
    server.on('clientError', (error, socket) => {
      decisions.push(readRawTarget(server, error, socket as Socket));
      if (decisions[0] === false) socket.destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => server.close());

  /** Sends pieces, each after the response to the earlier ones. @returns all responses */
  async function send(pieces: readonly string[]): Promise<string> {
    const { port } = server.address() as AddressInfo;
    // It goes on sending when the server has ended its side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const [accepted] = (await once(server, 'connection')) as [Socket];
    const [ended, closed] = [once(socket, 'end'), once(accepted, 'close')];
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    for (const [at, piece] of pieces.entries()) {
      socket.write(piece);
      if (at < pieces.length - 1) while (!text.includes('done')) await once(socket, 'data');
    }
    await Promise.all([ended, closed]);
    socket.destroy();
    return text;
  }

  const head = (body: string): string =>
    `POST /v2/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;

  it('is read when the body was read', async () => {
    readsBodies = true;
    const text = await send([`${head('a=1')}a=1`, raw]);
    expect(decisions).toEqual([true]);
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });

  it.each([
    ['looks like a request', raw],
    ['is one byte', 'X'],
  ])('is not read when the rest of the body %s', async (_, body) => {
    readsBodies = false;
    await send([head(body), `${body}${raw}`]);
    expect(decisions).toEqual([false]);
  });
});

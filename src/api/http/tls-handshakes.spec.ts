import { generateKeyPairSync } from 'node:crypto';
import { type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TlsHandshakes } from './tls-handshakes';

const PER_SECOND = 200;

/** Adds connections of one address. */
function connect(handshakes: TlsHandshakes, count: number, begin: () => void): Socket[] {
  return Array.from({ length: count }, () => {
    const duplex = new Duplex({ read: () => undefined }) as Socket;
    const socket = Object.assign(duplex, { remoteAddress: '192.0.2.1' });
    handshakes.add(socket, begin);
    return socket;
  });
}

/** Handshakes that one address begins in a window. */
function begunWith(key: string): number {
  const handshakes = new TlsHandshakes(PER_SECOND);
  handshakes.adjustToKey(key);
  let begun = 0;
  connect(handshakes, PER_SECOND, () => (begun += 1));
  return begun;
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;

it('a key of RSA with 4096 bits allows an eighth of the handshakes of one with 2048 bits', () => {
  const rsa = (bits: number): string =>
    generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export(PEM).toString();
  expect(begunWith(rsa(2048))).toBe(20);
  expect(begunWith(rsa(4096))).toBe(3);
});

it('a key of another type does not change the limit', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(begunWith(privateKey.export(PEM).toString())).toBe(20);
});

describe('connections that wait', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are closed after 20 seconds', () => {
    let begun = 0;
    const sockets = connect(new TlsHandshakes(10), 1000, () => (begun += 1));
    jest.advanceTimersByTime(19_000);
    expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
    jest.advanceTimersByTime(2000);
    expect(begun).toBeLessThanOrEqual(210);
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1000 - begun);
  });
});

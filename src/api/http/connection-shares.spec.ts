import { EventEmitter } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { ConnectionShares } from './connection-shares';
import { Pipelines } from './pipelines';

interface FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
}

const LIMIT = 10;

let shares: ConnectionShares;
let open: Set<FakeSocket>;
beforeEach(() => {
  shares = new ConnectionShares(LIMIT);
  open = new Set();
});

const close = (socket: FakeSocket): void => {
  open.delete(socket);
  socket.emit('close');
};

function connect(remoteAddress: string): FakeSocket {
  const socket: FakeSocket = Object.assign(new EventEmitter(), { remoteAddress });
  open.add(socket);
  const closed = shares.add(socket as unknown as Socket) as unknown as FakeSocket | undefined;
  if (closed) close(closed);
  return socket;
}

/** Begins a request without a response. */
function begin(socket: FakeSocket): void {
  const request = { socket } as unknown as IncomingMessage;
  const response = new EventEmitter() as unknown as ServerResponse;
  new Pipelines().enter(request, response, () => undefined);
}

const connectMany = (address: string, count: number): FakeSocket[] =>
  Array.from({ length: count }, () => connect(address));

const countOf = (address: string): number =>
  [...open].filter(({ remoteAddress }) => remoteAddress === address).length;

it('closes new connections beyond the limit when all are of one address', () => {
  const first = connectMany('10.0.0.1', LIMIT);
  connectMany('10.0.0.1', 5);
  expect([...open]).toEqual(first);
});

it('replaces the oldest connection of the address with the most connections', () => {
  const [oldest] = connectMany('10.0.0.1', LIMIT);
  const other = connect('10.0.0.2');
  expect(open.has(other)).toBe(true);
  expect(open.has(oldest as FakeSocket)).toBe(false);
  expect(open.size).toBe(LIMIT);
});

it('replaces an idle connection rather than one with a request', () => {
  const [first, second] = connectMany('10.0.0.1', LIMIT);
  begin(first as FakeSocket);
  connect('10.0.0.2');
  expect([first, second].map((socket) => open.has(socket as FakeSocket))).toEqual([true, false]);
});

it('replaces a connection with a request when all have one', () => {
  connectMany('10.0.0.1', LIMIT).forEach(begin);
  const other = connect('10.0.0.2');
  expect(open.has(other)).toBe(true);
});

it('shares the connections equally between addresses that want all of them', () => {
  connectMany('10.0.0.1', LIMIT);
  connectMany('10.0.0.2', LIMIT);
  expect([countOf('10.0.0.1'), countOf('10.0.0.2')]).toEqual([5, 5]);
  connectMany('10.0.0.3', 3);
  expect(countOf('10.0.0.3')).toBe(3);
});

it('counts the addresses of an IPv6 network as one', () => {
  connectMany('2001:db8::1', 5);
  connectMany('2001:db8::2', 5);
  const other = connect('2001:db8:0:1::1');
  expect(open.has(other)).toBe(true);
  expect(open.size).toBe(LIMIT);
});

it('gives the room of closed connections to new ones', () => {
  for (let time = 0; time < 5; time += 1) {
    const all = connectMany('10.0.0.1', LIMIT);
    expect(open.size).toBe(LIMIT);
    for (const socket of all) close(socket);
  }
});

it('does not count a connection twice that is announced again', () => {
  const [first] = connectMany('10.0.0.1', LIMIT);
  expect(shares.add(first as unknown as Socket)).toBeUndefined();
  expect(open.size).toBe(LIMIT);
});

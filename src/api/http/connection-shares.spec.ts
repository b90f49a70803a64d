import { EventEmitter } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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

it('knows which connections of TLS have a request', () => {
  const server = new EventEmitter();
  shares.watch(server as Server);
  const destroyed: EventEmitter[] = [];
  const accept = (remoteAddress: string): { raw: EventEmitter; tls: FakeSocket } => {
    const raw = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroy: () => destroyed.push(raw),
    });
    server.emit('connection', raw);
    const tls = Object.assign(new EventEmitter(), { remoteAddress, _parent: raw });
    server.emit('secureConnection', tls);
    return { raw, tls };
  };
  const all = Array.from({ length: LIMIT }, () => accept('10.0.0.1'));
  begin((all[0] as { tls: FakeSocket }).tls);
  accept('10.0.0.2');
  expect(destroyed).toEqual([all[1]?.raw]);
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

const isOpen = (socket: FakeSocket): boolean => open.has(socket);

describe('many addresses of one IPv6 network', () => {
  const NETWORKS: [string, (index: number) => string][] = [
    ['/64s of one /48', (index) => `2001:db8:0:${index.toString(16)}::1`],
    ['/48s of one /32', (index) => `2001:db8:${index.toString(16)}::1`],
  ];

  describe.each(NETWORKS)('%s', (_, addressOf) => {
    /** Opens a connection of each of `count` addresses. */
    const attack = (count: number): FakeSocket[] =>
      Array.from({ length: count }, (_entry, index) => connect(addressOf(index)));

    it.each(['10.0.0.1', '2001:db9::1'])('are replaced by a client of another: %s', (address) => {
      const [oldest, ...others] = attack(LIMIT);
      const client = connect(address);
      expect([client, ...others].every(isOpen)).toBe(true);
      expect(isOpen(oldest as FakeSocket)).toBe(false);
    });

    it('replace each other, the oldest first', () => {
      const all = attack(LIMIT + 5);
      expect([...open]).toEqual(all.slice(5));
    });

    it('replace an idle connection rather than one with a request', () => {
      const [first, second] = attack(LIMIT) as [FakeSocket, FakeSocket];
      begin(first);
      connect('10.0.0.1');
      expect([first, second].map(isOpen)).toEqual([true, false]);
    });

    it.each(['10.0.0.1', '2001:db9::1'])(
      'leave an earlier client all its connections: %s',
      (own) => {
        const client = connectMany(own, 2);
        attack(LIMIT * 3);
        expect(client.every(isOpen)).toBe(true);
        expect(open.size).toBe(LIMIT);
      },
    );

    it('count less than an address with as many connections', () => {
      const some = attack(5);
      connectMany('10.0.0.1', 5);
      connect('10.0.0.2');
      expect(some.every(isOpen)).toBe(true);
      expect(countOf('10.0.0.1')).toBe(4);
    });
  });

  it('with few connections keep them beside many IPv4 addresses', () => {
    shares = new ConnectionShares(20);
    const connectOthers = (): FakeSocket[] =>
      Array.from({ length: 16 }, (_, index) => connect(`10.0.${open.size}.${index}`));
    const earlier = connectOthers();
    const clients = [1, 2, 3, 4].map((index) => connect(`2001:db8:0:${index}::1`));
    connectOthers();
    expect(clients.every(isOpen)).toBe(true);
    expect(earlier.some(isOpen)).toBe(false);
  });

  it('and an address with most connections of the network: only its own are replaced', () => {
    const neighbor = connect('2001:db8:0:1::1');
    connectMany('2001:db8::1', LIMIT - 1);
    connectMany('10.0.0.1', 3);
    expect(isOpen(neighbor)).toBe(true);
    expect(countOf('2001:db8::1')).toBe(LIMIT - 4);
  });
});

describe('many addresses with one connection each', () => {
  const connectAddresses = (count: number): FakeSocket[] =>
    Array.from({ length: count }, (_, index) => connect(`10.0.1.${index}`));

  it('serves new clients, and closes the oldest connections', () => {
    const all = connectAddresses(LIMIT * 3);
    expect([...open]).toEqual(all.slice(-LIMIT));
  });

  it('closes an idle connection rather than one with a request', () => {
    const [first, second] = connectAddresses(LIMIT) as [FakeSocket, FakeSocket];
    begin(first);
    const client = connect('10.0.0.1');
    expect([first, second, client].map(isOpen)).toEqual([true, false, true]);
  });

  it('closes the oldest one when all have a request', () => {
    const [oldest, ...others] = connectAddresses(LIMIT);
    [oldest as FakeSocket, ...others].forEach(begin);
    const client = connect('10.0.0.1');
    expect([client, ...others].every(isOpen)).toBe(true);
    expect(isOpen(oldest as FakeSocket)).toBe(false);
  });

  it('closes a second connection of an address', () => {
    const all = connectAddresses(LIMIT);
    connect('10.0.1.3');
    expect([...open]).toEqual(all);
  });
});

it('closes new connections when all have the same key, as behind proxies', () => {
  shares = new ConnectionShares(LIMIT, () => 'proxies');
  const connectAll = (): FakeSocket[] =>
    Array.from({ length: LIMIT }, (_, index) => connect(`2001:db8:0:${index}::1`));
  const first = connectAll();
  connectAll();
  expect([...open]).toEqual(first);
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

import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { limitKeyOf } from './client-address';
import { type CountedKey, countedKeys, NETWORK_SHARES } from './client-networks';
import { OrderedSet } from './ordered-set';
import { currentResponse } from './pipelines';

/** Number of connections of a client or network that are examined to find an idle one. */
const EXAMINED = 16;

/** The sockets of TLS, which have the requests, by those of the connections below them. */
const tlsSockets = new WeakMap<Socket, Socket>();

/** Whether a connection has a request without a complete response. */
const isBusy = (socket: Socket): boolean =>
  currentResponse(tlsSockets.get(socket) ?? socket) !== undefined;

/**
 * Closes new connections without a known address: their clients have reset them already. Their
 * requests would count in the limits and shares of no client. Node keeps an address that was read
 * once, so it stays known if the client resets the connection later.
 */
export function closeUnknown(server: Server): void {
  const close = (socket: Socket): void => {
    if (socket.remoteAddress === undefined) socket.destroy();
  };
  server.on('connection', close);
  // The socket of TLS keeps an address of its own.
  server.on('secureConnection', close);
}

/**
 * The part of the limit beyond which the connections of a network count. Otherwise the many clients
 * of a mobile network would lose their connections to an attacker with many IPv4 addresses.
 */
const NETWORK_MINIMUM = 1 / 4;

/** Open connections, the oldest first. */
type Connections = Iterable<Socket> & Pick<OrderedSet<Socket>, 'size'>;

/** The connections of addresses, or of networks of one size. All operations take constant time. */
class ConnectionGroups {
  private readonly groups = new Map<string, OrderedSet<Socket>>();
  /** Keys of the groups with each number of connections. */
  private readonly byCount = new Map<number, OrderedSet<string>>();
  private highest = 0;

  /**
   * @param share the part of the connections of a group that counts
   * @param minimum number of connections of a group beyond which they count
   */
  constructor(
    private readonly share: number,
    private readonly minimum = 0,
  ) {}

  /** How many connections of the largest group count. */
  get counted(): number {
    return this.highest > this.minimum ? this.highest * this.share : 0;
  }

  /** A group with the most connections. */
  get largest(): Connections {
    const [key = ''] = this.byCount.get(this.highest) ?? [];
    return this.of(key);
  }

  of(key: string): Connections {
    return this.groups.get(key) ?? new OrderedSet();
  }

  add(key: string, socket: Socket): void {
    const group = this.groups.get(key) ?? new OrderedSet();
    this.groups.set(key, group.add(socket));
    this.recount(key, group.size - 1, group.size);
  }

  delete(key: string, socket: Socket): void {
    const group = this.groups.get(key);
    if (!group?.delete(socket)) return;
    this.recount(key, group.size + 1, group.size);
    if (group.size === 0) this.groups.delete(key);
  }

  private recount(key: string, from: number, to: number): void {
    const before = this.byCount.get(from);
    before?.delete(key);
    if (before?.size === 0) this.byCount.delete(from);
    if (to > 0) this.byCount.set(to, (this.byCount.get(to) ?? new OrderedSet()).add(key));
    // A group changes by one connection at a time.
    if (to > this.highest || !this.byCount.has(this.highest)) this.highest = to;
  }
}

/**
 * Shares the connections of a server between addresses, so that one client cannot occupy all of
 * them. When the server is full, a new connection replaces one of the address with the most
 * connections, unless that is its own address: then the new one is closed. IPv6 networks with many
 * connections count like addresses, with a part of them. If each address has one connection, the new
 * one replaces an old one of any address.
 */
export class ConnectionShares {
  /** The keys of the address and networks of each open connection. */
  private readonly keys = new Map<Socket, readonly CountedKey[]>();
  private readonly all = new OrderedSet<Socket>();
  private readonly addresses = new ConnectionGroups(1);
  /** Addresses come first: if a network counts as much, its other addresses are spared. */
  private readonly levels: readonly ConnectionGroups[];

  /**
   * @param limit maximum number of open connections
   * @param keyOf the key of the client of a connection
   */
  constructor(
    private readonly limit: number,
    private readonly keyOf = (socket: Socket) => limitKeyOf(socket.remoteAddress ?? ''),
  ) {
    const minimum = limit * NETWORK_MINIMUM;
    this.levels = [
      this.addresses,
      new ConnectionGroups(NETWORK_SHARES.site, minimum),
      new ConnectionGroups(NETWORK_SHARES.provider, minimum),
    ];
  }

  /** Watches the connections of a server; emits `drop` for each that it closes. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      const closed = this.add(socket);
      if (!closed) return;
      closed.destroy();
      server.emit('drop');
    });
    server.on('secureConnection', (tls: Socket & { readonly _parent?: Socket | null }) => {
      if (tls._parent) tlsSockets.set(tls._parent, tls);
    });
  }

  /** Adds a new connection. @returns the connection to close, if there is no room for it */
  add(socket: Socket): Socket | undefined {
    // A connection is announced again when another parser reads it (D43).
    if (this.keys.has(socket)) return undefined;
    const address = this.keyOf(socket);
    const keys = countedKeys(address, NETWORK_SHARES);
    this.keys.set(socket, keys);
    this.all.add(socket);
    keys.forEach(({ key }, level) => this.levels[level]?.add(key, socket));
    socket.once('close', () => {
      this.remove(socket);
    });
    if (this.all.size <= this.limit) return undefined;
    const closed = this.replacedBy(socket, address);
    this.remove(closed);
    return closed;
  }

  /** Closes a connection, and all others of its client. @param socket may be that of TLS */
  closeAll(socket: Socket): void {
    const group = [...this.addresses.of(this.keyOf(socket))];
    // First: Node frees the state of TLS at once if the connection under it is closed already, and
    // OpenSSL may be using it.
    socket.destroy();
    for (const one of group) one.destroy();
  }

  /** The connection to close for a new one; it may be the new one itself. */
  private replacedBy(socket: Socket, address: string): Socket {
    const most = Math.max(...this.levels.map(({ counted }) => counted));
    // Otherwise many addresses with one connection each would lock out all other clients.
    if (most <= 1) return oldestOf(this.all, socket);
    if (this.addresses.of(address).size === most) return socket;
    const level = this.levels.find(({ counted }) => counted === most);
    return oldestOf(level?.largest ?? [], socket);
  }

  private remove(socket: Socket): void {
    const keys = this.keys.get(socket) ?? [];
    this.keys.delete(socket);
    this.all.delete(socket);
    keys.forEach(({ key }, level) => this.levels[level]?.delete(key, socket));
  }
}

/**
 * The oldest other connection that is idle, if it is among the first {@link EXAMINED}, else the
 * oldest.
 */
function oldestOf(connections: Iterable<Socket>, except: Socket): Socket {
  let oldest: Socket | undefined;
  let examined = 0;
  for (const socket of connections) {
    if (socket === except) continue;
    if (!isBusy(socket)) return socket;
    oldest ??= socket;
    examined += 1;
    if (examined === EXAMINED) break;
  }
  return oldest ?? except;
}

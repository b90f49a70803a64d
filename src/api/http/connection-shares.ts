import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { limitKeyOf } from './client-address';
import { currentResponse } from './pipelines';

/** Number of connections of an address that are examined to find an idle one. */
const EXAMINED = 16;

/** Whether a connection has a request without a complete response; unknown for TLS. */
const isBusy = (socket: Socket): boolean => currentResponse(socket) !== undefined;

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
 * Shares the connections of a server between addresses, so that one client cannot occupy all of
 * them. When the server is full, a new connection replaces one of the address with the most
 * connections, unless that is its own address: then the new one is closed.
 */
export class ConnectionShares {
  /** Open connections by limit key of their address, the oldest first. */
  private readonly groups = new Map<string, Set<Socket>>();
  /** Keys of the groups of each size. */
  private readonly bySize = new Map<number, Set<string>>();
  private largest = 0;
  private total = 0;

  /**
   * @param limit maximum number of open connections
   * @param keyOf the key of the client of a connection
   */
  constructor(
    private readonly limit: number,
    private readonly keyOf = (socket: Socket) => limitKeyOf(socket.remoteAddress ?? ''),
  ) {}

  /** Watches the connections of a server; emits `drop` for each that it closes. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      const closed = this.add(socket);
      if (!closed) return;
      closed.destroy();
      server.emit('drop');
    });
  }

  /** Adds a new connection. @returns the connection to close, if there is no room for it */
  add(socket: Socket): Socket | undefined {
    const key = this.keyOf(socket);
    const group = this.groups.get(key) ?? new Set();
    // A connection is announced again when another parser reads it (D43).
    if (group.has(socket)) return undefined;
    this.groups.set(key, group);
    group.add(socket);
    this.total += 1;
    this.resize(key, group.size - 1, group.size);
    socket.once('close', () => {
      this.remove(key, socket);
    });
    if (this.total <= this.limit) return undefined;
    const [other = key] = this.bySize.get(this.largest) ?? [];
    const isOwn = group.size === this.largest;
    const closed = isOwn ? socket : this.oldestOf(other);
    this.remove(isOwn ? key : other, closed);
    return closed;
  }

  /** Closes a connection, and all others of its client. @param socket may be that of TLS */
  closeAll(socket: Socket): void {
    const group = this.groups.get(this.keyOf(socket)) ?? [];
    // First: Node frees the state of TLS at once if the connection under it is closed already, and
    // OpenSSL may be using it.
    socket.destroy();
    for (const one of group) one.destroy();
  }

  /** The oldest idle connection of an address, else its oldest. */
  private oldestOf(key: string): Socket {
    const group = this.groups.get(key) as ReadonlySet<Socket>;
    let examined = 0;
    for (const socket of group) {
      if (!isBusy(socket)) return socket;
      examined += 1;
      if (examined === EXAMINED) break;
    }
    const [oldest] = group;
    return oldest as Socket;
  }

  private remove(key: string, socket: Socket): void {
    const group = this.groups.get(key);
    if (!group?.delete(socket)) return;
    this.total -= 1;
    this.resize(key, group.size + 1, group.size);
    if (group.size === 0) this.groups.delete(key);
  }

  private resize(key: string, from: number, to: number): void {
    const before = this.bySize.get(from);
    before?.delete(key);
    if (before?.size === 0) this.bySize.delete(from);
    if (to > 0) this.bySize.set(to, (this.bySize.get(to) ?? new Set()).add(key));
    // A group changes by one connection at a time.
    if (to > this.largest || !this.bySize.has(this.largest)) this.largest = to;
  }
}

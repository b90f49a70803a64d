import { limitKeyOf } from './client-address';

/** Node's handle of an accepted connection, which nothing reads yet. */
export interface AcceptedHandle {
  /** Sets the address of the client. Without it, the client has reset the connection. */
  getpeername(to: { address?: string }): number;
  close(callback?: () => void): void;
}

/** The address of the client; undefined if it has reset the connection. */
export function peerAddressOf(handle: AcceptedHandle): string | undefined {
  const peer: { address?: string } = {};
  handle.getpeername(peer);
  return peer.address;
}

/** Calls a listener when the handle is closed. */
export function onClose(handle: Pick<AcceptedHandle, 'close'>, listener: () => void): void {
  const close = handle.close.bind(handle);
  handle.close = (callback) => {
    handle.close = close;
    listener();
    close(callback);
  };
}

/** Minimum milliseconds between two connections that are passed on while more are accepted. */
const PASS_MS = 0.25;

export interface AcceptQueueOptions {
  /** Maximum number of connections that wait. */
  readonly maxWaiting: number;
  /** Maximum number of connections that are passed on and whose handles are not closed yet. */
  readonly maxOpen?: number;
  /** Takes a connection. */
  readonly pass: (handle: AcceptedHandle) => void;
  /** Called after a connection was closed because too many wait. */
  readonly onDrop?: () => void;
  /** Milliseconds since a fixed time. */
  readonly now?: () => number;
}

/**
 * Accepted connections that wait until the service takes them. The kernel has one backlog for all
 * clients, in which one client could delay the connections of others by seconds. While connections
 * keep arriving, it accepts all of them but passes few on: accepting takes a tenth of the time that
 * the server needs for one. Each address has its turn. When too many wait, an address with the most
 * has its newest closed.
 */
export class AcceptQueue {
  /** Waiting connections by limit key of their address; the next address first. */
  private readonly groups = new Map<string, Set<AcceptedHandle>>();
  private waiting = 0;
  private open = 0;
  private passedAt = -Infinity;
  private accepted = 0;
  private acceptedBefore = 0;
  private turn: NodeJS.Immediate | undefined;

  private readonly now: () => number;

  constructor(private readonly options: AcceptQueueOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Number of connections that wait. */
  get size(): number {
    return this.waiting;
  }

  /** Adds a connection that was just accepted. */
  add(handle: AcceptedHandle): void {
    this.accepted += 1;
    const address = peerAddressOf(handle);
    if (address === undefined) {
      handle.close();
      return;
    }
    if (this.waiting === 0 && this.hasRoom() && this.now() >= this.passedAt + PASS_MS) {
      this.pass(handle);
      return;
    }
    const key = limitKeyOf(address);
    const group = this.groups.get(key) ?? new Set();
    this.groups.set(key, group.add(handle));
    this.waiting += 1;
    if (this.waiting > this.options.maxWaiting) this.drop(key, group, handle);
    this.schedule();
  }

  /** Closes the waiting connections. */
  close(): void {
    for (const group of this.groups.values()) for (const handle of group) handle.close();
    this.groups.clear();
    this.waiting = 0;
  }

  private hasRoom(): boolean {
    return this.open < (this.options.maxOpen ?? Infinity);
  }

  private schedule(): void {
    if (this.waiting > 0 && this.hasRoom()) this.turn ??= setImmediate(this.next);
  }

  /** Passes a connection on, unless another was accepted in this turn of the event loop. */
  private readonly next = (): void => {
    this.turn = undefined;
    const isAccepting = this.accepted !== this.acceptedBefore;
    this.acceptedBefore = this.accepted;
    if (!isAccepting || this.now() >= this.passedAt + PASS_MS) this.passNext();
    this.schedule();
  };

  private passNext(): void {
    const [first] = this.groups;
    if (!first || !this.hasRoom()) return;
    const [key, group] = first;
    const [handle] = group as unknown as [AcceptedHandle];
    this.remove(key, group, handle);
    // The address has its next turn after all others.
    if (group.size > 0) {
      this.groups.delete(key);
      this.groups.set(key, group);
    }
    this.pass(handle);
  }

  private pass(handle: AcceptedHandle): void {
    this.passedAt = this.now();
    if (this.options.maxOpen !== undefined) this.countUntilClosed(handle);
    this.options.pass(handle);
  }

  private countUntilClosed(handle: AcceptedHandle): void {
    this.open += 1;
    onClose(handle, () => {
      this.open -= 1;
      this.schedule();
    });
  }

  /** Closes the new connection of an address with more than its share, or that of another one. */
  private drop(key: string, group: Set<AcceptedHandle>, handle: AcceptedHandle): void {
    let [largest, longest, newest] = [key, group, handle];
    if (group.size <= this.options.maxWaiting / this.groups.size) {
      for (const [other, handles] of this.groups) {
        if (handles.size > longest.size) [largest, longest] = [other, handles];
      }
      newest = [...longest].at(-1) ?? handle;
    }
    this.remove(largest, longest, newest);
    newest.close();
    this.options.onDrop?.();
  }

  private remove(key: string, group: Set<AcceptedHandle>, handle: AcceptedHandle): void {
    group.delete(handle);
    this.waiting -= 1;
    if (group.size === 0) this.groups.delete(key);
  }
}

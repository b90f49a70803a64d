import { type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { mayHaveUnread, type ReadConnection } from './read-connection';
import { ReadTurns } from './read-turns';

const CHUNK = 65_536;

/** A connection whose handle counts instead of reading. */
class Connection {
  readonly _handle = {
    reading: true,
    readStop: () => (this.isRead = false),
    readStart: () => {
      this.isRead = true;
      this.startedAt = Connection.starts += 1;
      return 0;
    },
  };
  static starts = 0;
  read!: ReadConnection;
  destroyed = false;
  isRead = true;
  /** Connections with data are reported in the order in which their reading has started. */
  startedAt = 0;
}

const readOf = (connections: readonly Connection[]): number =>
  connections.filter(({ isRead }) => isRead).length;

describe('in a turn of the event loop', () => {
  let turns: ReadTurns;
  beforeEach(() => {
    turns = new ReadTurns();
  });

  function open(number: number, network = '192.0.2.1'): Connection[] {
    const connections = Array.from({ length: number }, () => new Connection());
    for (const connection of connections) {
      connection.read = turns.open(connection as unknown as Socket, network);
    }
    return connections;
  }

  const openOne = (network?: string): Connection => open(1, network)[0] as Connection;

  /** Passes data of a connection while it is read. @returns the number of chunks */
  function arrive(connection: Connection, bytes = CHUNK, network = '192.0.2.1'): number {
    let chunks = 0;
    for (; chunks < 10_000 && connection.isRead; chunks += 1) {
      turns.addChunk(connection.read, network, bytes);
    }
    return chunks;
  }

  it('a connection is read until it has 256 KB', () => {
    const [sender, other] = open(2);
    expect(arrive(sender as Connection)).toBe(4);
    expect(other?.isRead).toBe(true);
  });

  it('small chunks count more than their bytes', () => {
    expect(arrive(openOne(), 1)).toBe(512);
  });

  it('a connection is read until it has 17 requests, which count more than those of others', () => {
    const [connection, ...others] = open(601) as [Connection, ...Connection[]];
    let requests = 0;
    for (; connection.isRead; requests += 1) turns.addRequest(connection.read);
    expect(requests).toBe(17);
    for (const { read } of others.slice(0, 300)) turns.addRequest(read);
    expect(readOf(others)).toBe(600);
    for (const { read } of others.slice(300)) turns.addRequest(read);
    expect(readOf(others)).toBe(0);
  });

  it('connections that have sent little are read again together', async () => {
    const connections = open(600);
    for (const { read } of connections) turns.addRequest(read);
    expect(readOf(connections)).toBe(0);
    for (let turn = 0; turn < 2; turn += 1) await setImmediate();
    expect(readOf(connections)).toBeGreaterThanOrEqual(512);
  });

  it('all connections are read until they have 1 MB', () => {
    const connections = open(5000);
    const chunks = connections.map((connection) => arrive(connection));
    expect(chunks.slice(0, 5)).toEqual([4, 4, 4, 4, 0]);
    expect(readOf(connections)).toBe(0);
  });

  it('nothing is read in the turns that a single read has used', async () => {
    const [sender, other] = open(2) as [Connection, Connection];
    for (let chunk = 0; chunk < 8192; chunk += 1) turns.addChunk(sender.read, '192.0.2.1', 0);
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      expect(readOf([sender, other])).toBe(0);
    }
    await setImmediate();
    expect(other.isRead).toBe(true);
  });

  it('connections without data and senders are read again in different turns', async () => {
    const [sender, ...waiting] = open(2000) as [Connection, ...Connection[]];
    arrive(sender, 2 ** 20);
    await setImmediate();
    expect([readOf(waiting), sender.isRead]).toEqual([8, false]);
    await setImmediate();
    expect([readOf(waiting), sender.isRead]).toEqual([8, true]);
    await setImmediate();
    expect(readOf(waiting)).toBe(24);
  });

  it('connections are read again without further data', async () => {
    const connections = open(1000);
    for (const connection of connections) arrive(connection);
    for (let turn = 0; turn < 40; turn += 1) await setImmediate();
    expect(readOf(connections)).toBe(1000);
  });

  it('all connections are read in turn while each turn is full', async () => {
    const [sender, ...waiting] = open(2001) as [Connection, ...Connection[]];
    const unread = new Set(waiting);
    for (let turn = 0; turn < 2000; turn += 1) {
      for (const connection of unread) if (connection.isRead) unread.delete(connection);
      turns.addChunk(sender.read, '192.0.2.1', 2 ** 20);
      expect(readOf(waiting)).toBe(0);
      await setImmediate();
    }
    expect(unread.size).toBe(0);
  });

  it('new connections wait while others wait', async () => {
    const connections = open(100);
    arrive(connections[0] as Connection, 2 ** 20);
    const added = openOne();
    expect(added.isRead).toBe(false);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(added.isRead).toBe(true);
    expect(openOne().isRead).toBe(true);
  });

  it('networks take turns', async () => {
    const many = open(2000);
    const other = openOne('192.0.2.2');
    arrive(many[0] as Connection, 2 ** 20);
    expect(other.isRead).toBe(false);
    await setImmediate();
    expect(other.isRead).toBe(true);
  });

  it('a network with little data is read while many with much data fill each turn', async () => {
    const networks = Array.from({ length: 10 }, (_, at) => `198.51.100.${at}`);
    const attackers = networks.flatMap((network) =>
      open(100, network).map((connection) => ({ connection, network })),
    );
    const other = openOne();
    const all = [...attackers, { connection: other, network: '192.0.2.1' }];
    let reads = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      all.sort((one, another) => one.connection.startedAt - another.connection.startedAt);
      for (const { connection, network } of all) {
        if (connection !== other) arrive(connection, CHUNK, network);
        else if (other.isRead) reads += 1;
      }
      await setImmediate();
    }
    expect(reads).toBeGreaterThan(5);
  });

  /** Turns after which an attacker has sent more. */
  const REFILLED_AFTER = 20;

  it.each([
    ...[4, 5, 10, 15, 30].map((networks) => [networks, 1, 0]),
    ...[4, 8, 9, 10, 30].map((networks) => [networks, 10, 0]),
    ...[5, 15, 30].map((networks) => [networks, 10, 100]),
  ] as [number, number, number][])(
    'each connection of %d networks fills a turn: %d others are read soon beside %d idle ones',
    async (networks, number, idle) => {
      const sender = (network: string) => ({ connection: openOne(network), next: 0 });
      const attackers = Array.from({ length: 40 * networks }, (_, at) =>
        sender(`198.51.100.${at % networks}`),
      );
      const others = Array.from({ length: number }, (_, at) => sender(`192.0.2.${at}`));
      for (let at = 0; at < idle; at += 1) openOne(`203.0.113.${at}`);
      let longest = 0;
      for (let turn = 0; turn < 400; turn += 1) {
        const all = [...attackers, ...others].sort(
          (one, another) => one.connection.startedAt - another.connection.startedAt,
        );
        for (const one of all) {
          if (!one.connection.isRead || turn < one.next) continue;
          const isOther = others.includes(one);
          if (isOther) longest = Math.max(longest, turn - one.next);
          const requests = isOther ? 1 : 66;
          for (let at = 0; at < requests; at += 1) turns.addRequest(one.connection.read);
          one.next = turn + REFILLED_AFTER;
        }
        await setImmediate();
      }
      for (const { next } of others) longest = Math.max(longest, 400 - next);
      expect(longest).toBeLessThan(20 + 2 * networks);
    },
  );

  it('closed connections take no turn', async () => {
    const connections = open(1000);
    arrive(connections[0] as Connection, 2 ** 20);
    for (const connection of connections.slice(1, 900)) {
      connection.destroyed = true;
      turns.close(connection.read);
    }
    await setImmediate();
    expect(readOf(connections.slice(900))).toBe(8);
  });

  it('all senders of a network are read, also if the kernel reports the same ones first', async () => {
    const connections = open(200);
    const unread = new Set(connections);
    for (let turn = 0; turn < 200; turn += 1) {
      for (const connection of connections) if (arrive(connection) > 0) unread.delete(connection);
      await setImmediate();
    }
    expect(unread.size).toBe(0);
  });

  it('data of stopped connections may have arrived, until they are read', async () => {
    const [sender, ...waiting] = open(3) as [Connection, ...Connection[]];
    const unread = (): boolean[] =>
      [sender, ...waiting].map((connection) => mayHaveUnread(connection as unknown as Socket));
    expect(unread()).toEqual([false, false, false]);
    arrive(sender, 2 ** 20);
    expect(unread()).toEqual([true, true, true]);
    await setImmediate();
    expect(unread()).toEqual([true, true, true]);
    await setImmediate();
    expect(unread()).toEqual([true, false, false]);
    await setImmediate();
    expect(unread()).toEqual([false, false, false]);
  });

  it('a connection that its stream has paused is not started', async () => {
    const connection = openOne();
    arrive(connection);
    connection._handle.reading = false;
    await setImmediate();
    expect(connection.isRead).toBe(false);
  });

  it('a stopped connection is not started by its stream', async () => {
    const connection = openOne();
    arrive(connection);
    connection._handle.readStart();
    expect(connection.isRead).toBe(false);
    await setImmediate();
    expect(connection.isRead).toBe(true);
  });
});

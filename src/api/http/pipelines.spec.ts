import { EventEmitter } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Pipelines } from './pipelines';

/** A connection that sends requests. */
class Client {
  readonly socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    writable: true,
    destroy: () => {
      this.socket.destroyed = true;
      this.socket.writable = false;
      this.socket.emit('close');
    },
  });
  /** Numbers of the handled requests. */
  readonly handled: number[] = [];
  private readonly responses: EventEmitter[] = [];
  private sent = 0;

  constructor(private readonly pipelines: Pipelines) {}

  /** Sends requests. @returns how many the connection had room for */
  send(count: number): number {
    let accepted = 0;
    for (let at = 0; at < count; at += 1) {
      const number = (this.sent += 1);
      const response = new EventEmitter();
      const request = { socket: this.socket } as unknown as IncomingMessage;
      this.pipelines.enter(request, response as unknown as ServerResponse, () => {
        this.handled.push(number);
      });
      if (this.socket.destroyed) continue;
      accepted += 1;
      this.responses.push(response);
    }
    return accepted;
  }

  /** Completes responses. */
  complete(count = this.responses.length): void {
    for (const response of this.responses.splice(0, count)) response.emit('close');
  }
}

const LIMITS = { connection: 10, total: 20, busyConnection: 2 };

let pipelines: Pipelines;
beforeEach(() => {
  pipelines = new Pipelines(LIMITS);
});

const client = () => new Client(pipelines);

it('closes a connection with more requests than its limit', () => {
  const one = client();
  expect(one.send(11)).toBe(10);
  expect(one.socket.destroyed).toBe(true);
  expect(one.send(5)).toBe(0);
});

it('counts requests without a complete response only', () => {
  const one = client();
  for (let time = 0; time < 50; time += 1) {
    expect(one.send(10)).toBe(10);
    one.complete();
  }
  expect(one.socket.listenerCount('close')).toBe(1);
});

it('has a lower limit for each connection while many requests of others wait', () => {
  const busy = [client(), client(), client()];
  expect(busy.map((one) => one.send(9))).toEqual([9, 9, 5]);
  expect(busy.map(({ socket }) => socket.destroyed)).toEqual([false, false, true]);
  const other = client();
  expect(other.send(9)).toBe(5);
  for (const one of busy) one.complete();
  expect(client().send(10)).toBe(10);
});

it('forgets the requests of closed connections', () => {
  for (let time = 0; time < 20; time += 1) {
    const one = client();
    expect(one.send(10)).toBe(10);
    one.socket.destroy();
  }
  expect(client().send(10)).toBe(10);
});

it('handles one request of every connection in any case', () => {
  const all = Array.from({ length: 100 }, client);
  expect(all.map((one) => one.send(2))).toEqual(all.map(() => 2));
  expect(client().send(1)).toBe(1);
});

it('handles the requests of a connection one after the other', () => {
  const one = client();
  one.send(3);
  expect(one.handled).toEqual([1]);
  one.complete(1);
  expect(one.handled).toEqual([1, 2]);
  one.send(1);
  one.complete();
  expect(one.handled).toEqual([1, 2, 3, 4]);
});

it('handles no request after the response that ends the connection', () => {
  const one = client();
  one.send(3);
  one.socket.writable = false;
  one.complete();
  expect(one.handled).toEqual([1]);
  const other = client();
  other.send(3);
  other.socket.destroy();
  other.complete();
  expect(other.handled).toEqual([1]);
});

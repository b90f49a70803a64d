import { Channel, type Transport } from './channel';

/** Two connected ends that deliver copies, as between processes. */
function connected(): [Channel, Channel] {
  const listeners: ((message: unknown) => void)[] = [];
  const end = (own: number): Transport => ({
    send: (message) => {
      const copy = JSON.parse(JSON.stringify(message)) as unknown;
      setImmediate(() => listeners[1 - own]?.(copy));
    },
    receive: (listener) => {
      listeners[own] = listener;
    },
  });
  return [new Channel(end(0)), new Channel(end(1))];
}

it('sends the requests and the responses of a turn as one message each', async () => {
  const [worker, parent] = connected();
  parent.handle('double', (payload) => (payload as number) * 2);
  const numbers = Array.from({ length: 100 }, (_, at) => at);
  const responses = await Promise.all(numbers.map((at) => worker.request<number>('double', at)));
  expect(responses).toEqual(numbers.map((at) => at * 2));
  expect([worker.batchesSent, parent.batchesSent]).toEqual([1, 1]);
});

it('rejects requests that wait for a response when the other process ends, and later ones', async () => {
  const [worker, parent] = connected();
  parent.handle('hang', () => new Promise(() => undefined));
  const waiting = worker.request('hang');
  worker.close();
  await expect(waiting).rejects.toThrow('the other process has ended: hang');
  await expect(worker.request('hang')).rejects.toThrow('the other process has ended: hang');
});

it('passes on errors, and ignores messages of others', async () => {
  const [worker, parent] = connected();
  parent.handle('fail', () => Promise.reject(new Error('no room')));
  await expect(worker.request('fail')).rejects.toThrow('no room');
  await expect(worker.request('nothing')).rejects.toThrow('no handler for nothing');
  let receive: (message: unknown) => void = () => undefined;
  new Channel({
    send: () => undefined,
    receive: (listener) => {
      receive = listener;
    },
  });
  for (const message of [null, 'text', 7, { cmd: 'NODE_CLUSTER' }, { commonplace: 1 }]) {
    expect(() => {
      receive(message);
    }).not.toThrow();
  }
});

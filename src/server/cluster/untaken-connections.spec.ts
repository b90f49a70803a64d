import { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { closeUntakenConnections } from './untaken-connections';

/** A worker whose messages go nowhere. */
function aWorker() {
  const child = Object.assign(new EventEmitter(), { send: () => true });
  const worker = Object.assign(new EventEmitter(), { process: child });
  closeUntakenConnections(worker as unknown as Worker);
  const send = child.send as (message: object, handle: object) => boolean;
  return { worker, child, send };
}

it('connections that a worker did not answer are closed when it ends, and no others', () => {
  const { worker, child, send } = aWorker();
  const closed: string[] = [];
  const rejected: string[] = [];
  const aHandle = (name: string) => ({
    close: () => void closed.push(name),
    onRejected: () => void rejected.push(name),
  });
  ['taken', 'passed on', 'without an answer'].forEach((name, seq) => {
    send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq }, aHandle(name));
  });
  child.emit('internalMessage', { ack: 0, accepted: true });
  child.emit('internalMessage', { ack: 1, accepted: false });
  worker.emit('exit', 0, null);
  expect(closed).toEqual(['without an answer']);
  expect(rejected).toEqual(['passed on']);
});

it('a connection that a worker loses counts as taken, so that the worker gets others', () => {
  const { worker, child, send } = aWorker();
  const taken: unknown[] = [];
  const closed: number[] = [];
  // As `node:cluster`, which closes its handle then.
  child.on('internalMessage', ({ cmd, ack, accepted }: Record<string, unknown>) => {
    if (cmd === 'NODE_CLUSTER') taken.push([ack, accepted]);
  });
  for (const seq of [0, 1, 2])
    send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq }, { close: () => void closed.push(seq) });
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 0, accepted: true });
  child.emit('internalMessage', { cmd: 'NODE_HANDLE_NACK' });
  expect(taken).toEqual([
    [0, true],
    [1, true],
  ]);
  worker.emit('exit', 0, null);
  expect(closed).toEqual([2]);
});

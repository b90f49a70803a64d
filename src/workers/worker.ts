import cluster, { type Worker } from 'node:cluster';
import { Channel } from './channel';

let channel: Channel | undefined;

/** The channel to the parent process; undefined in a process that is not a worker (`WORKERS`). */
export function parentChannel(): Channel | undefined {
  if (!cluster.isWorker) return undefined;
  channel ??= new Channel({
    send: (message) => {
      // The callback receives the error of a closed channel, which would otherwise be thrown.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    receive: (listener) => {
      process.on('message', listener);
    },
  });
  return channel;
}

/** Number of this worker, unique while its parent process runs; undefined for other processes. */
export const workerNumber = (): number | undefined => cluster.worker?.id;

/** The parent process's channel to a worker. */
export const channelTo = (worker: Worker): Channel =>
  new Channel({
    send: (message) => {
      if (worker.isConnected()) worker.send(message as object, () => undefined);
    },
    receive: (listener) => {
      worker.on('message', listener);
    },
  });

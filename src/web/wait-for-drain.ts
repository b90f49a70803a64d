import { type Writable } from 'node:stream';

/**
 * Waits until a stream accepts more data, or is closed because its client has left. It removes its
 * listeners, because a long response waits many times.
 */
export function waitForDrain(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

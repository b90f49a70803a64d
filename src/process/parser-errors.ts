import { type Duplex } from 'node:stream';

type Listener = (chunk: Buffer) => void;

/**
 * Destroys a stream when one of its `data` listeners throws. Clients of databases parse in these
 * listeners, and the error would end the process. The cause is a server that speaks another protocol
 * or sends damaged data.
 * @param stream has its listeners already, all of them permanent
 * @param describe converts what a listener has thrown to the error of the stream
 */
export function destroyOnParserError(stream: Duplex, describe: (cause: unknown) => Error): void {
  for (const listener of stream.listeners('data') as Listener[]) {
    stream.off('data', listener);
    stream.on('data', (chunk: Buffer) => {
      try {
        listener.call(stream, chunk);
      } catch (cause) {
        stream.destroy(describe(cause));
      }
    });
  }
}

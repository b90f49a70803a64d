import { type Duplex } from 'node:stream';

type Listener = (chunk: Buffer) => void;

/**
 * Makes the errors of a connection's parsers end the connection. Libraries parse what they receive
 * in listeners of the event `data`; what these throw would end the process. A peer that speaks
 * another protocol, or is damaged, can cause it.
 * @param stream has its listeners already
 * @param describe turns what a parser has thrown into the error of the connection
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

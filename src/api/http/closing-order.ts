import { type CountedKey, countedKeys, NETWORK_SHARES } from './client-networks';

/** A connection whose requests take memory. */
export interface LargeConnection {
  /** The limit key of its client. */
  readonly clientKey: string;
  readonly bytes: number;
}

/**
 * The order in which connections are closed to free memory: those of the address or IPv6 network with
 * the most bytes first, until another one has more, and of these the oldest.
 *
 * @param large from the oldest to the newest
 */
export function sortForClosing<T extends LargeConnection>(large: readonly T[]): readonly T[] {
  const keysOfClients = new Map<string, readonly CountedKey[]>();
  const bytesOfKeys = new Map<string, number>();
  const keysOf = ({ clientKey }: T): readonly CountedKey[] => {
    let keys = keysOfClients.get(clientKey);
    if (!keys) keysOfClients.set(clientKey, (keys = countedKeys(clientKey, NETWORK_SHARES)));
    return keys;
  };
  for (const connection of large) {
    for (const { key, share } of keysOf(connection))
      bytesOfKeys.set(key, (bytesOfKeys.get(key) ?? 0) + share * connection.bytes);
  }
  return large
    .map((connection) => {
      // The most bytes of a key when the connections that come before are closed.
      let maxBytes = 0;
      for (const { key, share } of keysOf(connection)) {
        const bytes = bytesOfKeys.get(key) ?? 0;
        maxBytes = Math.max(maxBytes, bytes);
        bytesOfKeys.set(key, bytes - share * connection.bytes);
      }
      return { connection, maxBytes };
    })
    .sort((left, right) => right.maxBytes - left.maxBytes)
    .map(({ connection }) => connection);
}

import { type CountedKey, countedKeys, type NetworkShares } from './client-networks';

/** The parts of the bytes of networks that count for each of their addresses. */
const NETWORK_SHARES: NetworkShares = { site: 1 / 2, provider: 1 / 4 };

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
export function inOrderOfClosing<T extends LargeConnection>(large: readonly T[]): readonly T[] {
  const keysOfClients = new Map<string, readonly CountedKey[]>();
  const bytesOfKeys = new Map<string, number>();
  const keysOf = ({ clientKey }: T): readonly CountedKey[] => {
    let keys = keysOfClients.get(clientKey);
    if (!keys) keysOfClients.set(clientKey, (keys = countedKeys(clientKey, NETWORK_SHARES)));
    return keys;
  };
  for (const one of large) {
    for (const { key, share } of keysOf(one))
      bytesOfKeys.set(key, (bytesOfKeys.get(key) ?? 0) + share * one.bytes);
  }
  return large
    .map((one) => {
      // The most bytes of a key when the connections that come before are closed.
      let most = 0;
      for (const { key, share } of keysOf(one)) {
        const bytes = bytesOfKeys.get(key) ?? 0;
        most = Math.max(most, bytes);
        bytesOfKeys.set(key, bytes - share * one.bytes);
      }
      return { one, most };
    })
    .sort((left, right) => right.most - left.most)
    .map(({ one }) => one);
}

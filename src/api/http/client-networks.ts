/** A limit key or network, and the part of its use that counts for each of its clients. */
export interface CountedKey {
  readonly key: string;
  readonly share: number;
}

/**
 * Fractions of the usage of an IPv6 network that are charged to each address in it. An attacker gains
 * little from more addresses. An address is charged its own usage in full.
 */
export interface NetworkShares {
  /** Of 48 bits, which belong to one site (RFC 6177). */
  readonly site: number;
  /** Of 32 bits, which belong to one provider at most. */
  readonly provider: number;
}

/** The usual shares: a client keeps its use beside an attacker with more than four times of it. */
export const NETWORK_SHARES: NetworkShares = { site: 1 / 2, provider: 1 / 4 };

/** Match the part of a limit key that the clients of a network share. */
const NETWORKS: Readonly<Record<keyof NetworkShares, RegExp>> = {
  site: /^[^:]*:[^:]*:[^:]*(?=:)/,
  provider: /^[^:]*:[^:]*(?=:)/,
};

/**
 * A limit key with its full use, and the IPv6 networks that it is in; an IPv4 address has none.
 *
 * @param limitKey what `limitKeyOf` returns
 */
export function countedKeys(limitKey: string, shares: NetworkShares): readonly CountedKey[] {
  const keys: CountedKey[] = [{ key: limitKey, share: 1 }];
  for (const size of ['site', 'provider'] as const) {
    const key = NETWORKS[size].exec(limitKey)?.[0];
    if (key !== undefined) keys.push({ key, share: shares[size] });
  }
  return keys;
}

/** The IPv6 network of 48 bits that a limit key is in, or the key itself. */
export const siteOf = (limitKey: string): string => NETWORKS.site.exec(limitKey)?.[0] ?? limitKey;

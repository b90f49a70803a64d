import { AsyncResource } from 'node:async_hooks';
import dns from 'node:dns';
import { LRUCache } from 'lru-cache';

/**
 * Milliseconds after which a lookup returns the last known addresses, if there are any. Checks of
 * replicas wait for 600 ms.
 */
const FALLBACK_AFTER_MS = 300;

/** Maximum number of cached results. Few are used: those of the servers in the settings. */
const MAX_CACHED = 100;

/** Error for a name server that did not respond; other errors are its response. */
const NO_RESPONSE = 'EAI_AGAIN';

type Result = [
  error: NodeJS.ErrnoException | null,
  address: string | dns.LookupAddress[],
  family?: number,
];
type Callback = (...result: Result) => void;

/** {@link dns.lookup} with all its arguments. */
export type Lookup = (hostname: string, options: dns.LookupOptions, callback: Callback) => void;

/**
 * Looks names up like {@link dns.lookup}, also while name servers do not respond. Such lookups occupy
 * at most half of the threads for many seconds, and all others wait for those: a name of Redis could
 * keep the connections to PostgreSQL from being opened again. So there is one lookup of a name at a time,
 * and after 0.3 seconds callers get the last known addresses.
 */
export class DnsLookups {
  private readonly pending = new Map<string, Set<Callback>>();
  private readonly lastResults = new LRUCache<string, Result>({ max: MAX_CACHED });

  constructor(private readonly lookup: Lookup) {}

  readonly lookUp: Lookup = (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options]);
    const waiting = this.pending.get(key) ?? this.start(key, hostname, options);
    const caller = new AsyncResource('DnsLookup');
    const settle: Callback = (...result) => {
      clearTimeout(timer);
      waiting.delete(settle);
      caller.runInAsyncScope(callback, undefined, ...result);
    };
    const timer = setTimeout(() => {
      const last = this.lastResults.get(key);
      if (last) settle(...last);
    }, FALLBACK_AFTER_MS);
    waiting.add(settle);
  };

  private start(key: string, hostname: string, options: dns.LookupOptions): Set<Callback> {
    const waiting = new Set<Callback>();
    this.lookup(hostname, options, (...result) => {
      this.pending.delete(key);
      const [error] = result;
      if (!error) this.lastResults.set(key, result);
      const last = error?.code === NO_RESPONSE ? this.lastResults.get(key) : undefined;
      for (const settle of [...waiting]) settle(...(last ?? result));
    });
    this.pending.set(key, waiting);
    return waiting;
  }
}

/** Makes all connections of this process look names up with {@link DnsLookups}. */
export function shareDnsLookups(): void {
  const { lookup: original } = dns;
  const lookups = new DnsLookups(original);
  const shared = (hostname: string, ...rest: readonly unknown[]): void => {
    const [options, callback] = rest;
    // Connections always pass options and a callback.
    if (typeof options === 'object' && options !== null && typeof callback === 'function') {
      lookups.lookUp(hostname, options, callback as Callback);
    } else Reflect.apply(original, dns, [hostname, ...rest]);
  };
  // The properties include `util.promisify.custom`.
  dns.lookup = Object.defineProperties(
    shared,
    Object.getOwnPropertyDescriptors(original),
  ) as typeof dns.lookup;
}

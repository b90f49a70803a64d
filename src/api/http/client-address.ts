import { type IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { type Request } from 'express';
import { LRUCache } from 'lru-cache';
import { copyString } from './copy-string';

/** Name of the application setting that holds `TRUSTED_PROXIES`. */
export const TRUSTED_PROXIES = 'trusted proxies';

/** A request, with the application that handles it if Express or the fast lane has begun to. */
type ClientRequest = IncomingMessage & { readonly app?: Pick<Request['app'], 'get'> };

const trustedIn = ({ app }: ClientRequest): number =>
  (app?.get(TRUSTED_PROXIES) as number | undefined) ?? 0;

/**
 * The header entry of the outermost of `trusted` proxies. Each proxy appends an entry at the right
 * end; entries further left come from the client and are not trusted.
 */
function forwardedEntry(
  header: string | string[] | undefined,
  trusted: number,
): string | undefined {
  if (trusted === 0 || header === undefined) return undefined;
  // Not `split`: the client decides how many entries there are.
  const entries = String(header);
  let end = entries.length;
  let start = entries.lastIndexOf(',') + 1;
  for (let proxy = 1; proxy < trusted && start > 0; proxy += 1) {
    end = start - 1;
    start = end === 0 ? 0 : entries.lastIndexOf(',', end - 1) + 1;
  }
  return entries.slice(start, end).trim();
}

/** An address without the port that some proxies add; undefined for an invalid address. */
function withoutPort(word: string): string | undefined {
  const bare = /^\[(.+)\](:\d+)?$/.exec(word)?.[1] ?? /^([\d.]+):\d+$/.exec(word)?.[1] ?? word;
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Address of the client: that of the connection, or the address that the outermost trusted proxy
 * reports. Empty when the connection is already closed.
 *
 * @param trusted number of trusted proxies; by default that of the application
 */
export function addressOf(request: ClientRequest, trusted = trustedIn(request)): string {
  const word = forwardedEntry(request.headers['x-forwarded-for'], trusted);
  const forwarded = word === undefined ? undefined : withoutPort(word);
  if (forwarded !== undefined) return copyString(forwarded);
  return request.socket.remoteAddress ?? '';
}

/** Whether the client uses HTTPS, to this process or to a trusted proxy. */
export function isSecure(request: ClientRequest): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted === true) return true;
  const word = forwardedEntry(request.headers['x-forwarded-proto'], trustedIn(request));
  return word?.toLowerCase() === 'https';
}

/**
 * The key of an address in rate limits (D16). It is an IPv4 address, also when mapped into IPv6
 * (RFC 4291, section 2.5.5.2), or the first 64 bits of an IPv6 address. The other bits belong to
 * the same client. It is empty for any other text.
 */
export function limitKeyOf(address: string): string {
  if (!address.includes(':')) return isIPv4(address) ? address : '';
  // Zones such as `%br-lan` are local names of interfaces.
  const [bare = ''] = address.split('%', 1);
  let key = keysOfAddresses.get(bare);
  if (key !== undefined) return key;
  if (!isIPv6(bare)) return '';
  keysOfAddresses.set(copyString(bare), (key = keyOfIpv6(bare)));
  return key;
}

/** Cached, because parsing takes several µs, which is noticeable in a response from memory. */
const keysOfAddresses = new LRUCache<string, string>({ max: 1000 });

/** The first six groups of an IPv4 address that is mapped into IPv6. */
const MAPPED_PREFIX = '0:0:0:0:0:ffff';

function keyOfIpv6(address: string): string {
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') !== MAPPED_PREFIX) return `${groups.slice(0, 4).join(':')}::/64`;
  const quad = groups.slice(6).flatMap((group) => {
    const bits = parseInt(group, 16);
    return [bits >> 8, bits & 0xff];
  });
  return quad.join('.');
}

/** The eight groups of an IPv6 address in hexadecimal, without leading zeros. */
function groupsOf(address: string): string[] {
  // `URL` accepts all spellings, and replaces zeros by `::` and a dotted quad by two groups.
  const { hostname } = new URL(`http://[${address}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}

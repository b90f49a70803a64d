import { isIP } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { type Request } from 'express';

/** Name of the application setting that holds `TRUSTED_PROXIES`. */
export const TRUSTED_PROXIES = 'trusted proxies';

const trustedIn = (request: Request): number =>
  (request.app.get(TRUSTED_PROXIES) as number | undefined) ?? 0;

/**
 * The header entry of the outermost of `trusted` proxies. Each proxy appends an entry at the right
 * end; entries further left come from the client and are not trusted.
 */
function wordOf(header: string | string[] | undefined, trusted: number): string | undefined {
  if (trusted === 0 || header === undefined) return undefined;
  const words = String(header).split(',');
  return words[Math.max(0, words.length - trusted)]?.trim();
}

/** An address without the port that some proxies add; undefined for an invalid address. */
function withoutPort(word: string): string | undefined {
  const bare = /^\[(.+)\](:\d+)?$/.exec(word)?.[1] ?? /^([\d.]+):\d+$/.exec(word)?.[1] ?? word;
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Address of the client: that of the connection, or the one reported by the outermost trusted
 * proxy. Empty when the connection is already closed.
 */
export function addressOf(request: Request): string {
  const word = wordOf(request.headers['x-forwarded-for'], trustedIn(request));
  const forwarded = word === undefined ? undefined : withoutPort(word);
  return forwarded ?? request.socket.remoteAddress ?? '';
}

/** Whether the client uses HTTPS, to this process or to a trusted proxy. */
export function isSecure(request: Request): boolean {
  if ((request.socket as Partial<TLSSocket>).encrypted === true) return true;
  const word = wordOf(request.headers['x-forwarded-proto'], trustedIn(request));
  return word?.toLowerCase() === 'https';
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const read = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return parseInt(group, 16);
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const [front, back] = [read(head), read(tail ?? '')];
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
}

/**
 * The key of an address in rate limits (D16): an IPv4 address, also when mapped into IPv6 (RFC
 * 4291, section 2.5.5.2), or the first 64 bits of an IPv6 address, because one client has the rest.
 */
export function limitKeyOf(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address.replace(/%.*$/, ''));
  const [, , , , , marker = 0, high = 0, low = 0] = groups;
  if (marker === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

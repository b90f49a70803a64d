/** How many redirect addresses an application has at most, and how long each is. */
export const REDIRECT_LIMITS = { count: 10, length: 500 } as const;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Hosts that a Content-Security-Policy can name; a `;` in one would write the policy on. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Whether an address may be registered for answers: https anywhere, http on the own machine only,
 * or a scheme of the application's own made of a domain name (RFC 8252, section 7.1; RFC 9700,
 * section 2.6). A fragment would swallow the answer (RFC 6749, section 3.1.2).
 */
export function isRedirectUri(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > REDIRECT_LIMITS.length) return false;
  if (text.includes('#') || text.includes('\\') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, searchParams } = new URL(text);
  // What the answer will add must not be there already.
  if (['code', 'state', 'error', 'iss'].some((name) => searchParams.has(name))) return false;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:' || protocol === 'http:') {
    // Without exactly two slashes, browsers make of it what the page that they are on suggests.
    if (!/^https?:\/\/[^/]/i.test(text) || !HOST.test(hostname)) return false;
    return protocol === 'https:' || LOOPBACK.has(hostname);
  }
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
}

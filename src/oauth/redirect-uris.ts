/** Maximum number of redirect URIs of an application, and maximum length of each. */
export const REDIRECT_LIMITS = { count: 10, length: 500 } as const;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Hosts that are safe in a Content-Security-Policy: a `;` would start another directive. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Whether an application may register a redirect URI: https, http on a loopback host, or a
 * private scheme in reverse domain notation (RFC 8252, section 7.1; RFC 9700, section 2.6).
 * Fragments are not allowed (RFC 6749, section 3.1.2).
 */
export function isRedirectUri(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > REDIRECT_LIMITS.length) return false;
  if (text.includes('#') || text.includes('\\') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, searchParams } = new URL(text);
  // The response adds these parameters, so the address must not contain them.
  if (['code', 'state', 'error', 'iss'].some((name) => searchParams.has(name))) return false;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:' || protocol === 'http:') {
    // Without exactly two slashes, browsers may resolve the address relative to the current page.
    if (!/^https?:\/\/[^/]/i.test(text) || !HOST.test(hostname)) return false;
    return protocol === 'https:' || LOOPBACK.has(hostname);
  }
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
}

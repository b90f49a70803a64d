/** Joins bytes outside of Node's pool: a small part of the pool would keep 64 KB of it in memory. */
export function concatUnpooled(...parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
}

/** Keeps the last of the records that share a key, in the order of first appearance. */
export function dedupeKeepLast<R>(
  records: readonly R[],
  key: (record: R, at: number) => string,
): R[] {
  const last = new Map<string, R>();
  records.forEach((record, at) => last.set(key(record, at), record));
  return [...last.values()];
}

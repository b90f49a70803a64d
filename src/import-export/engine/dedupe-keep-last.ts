/** Of records with the same key the last, in the order of their first appearance. */
export function dedupeKeepLast<R>(
  records: readonly R[],
  key: (record: R, at: number) => string,
): R[] {
  const last = new Map<string, R>();
  records.forEach((record, at) => last.set(key(record, at), record));
  return [...last.values()];
}

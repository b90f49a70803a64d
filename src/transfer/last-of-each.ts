/** Of records with the same key the last, in the order of their first appearance. */
export function lastOfEach<R>(records: readonly R[], key: (record: R) => string): R[] {
  const last = new Map<string, R>();
  for (const record of records) last.set(key(record), record);
  return [...last.values()];
}

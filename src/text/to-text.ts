/** A value as one text: texts unchanged, others as JSON; empty for undefined. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

import { RecordError } from './record';

/**
 * Constraint violations, invalid values and values too large for an index (SQLSTATE classes 22, 23
 * and 54) are errors of the record, not of the service.
 */
export function isAboutData(error: unknown): error is Error {
  if (error instanceof RecordError) return true;
  const code = (error as { code?: unknown }).code;
  return error instanceof Error && typeof code === 'string' && /^(2[23]|54)/.test(code);
}

/** Whether a row with the same unique key exists, perhaps since a moment ago. */
export const isDuplicate = (error: Error): boolean =>
  (error as { code?: unknown }).code === '23505';

/** The reported reason for an error of a record. */
export function reasonOf(error: Error): string {
  const { detail } = error as { detail?: string };
  return detail ?? error.message;
}

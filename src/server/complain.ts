import { errorText } from '../api/errors/error-text';

/** Prints an error as one line without a stack, because most of these are wrong settings. */
export function complain(error: unknown): void {
  process.stderr.write(`commonplace: ${errorText(error)}\n`);
}

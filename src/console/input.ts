import { malformed } from '../api/errors/error-codes';
import { cleanText } from '../api/input/text-input';
import { isDay } from '../api/input/time';

/** One of the choices; the fallback for any other value. */
export function chosen<T extends string, F extends T | undefined>(
  value: unknown,
  choices: readonly T[],
  fallback: F,
): T | F {
  return choices.find((choice) => choice === value) ?? fallback;
}

/** The valid ids among texts. */
export const idsIn = (texts: readonly string[]): number[] =>
  texts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number);

/** An id in a path or form. @throws ApiError 999 for other texts */
export function requireId(text: string): number {
  const [id] = idsIn([text]);
  if (id === undefined) throw malformed('invalid id');
  return id;
}

/** A day in a form, `yyyy-MM-dd`. @throws ApiError 999 naming the field for other texts */
export function requireDay(text: string, name: string): string {
  if (isDay(text)) return text;
  throw malformed(`${name} must be a day like 2026-12-31`);
}

/** A clean text (D9) of a query; empty when it is missing. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? cleanText(value) : '';

import { MAX_JSON_DEPTH } from '../../api/body/json-depth';

/** Maximum size of a record in bytes. A larger record fails, and the import continues after it. */
export const MAX_RECORD_BYTES = 16_777_216;

/** Maximum number of values in a record: a parsed value takes about 60 bytes. */
const MAX_VALUES = 1_000_000;

/** Shorter texts cannot exceed the limit, so their values are not counted. */
const COUNTED_FROM = MAX_VALUES;

/** Maximum size of a batch in bytes, in addition to its maximum number of records. */
export const BATCH_BYTES = 4_194_304;

/**
 * Maximum number of elements that wait for the members after their list. In longer lists elements
 * only see the members before it.
 */
export const MAX_WAITING_ELEMENTS = 5000;

/** Maximum length of a member name that is compared, in bytes. */
export const MAX_KEY_BYTES = 40;

export const TOO_LONG = `longer than ${MAX_RECORD_BYTES / 1_048_576} MB`;
export const TOO_MANY_VALUES = `more than ${MAX_VALUES} values`;
export const TOO_DEEP = `nested deeper than ${MAX_JSON_DEPTH} levels`;
export const NOT_UTF8 = 'not valid UTF-8';

/** 1 for each byte that can precede a value. */
const BEFORE_VALUE = new Uint8Array(256);
for (const byte of Buffer.from('{[,:')) BEFORE_VALUE[byte] = 1;

/** Whether the JSON has too many values. Commas in strings count as well. */
export function hasTooManyValues(json: string): boolean {
  if (json.length < COUNTED_FROM) return false;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) values += BEFORE_VALUE[json.charCodeAt(at)] ?? 0;
  return values > MAX_VALUES;
}

import { MAX_JSON_DEPTH } from '../../api/body/json-depth';

/** Bytes that one record may have at most; a longer one fails, and the import goes on after it. */
export const MAX_RECORD_BYTES = 16_777_216;

/** Values that one record may have at most: parsed, each of them takes some sixty bytes. */
const MAX_VALUES = 1_000_000;

/** Texts below this length cannot have too many values. */
const COUNTED_FROM = MAX_VALUES;

/** Bytes of records that are stored together, beside their number. */
export const BATCH_BYTES = 4_194_304;

export const TOO_LONG = `longer than ${MAX_RECORD_BYTES / 1_048_576} MB`;
export const TOO_MANY_VALUES = `more than ${MAX_VALUES} values`;
export const TOO_DEEP = `nested deeper than ${MAX_JSON_DEPTH} levels`;
export const NOT_UTF8 = 'not valid UTF-8';

/** 1 for each byte that stands before a value. */
const BEFORE_VALUE = new Uint8Array(256);
for (const byte of Buffer.from('{[,:')) BEFORE_VALUE[byte] = 1;

/** Whether JSON has more values than a record may have; commas inside of texts count, too. */
export function hasTooManyValues(json: string): boolean {
  if (json.length < COUNTED_FROM) return false;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) values += BEFORE_VALUE[json.charCodeAt(at)] ?? 0;
  return values > MAX_VALUES;
}

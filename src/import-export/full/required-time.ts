import { RecordError, type RecordReader } from '../engine/record';

const DAY = String.raw`(\d{4}-\d\d-\d\d|10000-01-01)`;
const TIME_OF_DAY = String.raw`\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d){0,2})?`;
const TIME = new RegExp(`^${DAY}([T ]${TIME_OF_DAY})?( BC)?$`);
/** Before Christ only the last day, in another time zone. */
const OTHER_BC = /^(?!0001-12-31).* BC$/;

/**
 * The time in a member, as PostgreSQL writes it in JSON.
 *
 * @throws RecordError for text that is not a time: PostgreSQL also accepts `infinity` and `now`. In
 *   other time zones, the ends of the years 1 to 9999 are in the years 1 BC and 10000
 */
export function requiredTime(reader: RecordReader, name: string): string {
  const value = reader.raw(name);
  if (typeof value !== 'string' || !TIME.test(value) || OTHER_BC.test(value))
    throw new RecordError(`${name} must be a time`);
  return value;
}

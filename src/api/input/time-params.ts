import { parameter, type Composite } from './parameter';
import { isDay, parseLocalTime, parseRfc3339 } from './time';

/**
 * An instant in RFC 3339 with any offset (D1). With `local`, a time without an offset is valid too:
 * its value is a text, which PostgreSQL reads in `TIME_ZONE` (D42).
 */
export const Instant = ({
  local = false,
  ...options
}: Composite & { local?: boolean } = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: local ? { type: 'string' } : { type: 'string', format: 'date-time' },
    expects: `an RFC 3339 date-time, such as 2013-12-25T22:09:04${local ? '' : '+08:00'}`,
    read: (raw) => parseRfc3339(raw.trim()) ?? (local ? parseLocalTime(raw.trim()) : undefined),
  });

/** A calendar date, `yyyy-MM-dd`. */
export const Day = (options: Composite = {}): PropertyDecorator =>
  parameter({
    ...options,
    schema: { type: 'string', format: 'date' },
    expects: 'a day of the calendar, such as 2013-12-25',
    read: (raw) => (isDay(raw.trim()) ? raw.trim() : undefined),
  });

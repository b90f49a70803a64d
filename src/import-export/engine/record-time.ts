import { isWireTime } from '../../api/input/time';

const FORMAT = `'YYYY-MM-DD HH24:MI:SS'`;
const yearOf = (time: string): string => `extract(year FROM ${time})`;

/**
 * SQL that formats a timestamp for exports: like responses, in the connection's time zone. A time
 * of the years 1 to 9999 of one time zone may be in the year 10000 or 1 BC of another one. Such
 * times are in UTC, in the format of PostgreSQL: `10000-01-01 04:59:59+00`, `0001-12-31 15:54:17+00
 * BC`.
 */
export const recordTime = (column: string): string => {
  const utc = `(${column} AT TIME ZONE 'UTC')`;
  return `CASE WHEN ${yearOf(column)} BETWEEN 1 AND 9999 THEN to_char(${column}, ${FORMAT})
    ELSE to_char(${utc}, ${FORMAT} || CASE WHEN ${yearOf(utc)} < 0 THEN '"+00 BC"' ELSE '"+00"' END) END`;
};

// Time zones differ from UTC by less than a day.
const UTC_TIMES = /^(?:0001-12-31 (.{8})\+00 BC|(?:0001-01-01|9999-12-31|10000-01-01) (.{8})\+00)$/;

/** Whether a text is a time as {@link recordTime} writes it. */
export function isRecordTime(text: string): boolean {
  const [, before, after] = UTC_TIMES.exec(text) ?? [];
  const time = before ?? after;
  return isWireTime(time === undefined ? text : `2000-01-01 ${time}`);
}

/** The year as five digits, 1 BC as 0, then the rest: texts are ordered like times. */
function sortKey(time: string): string {
  const [year = '', ...rest] = time.split('-');
  const astronomical = time.endsWith('BC') ? 1 - Number(year) : Number(year);
  return [String(astronomical).padStart(5, '0'), ...rest].join('-');
}

/** Whether a time of a record is before another one in the same time zone. */
export const isRecordTimeBefore = (one: string, other: string): boolean =>
  sortKey(one) < sortKey(other);

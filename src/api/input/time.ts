const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,20})?$/;
const WIRE = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;

/** Length of a month, with leap years; month 1 to 12. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function isCivil(parts: readonly number[], lastSecond: number): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= lastSecond
  );
}

/**
 * Parses an RFC 3339 `date-time` with any offset (D1); undefined for other text. A space before the
 * offset counts as `+`, because clients forget to encode it. Fractions have millisecond precision;
 * a leap second counts as the next second.
 */
export function parseRfc3339(text: string): Date | undefined {
  const match = RFC_3339.exec(text.replace(/ (\d{2}:\d{2})$/, '+$1'));
  if (!match) return undefined;
  const civil = match.slice(1, 7).map(Number);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = civil;
  const offsetHour = Number(match[10] ?? 0);
  const offsetMinute = Number(match[11] ?? 0);
  if (!isCivil(civil, 60) || offsetHour > 23 || offsetMinute > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Math.floor(Number(`0${match[7] ?? ''}`) * 1000));
  const offset = (offsetHour * 60 + offsetMinute) * (match[9] === '-' ? -1 : 1);
  const instant = new Date(date.getTime() - offset * 60_000);
  // An offset can move the first and last day of the calendar out of PostgreSQL's range.
  const at = instant.getUTCFullYear();
  return at >= 1 && at <= 9999 ? instant : undefined;
}

/**
 * Parses an RFC 3339 `date-time` without an offset (D42) to `yyyy-MM-dd HH:mm:ss` with an optional
 * fraction; undefined for other text.
 */
export function parseLocalTime(text: string): string | undefined {
  const match = LOCAL.exec(text);
  const isValid = match !== null && isCivil(match.slice(1, 7).map(Number), 60);
  return isValid ? text.replace(/[Tt]/, ' ') : undefined;
}

/** Whether a text is a timestamp in the format of responses, `yyyy-MM-dd HH:mm:ss` (D1). */
export function isWireTime(text: string): boolean {
  const match = WIRE.exec(text);
  return match !== null && isCivil(match.slice(1, 7).map(Number), 59);
}

/** Whether a text is a calendar date, `yyyy-MM-dd`. */
export const isDay = (text: string): boolean => isWireTime(`${text} 00:00:00`);

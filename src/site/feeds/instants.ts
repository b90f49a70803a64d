/** Formats the offset of a time zone, such as `GMT+08:00`; `GMT` without one. */
const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });

/**
 * Milliseconds by which the clocks of a time zone (IANA) are ahead of UTC at an instant. The offset
 * is formatted and not computed from a formatted date, whose year is ambiguous before the year 1.
 */
function offsetAt(instant: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name.replace('\u2212', '-')) ?? [];
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The instant of a time of the API, `yyyy-MM-dd HH:mm:ss` in the time zone of the service. The start
 * of 1970 for an empty time.
 */
export function instantOf(time: string, timeZone: string): Date {
  const local = Date.parse(`${time.replace(' ', 'T')}Z`);
  if (Number.isNaN(local)) return new Date(0);
  const guess = local - offsetAt(local, timeZone);
  return new Date(local - offsetAt(guess, timeZone));
}

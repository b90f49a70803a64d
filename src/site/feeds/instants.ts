/** Milliseconds by which the clocks of a time zone (IANA) are ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const written = new Date(instant).toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${written.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
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

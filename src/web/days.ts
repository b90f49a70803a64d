/** Writes days as `yyyy-MM-dd` in a time zone (an IANA name). */
export function dayWriter(timeZone: string): (date: Date) => string {
  // Swedish dates are ISO dates.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (date) => format.format(date);
}

/** Formats days as `yyyy-MM-dd` in an IANA time zone. */
export function dayWriter(timeZone: string): (date: Date) => string {
  // The Swedish locale uses the ISO format.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (date) => format.format(date);
}

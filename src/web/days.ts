/** Formats days as `yyyy-MM-dd` in an IANA time zone. */
export function dayWriter(timeZone: string): (date: Date) => string {
  // The Swedish locale uses the ISO format.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (date) => format.format(date);
}

/** Formats times as `yyyy-MM-dd HH:mm:ss` in an IANA time zone, as the API does. */
export function timeWriter(timeZone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (time) => format.format(time);
}

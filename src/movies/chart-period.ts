const DAY = 24 * 60 * 60 * 1000;

const written = (date: Date): string => `${date.getUTCMonth() + 1}月${date.getUTCDate()}日`;

/**
 * The weekend that a box-office chart of a day is of (D36): the latest Friday to Sunday that is over
 * on that day or ends with it, as `M月D日 - M月D日`. Empty for no day.
 *
 * @param date `yyyy-MM-dd`
 */
export function weekendOf(date: string): string {
  if (date === '') return '';
  const day = new Date(`${date}T00:00:00Z`);
  const sunday = new Date(day.getTime() - day.getUTCDay() * DAY);
  const friday = new Date(sunday.getTime() - 2 * DAY);
  return `${written(friday)} - ${written(sunday)}`;
}

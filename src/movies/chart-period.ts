const DAY = 24 * 60 * 60 * 1000;

const written = (date: Date): string => `${date.getUTCMonth() + 1}月${date.getUTCDate()}日`;

/**
 * The weekend of a box-office chart (D36): the latest Friday to Sunday that ends on or before the
 * day, as `M月D日 - M月D日`. Empty without a day.
 * @param date `yyyy-MM-dd`
 */
export function weekendOf(date: string): string {
  if (date === '') return '';
  const day = new Date(`${date}T00:00:00Z`);
  const sunday = new Date(day.getTime() - day.getUTCDay() * DAY);
  const friday = new Date(sunday.getTime() - 2 * DAY);
  return `${written(friday)} - ${written(sunday)}`;
}

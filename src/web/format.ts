const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes with its unit: 7.6 MB. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** Formats a number for a language: 12,345. */
export const formatNumber = (lang: string, value: number): string => value.toLocaleString(lang);

/** Charts (D36) by their path names. */
export const CHART_NAMES = [
  'top250',
  'us_box',
  'weekly',
  'new_movies',
  'in_theaters',
  'coming_soon',
] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** Charts that can be computed from stored data; the box office cannot. */
export type ComputedChart = Exclude<ChartName, 'us_box'>;
export const COMPUTED = CHART_NAMES.filter((name): name is ComputedChart => name !== 'us_box');

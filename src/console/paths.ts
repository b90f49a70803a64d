/** Paths of the console. */
export const CONSOLE = {
  today: '/admin',
  setup: '/admin/setup',
  style: '/admin/style.css',
  script: '/admin/console.js',
  queue: '/admin/queue',
  reports: '/admin/reports',
  applications: '/admin/applications',
  users: '/admin/users',
  catalogue: '/admin/catalogue',
  transfers: '/admin/transfers',
  words: '/admin/words',
  settings: '/admin/settings',
  log: '/admin/log',
} as const;

/** An address with the parameters that have a value. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const entries = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return entries.length === 0 ? path : `${path}?${query.toString()}`;
}

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
  series: '/admin/series',
  showings: '/admin/showings',
  charts: '/admin/charts',
  transfers: '/admin/transfers',
  words: '/admin/words',
  settings: '/admin/settings',
  log: '/admin/log',
} as const;

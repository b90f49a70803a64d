/** Pages of the console. */
export const CONSOLE_PAGES: readonly string[] = [
  '/admin',
  '/admin/queue',
  '/admin/reports',
  '/admin/applications',
  '/admin/applications/:clientId',
  '/admin/users',
  '/admin/users/:id',
  '/admin/log',
  '/admin/log/export',
  '/admin/settings',
  '/admin/words',
];

/** Forms of the console. */
export const CONSOLE_FORMS: readonly string[] = [
  '/admin/queue/decide',
  '/admin/reports/resolve',
  '/admin/applications/:clientId/decide',
  '/admin/applications/:clientId/block',
  '/admin/applications/:clientId/unblock',
  '/admin/applications/:clientId/limit',
  '/admin/users/:id/block',
  '/admin/users/:id/unblock',
  '/admin/users/:id/role',
  '/admin/settings/limits/:name',
  '/admin/words/add',
  '/admin/words/remove',
];

/** Forms that ask for the password when it was entered more than 15 minutes ago. */
export const DANGEROUS_FORMS: readonly string[] = [
  '/admin/applications/:clientId/block',
  '/admin/users/:id/block',
  '/admin/users/:id/role',
  '/admin/settings/limits/:name',
];

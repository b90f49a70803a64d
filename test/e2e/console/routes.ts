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
  '/admin/catalogue',
  '/admin/catalogue/:type/:id',
  '/admin/transfers',
  '/admin/transfers/jobs/:id',
  '/admin/transfers/jobs/:id/errors',
  '/admin/transfers/files/:name',
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
  '/admin/catalogue/:type/:id/preview',
  '/admin/catalogue/:type/:id/save',
  '/admin/catalogue/:type/:id/delete',
  '/admin/catalogue/:type/:id/restore',
  '/admin/transfers/preview',
  '/admin/transfers/start',
  '/admin/transfers/jobs/:id/cancel',
];

/** Forms that ask for the password when it was entered more than 15 minutes ago. */
export const DANGEROUS_FORMS: readonly string[] = [
  '/admin/applications/:clientId/block',
  '/admin/users/:id/block',
  '/admin/users/:id/role',
  '/admin/settings/limits/:name',
  '/admin/catalogue/:type/:id/delete',
  '/admin/transfers/start',
];

/** Pages of the console. */
export const CONSOLE_PAGES: readonly string[] = ['/admin', '/admin/queue', '/admin/reports'];

/** Forms of the console. */
export const CONSOLE_FORMS: readonly string[] = ['/admin/queue/decide', '/admin/reports/resolve'];

/** Forms that ask for the password when it was entered more than 15 minutes ago. */
export const DANGEROUS_FORMS: readonly string[] = [];

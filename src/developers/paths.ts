import { PATHS } from '../web/layout';

/** The tabs of an application's page, in their order; `overview` has the address of the application. */
export const TABS = ['overview', 'keys', 'permissions', 'use', 'failures', 'settings'] as const;
export type Tab = (typeof TABS)[number];

/** The path of an application's page. */
export const pathOf = (clientId: string, tab: Tab = 'overview'): string =>
  `${PATHS.developer}/applications/${encodeURIComponent(clientId)}${tab === 'overview' ? '' : `/${tab}`}`;

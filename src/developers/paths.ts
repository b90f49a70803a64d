import { PATHS } from '../web/layout';

/** The tabs of an application's page, in their order; `overview` has the address of the application. */
export const TABS = ['overview', 'keys', 'permissions', 'use', 'failures', 'settings'] as const;
export type Tab = (typeof TABS)[number];

/** The tabs of a test key; the others are those of its application. */
export const TEST_TABS: readonly Tab[] = ['keys', 'use', 'failures'];

/** The path of an application's page. */
export const pathOf = (clientId: string, tab: Tab = 'overview'): string =>
  `${PATHS.developer}/applications/${encodeURIComponent(clientId)}${tab === 'overview' ? '' : `/${tab}`}`;

/** English texts of the developer's pages. The texts shared with other pages are in `web/messages.en.ts`. */
export const DEVELOPERS_EN = {
  lang: 'en',
  tabs: {
    label: 'Parts of this app',
    overview: 'Overview',
    keys: 'Keys',
    permissions: 'Permissions',
    use: 'Usage',
    failures: 'Recent errors',
    settings: 'Settings',
  },
  blockedSince: (day: string) => `Blocked since ${day}.`,
  blockedEffect: 'Its key, its secrets and all of its tokens are rejected with error code 105.',
  secretTime:
    'Store it in a safe place now. This page shows it for 10 minutes, only in this browser; it cannot be shown again.',
  secretStored: 'I have stored the secret',
  secretHidden: 'The secret is no longer shown.',
  requests30: 'Requests, 30 days',
  rejected30: 'Rejected by limits, 30 days',
  scopesHeld: 'Permissions',
  waiting: 'Pending requests',
  granted: 'Granted',
  grantedNone: 'This app has no permissions.',
  asked: 'Waiting for a decision',
  refused: 'Declined or suspended',
  because: (reason: string) => `Reason: ${reason}`,
  on: (day: string) => `on ${day}`,
  details: 'Name and presentation',
  homepage: 'Home page',
  homepageHint: 'A page about the app, with https://. The authorization page links to it.',
  badHomepage: 'The home page must be an address with https:// and at most 300 characters.',
  description: 'Description',
  descriptionHint:
    'What the app does, in at most 300 characters. Users see it on the authorization page.',
  badDescription: 'The description must have at most 300 characters.',
  bannedDescription: 'The description contains a word that is not allowed.',
  delete: 'Delete this app',
  deleteHint:
    'Its key, secrets and tokens stop working immediately, and its usage is deleted. This cannot be undone.',
  deleteConfirm: (name: string) => `Enter the name of the app to confirm: ${name}`,
  deleteButton: 'Delete app',
  deleteMismatch: 'The name does not match. The app was not deleted.',
  deleteBlocked: 'A blocked app cannot be deleted.',
  deleted: 'The app is deleted.',
};

/** Texts of the developer's pages; every language has all of them. */
export type DevelopersMessages = typeof DEVELOPERS_EN;

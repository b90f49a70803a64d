/** Expected access to a route with a key, with a token, and without either. */
export const CALLERS = [
  'nobody',
  'unknown key',
  'blocked key',
  'good key',
  'unknown token',
  'expired token',
  'revoked token',
  'token of a blocked user',
  'token of a blocked application',
  'token without the scope',
  'token with the scope',
  'token of a member with the scope',
  'token of the application itself',
  'token, never approved',
  'token, approval suspended',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** `in`: the response of the route. Otherwise status and code of a refusal. */
export type Cell = 'in' | readonly [status: number, code: number];
export type Cells = Readonly<Record<CallerName, Cell>>;

const NEED_PERMISSION = [403, 1000] as const;
const NOT_THERE = [404, 1001] as const;

/** Errors of keys and tokens are the same on every route (D13, D15). */
const WRONG = {
  'unknown key': [401, 104],
  'blocked key': [403, 105],
  'unknown token': [401, 103],
  'expired token': [401, 106],
  'revoked token': [401, 103],
  'token of a blocked user': [401, 122],
  'token of a blocked application': [403, 105],
} as const;

/** A read that is open to anybody (D12). */
const openRead: Cells = {
  ...WRONG,
  nobody: 'in',
  'good key': 'in',
  'token without the scope': NEED_PERMISSION,
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': 'in',
  'token, never approved': NEED_PERMISSION,
  'token, approval suspended': NEED_PERMISSION,
};

/** Routes that require a token without a user. A key does not replace the token (D15). */
const closed: Cells = {
  ...WRONG,
  nobody: NEED_PERMISSION,
  'good key': NEED_PERMISSION,
  'token without the scope': NEED_PERMISSION,
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': 'in',
  'token, never approved': NEED_PERMISSION,
  'token, approval suspended': NEED_PERMISSION,
};

/** Routes that require a user. */
const needsUser: Cells = {
  ...WRONG,
  nobody: NEED_PERMISSION,
  'good key': NEED_PERMISSION,
  'token without the scope': NEED_PERMISSION,
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': NEED_PERMISSION,
  'token, never approved': NEED_PERMISSION,
  'token, approval suspended': NEED_PERMISSION,
};

/** The administration API: of a user who is an administrator. */
const admin: Cells = {
  ...needsUser,
  'token of a member with the scope': NEED_PERMISSION,
};

/** Notes: where the approval is missing, they are not there (section 5, item 8; D15). */
const note: Cells = {
  ...WRONG,
  nobody: NEED_PERMISSION,
  'good key': NEED_PERMISSION,
  'token without the scope': NEED_PERMISSION,
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': NEED_PERMISSION,
  'token, never approved': NOT_THERE,
  'token, approval suspended': NOT_THERE,
};

/** A path of the interface that asks for nothing; what is given must be right all the same. */
const openToAll: Cells = {
  ...WRONG,
  nobody: 'in',
  'good key': 'in',
  'token without the scope': 'in',
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': 'in',
  'token, never approved': 'in',
  'token, approval suspended': 'in',
};

/** Routes that require a user and no scope. */
const anyUser: Cells = {
  ...openToAll,
  nobody: NEED_PERMISSION,
  'good key': NEED_PERMISSION,
  'token of the application itself': NEED_PERMISSION,
};

/** A page: it knows neither keys nor tokens. */
const page: Cells = {
  nobody: 'in',
  'unknown key': 'in',
  'blocked key': 'in',
  'good key': 'in',
  'unknown token': 'in',
  'expired token': 'in',
  'revoked token': 'in',
  'token of a blocked user': 'in',
  'token of a blocked application': 'in',
  'token without the scope': 'in',
  'token with the scope': 'in',
  'token of a member with the scope': 'in',
  'token of the application itself': 'in',
  'token, never approved': 'in',
  'token, approval suspended': 'in',
};

const MISMATCH = [401, 116] as const;

/** An endpoint of the authorization server: clients come with their secret, not with a token. */
const client: Cells = {
  nobody: 'in',
  'unknown key': 'in',
  'blocked key': 'in',
  'good key': 'in',
  'unknown token': MISMATCH,
  'expired token': MISMATCH,
  'revoked token': MISMATCH,
  'token of a blocked user': MISMATCH,
  'token of a blocked application': MISMATCH,
  'token without the scope': MISMATCH,
  'token with the scope': MISMATCH,
  'token of a member with the scope': MISMATCH,
  'token of the application itself': MISMATCH,
  'token, never approved': MISMATCH,
  'token, approval suspended': MISMATCH,
};

export const KINDS = {
  openRead,
  closed,
  needsUser,
  admin,
  note,
  openToAll,
  anyUser,
  page,
  client,
} as const;
export type Kind = keyof typeof KINDS;

/** Scopes of the service (specification section 5). */
export const SCOPES = [
  'book_basic_r',
  'book_basic_w',
  'service_basic_common',
  'community_basic_note',
  'event_basic_r',
  'event_basic_w',
  'movie_basic_r',
  'movie_basic_w',
  'movie_advance_r',
  'movie_advance_w',
  'movie_premium_r',
  'movie_premium_w',
] as const;

/**
 * Scope of the administration API, for administrators only. It is not in {@link SCOPES}: no
 * default, listing or self-service may contain it.
 */
export const ADMIN_SCOPE = 'admin';

/** Every scope that a token can have. */
export const ALL_SCOPES = [...SCOPES, ADMIN_SCOPE] as const;
export type Scope = (typeof ALL_SCOPES)[number];

/** Roles of users. */
export const ROLES = ['member', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Scopes that an application has unless an administrator decides otherwise. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  'book_basic_r',
  'book_basic_w',
  'service_basic_common',
  'community_basic_note',
  'event_basic_r',
  'event_basic_w',
  'movie_basic_r',
];

/** Scopes whose GETs are open to anonymous callers (D12). */
export const OPEN_SCOPES: ReadonlySet<Scope> = new Set([
  'book_basic_r',
  'event_basic_r',
  'movie_basic_r',
]);

/** Movie tiers (section 5, item 6): a set, not an order (D14). */
export const TIERS = ['basic', 'advance', 'premium'] as const;
export type Tier = (typeof TIERS)[number];

/** Tiers in the order of preference where an endpoint allows several: most members first (D14). */
const MAX_FIELDS_FIRST: readonly Tier[] = ['premium', 'advance', 'basic'];

/** Levels of an application (D16, D18). */
export const LEVELS = ['L1', 'L2', 'L3'] as const;
export type Level = (typeof LEVELS)[number];

export interface CallingApplication {
  readonly id: number;
  readonly clientId: string;
  readonly level: Level;
  /** Approved scopes: no token of the application can use others (D15). */
  readonly scopes: ReadonlySet<string>;
  readonly blocked: boolean;
  /** Why it is blocked, and a mail or web address for its developer (D120). */
  readonly blockedReason?: string;
  readonly blockedContact?: string;
  /** Requests per hour; null means the limit of its level, 0 means no limit (D16). */
  readonly limitPerHour: number | null;
  /** Whether it is a test key, whose requests may ask for errors (D171). */
  readonly isTest?: boolean;
}

export interface CallingUser {
  readonly id: number;
  readonly uid: string;
  /** The current role, not the role when the token was issued. */
  readonly role: Role;
}

/** The caller of a request: anonymous, an application, or a user through an application. */
export interface Caller {
  /** True when a valid token came with the request. */
  readonly hasToken: boolean;
  readonly application?: CallingApplication;
  readonly user?: CallingUser;
  /** Scopes of the token; empty without one. */
  readonly scopes: ReadonlySet<string>;
}

export const ANONYMOUS: Caller = { hasToken: false, scopes: new Set<string>() };

const MOVIE_SCOPE_TIERS: readonly (readonly [Tier, readonly Scope[]])[] = [
  ['basic', ['movie_basic_r', 'movie_basic_w']],
  ['advance', ['movie_advance_r', 'movie_advance_w']],
  ['premium', ['movie_premium_r', 'movie_premium_w']],
];

/**
 * Tiers of a caller: those of the token's movie scopes that are approved for its application.
 * Without a token, basic (D14). An apikey grants no further tier (D15).
 */
export function tiersOf(caller: Caller): ReadonlySet<Tier> {
  if (!caller.hasToken) return new Set<Tier>(['basic']);
  const holds = (scope: Scope): boolean =>
    caller.scopes.has(scope) && (caller.application?.scopes.has(scope) ?? false);
  return new Set(
    MOVIE_SCOPE_TIERS.filter(([, scopes]) => scopes.some(holds)).map(([tier]) => tier),
  );
}

/** The tier that applies where `allowed` are accepted, or undefined when none does (D14). */
export function chooseTier(caller: Caller, allowed: readonly Tier[]): Tier | undefined {
  const tiers = tiersOf(caller);
  return MAX_FIELDS_FIRST.find((tier) => tiers.has(tier) && allowed.includes(tier));
}

/**
 * Looks up callers for the guards. Implemented by the `oauth` module, which the HTTP contract must
 * not import.
 */
export abstract class CallerDirectory {
  /**
   * The cached caller of a complete `Authorization` header, or undefined when passport has to
   * validate the header.
   */
  abstract remembered(authorization: string): Caller | undefined;

  /**
   * The caller behind an `Authorization` header.
   *
   * @throws ApiError 103 for no valid caller, 106, 122, 105 (D13, D15)
   */
  abstract byAuthorization(authorization: string): Promise<Caller>;

  /** @throws ApiError 104 when the key is not found, 105 when it is blocked (D15) */
  abstract byApikey(apikey: string): Promise<CallingApplication>;
}

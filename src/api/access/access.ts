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
 * Scope of the administration API: beside the contract's, so that no default, no list of what there
 * is and no self-service ever names it. It lets in administrators alone.
 */
export const ADMIN_SCOPE = 'admin';

/** Every scope that a token can have. */
export const ALL_SCOPES = [...SCOPES, ADMIN_SCOPE] as const;
export type Scope = (typeof ALL_SCOPES)[number];

/** What a user may be. */
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

/** Of several tiers that an endpoint allows, the one that sees most comes first (D14). */
const MAX_FIELDS_FIRST: readonly Tier[] = ['premium', 'advance', 'basic'];

/** Levels of an application (D16, D18). */
export const LEVELS = ['L1', 'L2', 'L3'] as const;
export type Level = (typeof LEVELS)[number];

export interface CallingApplication {
  readonly id: number;
  readonly clientId: string;
  readonly level: Level;
  /** Scopes it is approved for; a token can do no more (D15). */
  readonly scopes: ReadonlySet<string>;
  readonly blocked: boolean;
  /** Calls an hour instead of its level's; null for the level's, 0 for no limit (D16). */
  readonly limitPerHour: number | null;
}

export interface CallingUser {
  readonly id: number;
  readonly uid: string;
  /** What the user is now, whenever the token was issued. */
  readonly role: Role;
}

/** Who makes a request: nobody in particular, an application, or a user through one. */
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
 * Tiers of a caller: those of the token's movie scopes that its application is approved for;
 * without a token, basic (D14). An apikey grants none (D15).
 */
export function tiersOf(caller: Caller): ReadonlySet<Tier> {
  if (!caller.hasToken) return new Set<Tier>(['basic']);
  const holds = (scope: Scope): boolean =>
    caller.scopes.has(scope) && (caller.application?.scopes.has(scope) ?? false);
  return new Set(
    MOVIE_SCOPE_TIERS.filter(([, scopes]) => scopes.some(holds)).map(([tier]) => tier),
  );
}

/** The tier that applies where `allowed` are let in, or undefined when none does (D14). */
export function chooseTier(caller: Caller, allowed: readonly Tier[]): Tier | undefined {
  const tiers = tiersOf(caller);
  return MAX_FIELDS_FIRST.find((tier) => tiers.has(tier) && allowed.includes(tier));
}

/**
 * Where the guards look callers up. Implemented by the `oauth` module, which the HTTP contract
 * must not import.
 */
export abstract class CallerDirectory {
  /**
   * A caller known from a moment ago, by its whole `Authorization` header, or undefined when the
   * header has to go through passport.
   */
  abstract remembered(authorization: string): Caller | undefined;

  /**
   * The caller behind an `Authorization` header.
   *
   * @throws ApiError 103 when there is none, 106, 122, 105 (D13, D15)
   */
  abstract byAuthorization(authorization: string): Promise<Caller>;

  /** @throws ApiError 104 for an unknown key, 105 for a blocked one (D15) */
  abstract byApikey(apikey: string): Promise<CallingApplication>;
}

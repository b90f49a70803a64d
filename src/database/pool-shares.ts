import { siteOf } from '../api/http/client-networks';
import { isAdminPath, isApiPath, type RequestContext } from '../api/http/request-context';
import { type Route } from '../api/routing/route-table';

/**
 * Fraction of the pool, and of its queue, that requests of one kind may use at once, so that some
 * connections remain for others:
 *
 * - `area`: one area of the API. A locked table only stops the areas that use it.
 * - `admin`: the administration API, whose lists and searches may scan tables.
 * - Routes declared as expensive have a further share in addition to that of their area.
 * - `addressSearches`: the searches of one address, so that no address takes the share of all
 *   searches.
 * - `addressLists`: the expensive lists of one address, except those of the administration API.
 * - `addressPages`: requests of one address for pages, and others outside the API.
 * - `addressTokenRequests`: requests of one application to the authorization server, and of one
 *   address until the secret of the application is verified. Servers of applications request many
 *   tokens from one address, so that the share is larger than that of pages.
 * - `addressAdminLookups`: look-ups of tokens for the administration API, of one address. These
 *   routes have no rate limit, so one address with wrong tokens could take all connections.
 * - `unstored`: searches that cannot be stored, so that each request evaluates them. They have a
 *   share in addition to that of all searches.
 * - `addressUnstoredSearches`: those of one address.
 */
export const POOL_SHARES = {
  area: 0.7,
  admin: 0.4,
  search: 0.4,
  list: 0.5,
  addressSearches: 0.2,
  addressLists: 0.25,
  addressPages: 0.35,
  addressTokenRequests: 0.5,
  addressAdminLookups: 0.2,
  unstored: 0.2,
  addressUnstoredSearches: 0.1,
} as const;

/** Why a statement has a smaller share than others of its route. */
export type StatementUse = 'unstored';

/** Area of the endpoints of the authorization server, which must not wait for pages. */
const OAUTH_AREA = 'oauth';

/** The area of all other routes outside the API and the administration API. */
const OTHER_AREA = 'service';

/** Kinds of the shares of addresses in areas whose routes are not expensive. */
const ADDRESS_SHARES: ReadonlyMap<string, keyof typeof POOL_SHARES> = new Map([
  [OTHER_AREA, 'addressPages'],
  [OAUTH_AREA, 'addressTokenRequests'],
]);

/** Kinds of shares that are only for some requests of a route. */
const PARTS: readonly (keyof typeof POOL_SHARES)[] = [
  'addressSearches',
  'addressLists',
  'addressPages',
  'addressTokenRequests',
  'addressAdminLookups',
  'unstored',
  'addressUnstoredSearches',
];

/** Whether a route is neither of the API nor of the administration API. */
const isOther = (route: Route | undefined): boolean =>
  !route || !(isApiPath(route.path) || isAdminPath(route.path));

/** The area of a route, by which its requests share connections. */
function areaOf(route: Route | undefined): string {
  if (!route || isOther(route)) return route?.oauthErrors ? OAUTH_AREA : OTHER_AREA;
  return route.area;
}

/** Name of the share of a route. */
const nameOf = (route: Route | undefined): string =>
  route?.expensive ? `${areaOf(route)} ${route.expensive}` : areaOf(route);

/** Weight of the latest use of a connection in the moving average. */
const LATEST = 0.1;

/** Shares of addresses from which on those without requests are deleted. */
const MIN_SWEPT = 1000;

/** Numbers of requests that entered and left a queue, to predict how long others wait. */
export class Pace {
  waiting = 0;
  /** Number of admitted waiters, and of all that left. */
  admitted = 0;
  left = 0;
}

/** A share of the pool, and its current use. It is a part of its parent. */
export class Share {
  running = 0;
  /** Waiting requests that delay others: of each part only as many as the part can run at once. */
  waiting = 0;
  /** All waiting requests, which the length of the queue bounds. */
  queued = 0;
  /** Moving average of the use of a connection in milliseconds. */
  private averageMs = 0;
  /** Pace of the requests of the route: those of one address are too few to measure it. */
  readonly pace: Pace;
  /** It and the shares that it is a part of. */
  readonly withParents: readonly Share[];

  /** @param isPart whether it is only for some requests of a route, such as those of an address */
  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    readonly parent?: Share,
    readonly isPart = false,
  ) {
    this.pace = isPart && parent ? parent.pace : new Pace();
    this.withParents = [this, ...(parent?.withParents ?? [])];
  }

  /** The share of the area. */
  get area(): Share {
    return this.parent?.area ?? this;
  }

  /** Whether it has no requests. */
  get isIdle(): boolean {
    return this.running === 0 && this.queued === 0;
  }

  get hasRoom(): boolean {
    return this.usedUp === undefined;
  }

  /** The largest of the shares without room that a request counts in. */
  get usedUp(): Share | undefined {
    return this.parent?.usedUp ?? (this.running < this.maxRunning ? undefined : this);
  }

  /** Expected wait of another request in milliseconds. */
  get expectedWaitMs(): number {
    return ((this.waiting + 1) * this.averageMs) / this.maxRunning;
  }

  /** A request takes a connection. */
  take(): void {
    this.running += 1;
    this.parent?.take();
  }

  /** A request returns its connection. @param ms time for which it was used */
  giveBack(ms: number): void {
    this.running -= 1;
    this.averageMs += (ms - this.averageMs) * LATEST;
    this.parent?.giveBack(ms);
  }

  /** A request begins to wait. */
  addWaiting(): void {
    for (const share of this.withParents) share.queued += 1;
    this.addDelaying();
  }

  /** A request no longer waits. */
  removeWaiting(): void {
    for (const share of this.withParents) share.queued -= 1;
    this.removeDelaying();
  }

  private addDelaying(): void {
    this.waiting += 1;
    if (!this.isPart || this.waiting <= this.maxRunning) this.parent?.addDelaying();
  }

  private removeDelaying(): void {
    this.waiting -= 1;
    if (!this.isPart || this.waiting < this.maxRunning) this.parent?.removeDelaying();
  }
}

/**
 * Whether the reads of two requests may use one share: both are for the same route, and either the
 * route has no shares by address or both come from one address.
 */
export function haveSameShare(one: RequestContext, other: RequestContext): boolean {
  const { route, addressKey } = one;
  if (route !== other.route) return false;
  const isOrdinary = route !== undefined && isApiPath(route.path) && !route.expensive;
  return isOrdinary || addressKey === other.addressKey;
}

/** Shares of addresses and applications. Those without requests are deleted from time to time. */
class SharesOfRequesters {
  private readonly shares = new Map<string, Share>();
  private sweepAt = MIN_SWEPT;

  of(key: string, create: () => Share): Share {
    let share = this.shares.get(key);
    if (!share) {
      if (this.shares.size >= this.sweepAt) this.sweep();
      this.shares.set(key, (share = create()));
    }
    return share;
  }

  private sweep(): void {
    for (const [key, share] of this.shares) if (share.isIdle) this.shares.delete(key);
    this.sweepAt = Math.max(MIN_SWEPT, 2 * this.shares.size);
  }
}

/**
 * The shares of requests: by route, for searches, lists and pages also by address, and for tokens
 * by application. IPv6 networks of 48 bits count as one address: a site can send from 65,536 smaller
 * ones, each of which would have a share.
 */
export class SharesOfRoutes {
  private readonly byName = new Map<string, Share>();
  private readonly byRoute = new Map<Route | undefined, Share>();
  private readonly ofRequesters = new SharesOfRequesters();

  /**
   * @param size number of connections of the pool
   * @param length length of its queue
   */
  constructor(
    private readonly size: number,
    private readonly length: number,
  ) {}

  /** The share of a request, or of a statement of it. */
  of(context: RequestContext, use?: StatementUse): Share {
    const { route, addressKey } = context;
    let share = this.byRoute.get(route);
    if (!share) this.byRoute.set(route, (share = this.find(route)));
    const name = nameOf(route);
    if (route?.expensive === 'search') return this.ofSearch(name, siteOf(addressKey), share, use);
    if (route && isAdminPath(route.path)) {
      if (context.caller.hasToken) return share;
      const ofAdmin = this.share(areaOf(route), 'admin');
      return this.ofRequester(
        `${areaOf(route)} ${siteOf(addressKey)}`,
        ofAdmin,
        'addressAdminLookups',
      );
    }
    const kind = route?.expensive ? 'addressLists' : ADDRESS_SHARES.get(name);
    if (kind === undefined) return share;
    const { authenticatedClient } = context;
    const isClient = name === OAUTH_AREA && authenticatedClient !== undefined;
    const requester = isClient ? `#${authenticatedClient}` : siteOf(addressKey);
    return this.ofRequester(`${name} ${requester}`, share, kind);
  }

  private ofSearch(name: string, site: string, share: Share, use?: StatementUse): Share {
    if (!use) return this.ofRequester(`${name} ${site}`, share, 'addressSearches');
    const unstored = this.share(`${name} ${use}`, use, share);
    return this.ofRequester(`${name} ${use} ${site}`, unstored, 'addressUnstoredSearches');
  }

  private find(route: Route | undefined): Share {
    const isAdmin = route !== undefined && isAdminPath(route.path);
    const ofArea = this.share(areaOf(route), isAdmin ? 'admin' : 'area');
    return route?.expensive ? this.share(nameOf(route), route.expensive, ofArea) : ofArea;
  }

  private ofRequester(key: string, parent: Share, kind: keyof typeof POOL_SHARES): Share {
    return this.ofRequesters.of(key, () => this.create(kind, parent));
  }

  private share(name: string, kind: keyof typeof POOL_SHARES, parent?: Share): Share {
    let share = this.byName.get(name);
    if (!share) this.byName.set(name, (share = this.create(kind, parent)));
    return share;
  }

  private create(kind: keyof typeof POOL_SHARES, parent?: Share): Share {
    const part = POOL_SHARES[kind];
    const [running, waiting] = [Math.ceil(this.size * part), Math.ceil(this.length * part)];
    return new Share(running, waiting, parent, PARTS.includes(kind));
  }
}

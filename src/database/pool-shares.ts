import { isAdminPath, isApiPath, type RequestContext } from '../api/http/request-context';
import { type Route } from '../api/routing/route-table';

/**
 * Fraction of the pool, and of its queue, that requests of one kind may use at once, so that some
 * connections remain for others:
 *
 * - `area`: one area of the API. A locked table only stops its own area.
 * - `admin`: the administration API, whose lists and searches may scan tables.
 * - Routes declared as expensive have a further share in addition to that of their area.
 * - `client`: the searches of one address, so that no address takes the share of all searches.
 * - `unstored`: searches that cannot be stored, so that each request evaluates them. They have a share
 *   in addition to that of all searches, and one for each address.
 */
export const POOL_SHARES = {
  area: 0.7,
  admin: 0.4,
  search: 0.4,
  list: 0.5,
  client: 0.2,
  unstored: 0.2,
  clientUnstored: 0.1,
} as const;

/** Why a statement has a smaller share than others of its route. */
export type StatementUse = 'unstored';

/** The area of routes outside the API and the administration API. */
const OTHER_AREA = 'service';

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
  /** Waiting requests; those of a part only as far as the part could run them at once. */
  waiting = 0;
  /** Moving average of the use of a connection in milliseconds. */
  private averageMs = 0;
  /** Pace of the requests of the route: those of one address are too few to measure it. */
  readonly pace: Pace;
  /** It and the shares that it is a part of. */
  readonly withParents: readonly Share[];

  /** @param isPart whether it is only for some requests of a route, for example those of an address */
  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    readonly parent?: Share,
    readonly isPart = false,
  ) {
    this.pace = isPart && parent ? parent.pace : new Pace();
    this.withParents = [this, ...(parent?.withParents ?? [])];
  }

  /** Whether it has no requests. */
  get isIdle(): boolean {
    return this.running === 0 && this.waiting === 0;
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

  /**
   * A request begins to wait. Requests beyond what a part may run at once do not delay others, so
   * they do not count in its parent.
   */
  addWaiting(): void {
    this.waiting += 1;
    if (this.waiting <= this.maxRunning) this.parent?.addWaiting();
  }

  /** A request no longer waits. */
  removeWaiting(): void {
    this.waiting -= 1;
    if (this.waiting < this.maxRunning) this.parent?.removeWaiting();
  }
}

/** Shares of addresses; those without requests are deleted from time to time. */
class SharesOfClients {
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

/** The shares of requests, by route and for searches by address. */
export class SharesOfRoutes {
  private readonly byName = new Map<string, Share>();
  private readonly byRoute = new Map<Route | undefined, Share>();
  private readonly ofClients = new SharesOfClients();

  /**
   * @param size number of connections of the pool
   * @param length length of its queue
   */
  constructor(
    private readonly size: number,
    private readonly length: number,
  ) {}

  /** The share of a request, or of a statement of it. */
  of({ route, addressKey }: RequestContext, use?: StatementUse): Share {
    let share = this.byRoute.get(route);
    if (!share) this.byRoute.set(route, (share = this.find(route)));
    if (route?.expensive !== 'search') return share;
    const name = nameOfSearches(route);
    if (use === undefined) return this.ofClient(`${name} ${addressKey}`, share, 'client');
    const unstored = this.share(`${name} ${use}`, use, share);
    return this.ofClient(`${name} ${use} ${addressKey}`, unstored, 'clientUnstored');
  }

  private find(route: Route | undefined): Share {
    if (!route) return this.share(OTHER_AREA, 'area');
    const { path, area, expensive } = route;
    const ofArea = isAdminPath(path)
      ? this.share(area, 'admin')
      : this.share(isApiPath(path) ? area : OTHER_AREA, 'area');
    return expensive ? this.share(`${area} ${expensive}`, expensive, ofArea) : ofArea;
  }

  private ofClient(key: string, parent: Share, kind: keyof typeof POOL_SHARES): Share {
    return this.ofClients.of(key, () => this.create(kind, parent));
  }

  private share(name: string, kind: keyof typeof POOL_SHARES, parent?: Share): Share {
    let share = this.byName.get(name);
    if (!share) this.byName.set(name, (share = this.create(kind, parent)));
    return share;
  }

  private create(kind: keyof typeof POOL_SHARES, parent?: Share): Share {
    const part = POOL_SHARES[kind];
    const isPart = kind === 'client' || kind === 'unstored' || kind === 'clientUnstored';
    const [running, waiting] = [Math.ceil(this.size * part), Math.ceil(this.length * part)];
    return new Share(running, waiting, parent, isPart);
  }
}

const nameOfSearches = ({ area }: Route): string => `${area} search`;

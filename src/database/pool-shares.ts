import { isAdminPath, isApiPath, type RequestContext } from '../api/http/request-context';
import { type Expensive, type Route } from '../api/routing/route-table';

/**
 * How much of the pool, and of the queue before it, requests of one kind may hold at once, so that
 * some are left for all others:
 *
 * - `area`: of one area of the API. A locked table stops its own area alone.
 * - `admin`: of the administration API, whose lists and searches may scan tables.
 * - those of routes that are declared as expensive, beside that of their area.
 */
export const POOL_SHARES: Readonly<Record<'area' | 'admin' | Expensive, number>> = {
  area: 0.7,
  admin: 0.4,
  search: 0.4,
  list: 0.5,
};

/** The area of everything that is neither in the API nor in that of administrators. */
const OTHER_AREA = 'service';

/** How much the latest use of a connection counts in the average. */
const LATEST = 0.1;

/** A share of the pool, and how much of it is taken. */
export class Share {
  running = 0;
  waiting = 0;
  /** Milliseconds that a connection is used for, of late. */
  private averageMs = 0;

  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
  ) {}

  get hasRoom(): boolean {
    return this.running < this.maxRunning;
  }

  /** Milliseconds after which it would be the turn of another request. */
  get expectedWaitMs(): number {
    return ((this.waiting + 1) * this.averageMs) / this.maxRunning;
  }

  /** A connection was used for so long. */
  used(ms: number): void {
    this.averageMs += (ms - this.averageMs) * LATEST;
  }
}

/** The shares of a pool that requests take from, by their routes. */
export class SharesOfRoutes {
  private readonly byName = new Map<string, Share>();
  private readonly byRoute = new Map<Route | undefined, readonly Share[]>();

  /**
   * @param size connections of the pool
   * @param length places in the queue before it
   */
  constructor(
    private readonly size: number,
    private readonly length: number,
  ) {}

  /** What the statements of a request take from; always the same object for a route. */
  of({ route }: RequestContext): readonly Share[] {
    const known = this.byRoute.get(route);
    if (known) return known;
    const shares = this.find(route);
    this.byRoute.set(route, shares);
    return shares;
  }

  private find(route: Route | undefined): readonly Share[] {
    if (!route) return [this.share(OTHER_AREA, 'area')];
    const { path, area, expensive } = route;
    const ofArea = isAdminPath(path)
      ? this.share(area, 'admin')
      : this.share(isApiPath(path) ? area : OTHER_AREA, 'area');
    return expensive ? [ofArea, this.share(`${area} ${expensive}`, expensive)] : [ofArea];
  }

  private share(name: string, kind: keyof typeof POOL_SHARES): Share {
    let share = this.byName.get(name);
    if (!share) {
      const part = POOL_SHARES[kind];
      share = new Share(Math.ceil(this.size * part), Math.ceil(this.length * part));
      this.byName.set(name, share);
    }
    return share;
  }
}

import { isAdminPath, isApiPath, type RequestContext } from '../api/http/request-context';
import { type Expensive, type Route } from '../api/routing/route-table';

/**
 * Fraction of the pool, and of its queue, that requests of one kind may use at once, so that some
 * connections remain for others:
 *
 * - `area`: one area of the API. A locked table only stops its own area.
 * - `admin`: the administration API, whose lists and searches may scan tables.
 * - Routes declared as expensive have a further share in addition to that of their area.
 */
export const POOL_SHARES: Readonly<Record<'area' | 'admin' | Expensive, number>> = {
  area: 0.7,
  admin: 0.4,
  search: 0.4,
  list: 0.5,
};

/** The area of routes outside the API and the administration API. */
const OTHER_AREA = 'service';

/** Weight of the latest use of a connection in the moving average. */
const LATEST = 0.1;

/** A share of the pool, and its current use. */
export class Share {
  running = 0;
  waiting = 0;
  /** Moving average of the use of a connection in milliseconds. */
  private averageMs = 0;

  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
  ) {}

  get hasRoom(): boolean {
    return this.running < this.maxRunning;
  }

  /** Expected wait of another request in milliseconds. */
  get expectedWaitMs(): number {
    return ((this.waiting + 1) * this.averageMs) / this.maxRunning;
  }

  /** Records the use of a connection. */
  used(ms: number): void {
    this.averageMs += (ms - this.averageMs) * LATEST;
  }
}

/** The shares of requests, by route. */
export class SharesOfRoutes {
  private readonly byName = new Map<string, Share>();
  private readonly byRoute = new Map<Route | undefined, readonly Share[]>();

  /**
   * @param size number of connections of the pool
   * @param length length of its queue
   */
  constructor(
    private readonly size: number,
    private readonly length: number,
  ) {}

  /** The shares of a request; always the same object for a route. */
  of({ route }: RequestContext): readonly Share[] {
    const existing = this.byRoute.get(route);
    if (existing) return existing;
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

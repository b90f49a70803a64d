import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../http/request-context';
import { type Route } from '../routing/route-table';
import { type CacheRule, type ContentKey, type PathValues } from './cache-rule';
import { ResponseCache } from './response-cache';
import { type StoredResponse } from './stored-response';

/** Name of the parameter that selects members, on routes that accept it. */
const FIELDS = 'fields';

/** Query parameters that a route reads, by route. */
const queryNames = new WeakMap<Route, readonly string[]>();

function namesOf(route: Route): readonly string[] {
  let names = queryNames.get(route);
  if (!names) {
    const declared = route.parameters.filter((parameter) => parameter.in === 'query');
    names = [...declared.map(({ name }) => name), ...(route.fields ? [FIELDS] : [])];
    queryNames.set(route, names);
  }
  return names;
}

/** A route with the values of its path. */
function pathOf(route: Route, params: PathValues): string {
  let path = route.path;
  for (const name in params) path += ` ${params[name]}`;
  return path;
}

/** Everything of a request that its response depends on, apart from the user and the content. */
function keyOf(path: string, route: Route, { query, tier }: RequestContext): string {
  let key = `${tier ?? ''} ${path}`;
  for (const name of namesOf(route)) {
    if (query[name] !== undefined) key += ` ${name}=${JSON.stringify(query[name])}`;
  }
  return key;
}

/** The part of a user in a read that may be personal. */
interface UserPart {
  /** Names the user and the path: the mark of a user whose responses are those of all. */
  readonly mark: string;
  readonly dependsOn: readonly ContentKey[];
}

/** A read whose response may be stored. */
export class CachedRead {
  private readonly version: number;
  private dependsOn: readonly ContentKey[];
  private isPersonal = false;

  /**
   * @param key of the response for callers without a user
   * @param user for callers whose response may be personal
   */
  constructor(
    private readonly cache: ResponseCache,
    private readonly rule: CacheRule,
    params: PathValues,
    private readonly key: string,
    private readonly user: UserPart | undefined,
  ) {
    this.version = cache.version;
    this.dependsOn = rule.dependsOn(params);
  }

  /** The current response, if it is in memory. */
  find(): StoredResponse | undefined {
    const { cache, key, user } = this;
    if (!user || cache.isMarked(user.mark)) return cache.find(key);
    return cache.find(personalKey(user, key));
  }

  /** Call it with the result of the handler. */
  examine(result: unknown): void {
    const { users, dependsOnResult } = this.rule;
    if (dependsOnResult) this.dependsOn = [...this.dependsOn, ...dependsOnResult(result)];
    this.isPersonal =
      this.user !== undefined && typeof users === 'object' && users.isPersonal(result);
  }

  /**
   * Stores the response; call it after {@link examine}.
   *
   * @param position of the replica that it was read from; undefined for the primary
   */
  store(response: StoredResponse, position?: number): void {
    const { cache, key, user, dependsOn, version } = this;
    if (user && this.isPersonal) {
      const keys = [...dependsOn, ...user.dependsOn];
      cache.store(personalKey(user, key), response, keys, version, position);
      return;
    }
    cache.store(key, response, dependsOn, version, position);
    if (user) cache.mark(user.mark, user.dependsOn, version, position);
  }
}

const personalKey = ({ mark }: UserPart, key: string): string => `${mark} ${key}`;

/** Finds responses in memory by route, path, query, tier and user. */
@Injectable()
export class RouteCache {
  constructor(private readonly cache: ResponseCache) {}

  /** The cached read of a request; undefined for one that is not kept in memory. */
  readOf(route: Route, params: PathValues, context: RequestContext): CachedRead | undefined {
    const { cache: rule } = route;
    if (!rule || !this.cache.isEnabled) return undefined;
    const { users } = rule;
    const userId = context.caller.user?.id;
    if (userId !== undefined && users === 'excluded') return undefined;
    const path = pathOf(route, params);
    const user =
      userId === undefined || typeof users === 'string'
        ? undefined
        : { mark: `user ${userId} ${path}`, dependsOn: users.dependsOn(params, userId) };
    return new CachedRead(this.cache, rule, params, keyOf(path, route, context), user);
  }
}

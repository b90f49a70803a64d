import {
  createParamDecorator,
  HttpCode,
  type ExecutionContext,
  type ParamDecoratorEnhancer,
} from '@nestjs/common';
import { type Caller, type CallingUser, type Scope, type Tier } from '../access/access';
import { type CacheRule } from '../cache/cache-rule';
import { notFound } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { idIn } from '../input/ids';
import { cleanText } from '../input/text-input';
import { type CounterState } from '../limits/limits';
import { DEFAULT_COUNT, MAX_COUNT, readPage, type PageQuery } from '../resources/page';
import { type Resource, type WireType } from '../resources/resource';
import {
  type RouteResponse,
  type Deprecation,
  type Expensive,
  type Parameter,
} from './route-table';
import { contractOf, declare } from './contract';
import { type PictureUpload, type Uploads as UploadRule } from '../body/uploads';

export * from './documentation';

/** Requires a token with this scope. GETs with a `*_basic_r` scope need no token (D12). */
export const RequireScope = (scope: Scope): MethodDecorator =>
  declare((contract) => {
    contract.scope = scope;
  });

/** Requires no authorization: pages, health, the OpenAPI document. */
export const Public = (): MethodDecorator =>
  declare((contract) => {
    contract.scope = null;
  });

/** Requires the token of a user, not only of an application. */
export const RequireUser = (): MethodDecorator =>
  declare((contract) => {
    contract.login = true;
  });

/** Marks a public route that handles credentials: it is subject to REQUIRE_HTTPS (D17). */
export const RequireHttps = (): MethodDecorator =>
  declare((contract) => {
    contract.secure = true;
  });

/** Requests to the route count in no limit (D16). */
export const SkipRateLimit = (): MethodDecorator =>
  declare((contract) => {
    contract.free = true;
  });

/** Accepted movie tiers; of a caller's tiers, the tier with most members applies (D14). */
export const Tiers = (...tiers: Tier[]): MethodDecorator =>
  declare((contract) => {
    contract.tiers = tiers;
  });

/** The GET accepts `fields` (book area only, D7). */
export const Fields = (): MethodDecorator =>
  declare((contract) => {
    contract.fields = true;
  });

/** Errors also have `error` and `error_description` of RFC 6749 (D18). */
export const OauthErrors = (): MethodDecorator =>
  declare((contract) => {
    contract.oauthErrors = true;
  });

/**
 * A multipart body may contain up to `max` pictures: parts with a matching name, each smaller than
 * 3 MB (1003). Other files are unknown parameters (D8).
 */
export const Uploads = (uploads: UploadRule): MethodDecorator =>
  declare((contract) => {
    contract.uploads = uploads;
  });

/**
 * Requests to the route read many rows, so only some of them use the database at once. Lists are
 * expensive by default.
 */
export const ExpensiveRoute = (kind: Expensive): MethodDecorator =>
  declare((contract) => {
    contract.expensive = kind;
  });

/** Responses of the route are kept in memory while the content that they depend on is unchanged. */
export const Cached = (rule: CacheRule): MethodDecorator =>
  declare((contract) => {
    contract.cache = rule;
  });

/** Responses have `Deprecation`, `Sunset` and `Link` to the successor (specification section 9). */
export const Deprecated = (deprecation: Deprecation): MethodDecorator =>
  declare((contract) => {
    contract.deprecation = deprecation;
  });

function responds(response: RouteResponse, status?: number): MethodDecorator {
  return (target, name, descriptor) => {
    const contract = contractOf(descriptor.value as object);
    contract.response = response;
    contract.status = status;
    if (status !== undefined) HttpCode(status)(target, name, descriptor);
  };
}

/** The handler returns one source of this resource. */
export const Responds = (resource: Resource, options: { status?: number } = {}): MethodDecorator =>
  responds({ kind: 'one', resource }, options.status ?? 200);

/** Options of {@link RespondsList}. */
interface ListOptions {
  readonly extra?: Readonly<Record<string, WireType>>;
  readonly after?: Readonly<Record<string, WireType>>;
  readonly longTexts?: boolean;
}

/**
 * The handler returns a {@link import('../resources/page').Page}. `member` is the name of its list
 * (D2). `extra` and `after` declare the members of the envelope before and after the list, whose
 * values come from the page's `extra`. `longTexts` says that the elements have texts of up to 50,000
 * characters: few such responses are read at once.
 */
export const RespondsList = (
  member: string,
  resource: Resource,
  { extra = {}, after = {}, longTexts = false }: ListOptions = {},
): MethodDecorator => responds({ kind: 'list', member, resource, extra, after, longTexts }, 200);

/** The handler returns a JSON value that is no resource. */
export const RespondsJson = (
  schema: Record<string, unknown>,
  options: { status?: number } = {},
): MethodDecorator => responds({ kind: 'json', schema }, options.status ?? 200);

/** The response has no body. */
export const RespondsEmpty = (): MethodDecorator => responds({ kind: 'empty' }, 204);

/** The handler returns a {@link import('../http/request-context').FileResponse} of a content type. */
export const RespondsFile = (type: string): MethodDecorator =>
  responds({ kind: 'file', type }, 200);

/** The handler writes the response itself. */
export const RespondsPage = (): MethodDecorator => responds({ kind: 'page' });

const contextOf = (context: ExecutionContext) =>
  context.switchToHttp().getRequest<ApiRequest>().context;

/** Adds parameters to the contract of the handler of a parameter decorator. */
export const documents =
  (parameters: () => Parameter[]): ParamDecoratorEnhancer =>
  (target, name) => {
    if (name === undefined) return;
    const handler = (target as Record<string | symbol, object>)[name];
    if (handler) contractOf(handler).parameters.unshift(...parameters());
  };

/** `start` and `count` of the query (D3). */
export const Paging = (
  defaults: { count: number } = { count: DEFAULT_COUNT },
): ParameterDecorator =>
  createParamDecorator(
    (_data: unknown, context: ExecutionContext): PageQuery =>
      readPage(contextOf(context).query, defaults),
    [
      documents(() => [
        {
          name: 'start',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
        },
        {
          name: 'count',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 0, default: defaults.count },
          about: `Maximum number of elements; larger than ${MAX_COUNT} counts as ${MAX_COUNT}.`,
        },
      ]),
    ],
  )();

/** The caller of the request. */
export const CurrentCaller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Caller => contextOf(context).caller,
);

/** The user who makes the request, on routes with `@RequireUser()`. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): CallingUser => {
    const { user } = contextOf(context).caller;
    // Unreachable after the access guard.
    if (!user) throw new Error('a route without @RequireUser() reads its user');
    return user;
  },
);

/** The counters of the request; on free routes, all counters of the caller. */
export const Counters = createParamDecorator(
  (_data: unknown, context: ExecutionContext): readonly CounterState[] =>
    contextOf(context).limits?.counters ?? [],
);

/** The files of the body in order, not validated, on routes with {@link Uploads}. */
export const UploadedPictures = createParamDecorator(
  (_data: unknown, context: ExecutionContext): readonly PictureUpload[] =>
    context.switchToHttp().getRequest<ApiRequest>().pictures ?? [],
);

/** The tier that applies, on routes with tiers. */
export const CurrentTier = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Tier => contextOf(context).tier ?? 'basic',
);

const pathParameter =
  <T>(pattern: string, read: (text: string) => T, mergedKind?: string) =>
  (parameter: string) =>
    createParamDecorator(
      (_data: unknown, context: ExecutionContext): T =>
        read(String(context.switchToHttp().getRequest<ApiRequest>().params[parameter])),
      [
        documents(() => [
          {
            name: parameter,
            in: 'path',
            required: true,
            schema: { type: 'string', pattern },
            mergedKind,
          },
        ]),
      ],
    )();

/**
 * A numeric wildcard of the path (specification section 1), checked by the access guard. No object
 * has an id above 2^53; such an id becomes 0, which no object has either.
 */
export const IdParam = pathParameter('^[0-9]+$', (text) => idIn(text) ?? 0);

/**
 * Like {@link IdParam}, for the id of a record that may be merged: the access guard replaces the id
 * of a merged record by that of the surviving one (D149).
 * @param kind as in {@link MergedIds}
 */
export const MergeableIdParam = (kind: string) =>
  pathParameter('^[0-9]+$', (text) => idIn(text) ?? 0, kind);

/** Like {@link IdParam}, but an id that no object can have throws 1001 with the original text. */
export const ExistingIdParam = pathParameter('^[0-9]+$', (text) => {
  const id = idIn(text) ?? 0;
  if (id > 0) return id;
  throw notFound(`${text} is not a valid id`);
});

/**
 * Like {@link IdParam}, for the id after which a list begins: 0 is its beginning. An id that no
 * object can have throws 1001.
 */
export const AfterIdParam = pathParameter('^[0-9]+$', (text) => {
  const id = idIn(text);
  if (id !== null) return id;
  throw notFound(`${text} is not a valid id`);
});

/** A wildcard of letters, digits, `-`, `_` and `.` (specification section 1). */
export const NameParam = pathParameter('^[A-Za-z0-9._-]+$', (text) => text);

/** The pattern of {@link TextParam}. */
export const ANY_TEXT = '^[^/]+$';

/**
 * A segment of the path of a page that may have any characters, such as a tag, as clean text (D9).
 * A segment of control characters alone throws 1001.
 */
export const TextParam = pathParameter(ANY_TEXT, (text) => {
  const clean = cleanText(text);
  if (clean === '') throw notFound('the segment of the path has no text');
  return clean;
});

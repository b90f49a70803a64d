import type { paths } from './schema';

/** Methods of the API. */
export type Method = 'get' | 'post' | 'put' | 'delete';

type Described = { parameters: object; responses: object };

/** Paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends Described ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = Extract<paths[P][M], Described>;
type Parameters<P extends keyof paths, M extends Method> = Operation<P, M>['parameters'];

/** The member `N` of an initializer: required if it has a required member itself. */
type Part<N extends string, T> = [T] extends [never]
  ? { readonly [K in N]?: never }
  : object extends T
    ? { readonly [K in N]?: T }
    : { readonly [K in N]: T };

type MemberOf<T, N extends string> = T extends { [K in N]?: infer V } ? NonNullable<V> : never;

type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer T } }
    ? T
    : never
  : never;

/** Options of every request. */
export interface RequestOptions {
  /** Aborts the request, its retries, its wait for tokens and the reading of its response. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Repetitions of the same write with the same key are executed once; random by default. */
  readonly idempotencyKey?: string;
}

/** Pictures of a multipart request by the name of their part, such as `image_1` or `pic1`. */
export interface Files {
  readonly files?: Readonly<Record<string, Blob>>;
}

/** Parameters of an operation: of the path, of the query, and the members of the body. */
export type Init<P extends keyof paths, M extends Method> = Part<
  'path',
  MemberOf<Parameters<P, M>, 'path'>
> &
  Part<'query', MemberOf<Parameters<P, M>, 'query'>> &
  Part<'body', BodyOf<Operation<P, M>>> &
  (M extends 'post' | 'put' ? Files : unknown) &
  RequestOptions;

/** The arguments after the path: the initializer can be omitted if nothing in it is required. */
export type InitArguments<I> = object extends I ? [init?: I] : [init: I];

type ContentOf<R> = R extends { content: infer C }
  ? C extends { 'application/json': infer T }
    ? T
    : string
  : undefined;

type Success<O> = O extends { responses: infer R }
  ? ContentOf<R[Extract<keyof R, 200 | 201 | 202 | 204>]>
  : never;

type Elements = 'start' | 'count' | 'total';

/** A response with `fields`: members that are not selected are missing. */
type Selected<T> = T extends { start: number; total: number }
  ? { [K in keyof T]: T[K] extends (infer E)[] ? Partial<E>[] : T[K] } & Pick<T, Elements & keyof T>
  : Partial<T>;

/** The response of an operation. With `fields` in the query, members are optional. */
export type Result<P extends keyof paths, M extends Method, I = unknown> = I extends {
  query: { fields: string };
}
  ? Selected<Success<Operation<P, M>>>
  : Success<Operation<P, M>>;

/** Paths of lists with pages. */
export type ListPath = {
  [P in PathOf<'get'>]: Parameters<P, 'get'> extends { query?: { start?: number } } ? P : never;
}[PathOf<'get'>];

type ElementOf<T> = {
  [K in keyof T]-?: K extends 'missing' ? never : T[K] extends (infer E)[] ? E : never;
}[keyof T];

/** An element of a list. */
export type Element<P extends ListPath, I = unknown> = ElementOf<Result<P, 'get', I>>;

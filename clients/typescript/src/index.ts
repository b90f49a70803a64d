export { Commonplace, type CommonplaceOptions } from './client';
export * from './errors';
export { challengeOf, type PendingSignIn } from './sign-in';
export { memoryStorage, webStorage, type Tokens, type TokenStorage } from './tokens';
export type {
  Element,
  Files,
  Init,
  ListPath,
  Method,
  PathOf,
  RequestOptions,
  Result,
} from './operations';
export type { Fetch, TransportOptions } from './transport';
export type * from './schema';

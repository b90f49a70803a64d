import { type CallingApplication } from '../api/access/access';
import { type CounterState, type LimitedRequest } from '../api/limits/limits';
import { type LimitName } from '../config/limit-settings';

const HOUR = 3600;
const MINUTE = 60;

/** A counter of a request, before its state is read. */
export interface ApplicableCounter extends Omit<CounterState, 'used' | 'reset'> {
  /** Unique key of the counter. */
  readonly key: string;
}

/** A counter with a limit. */
export type LimitedCounter = ApplicableCounter & { readonly limit: number };

type ValueOf = (name: LimitName) => number;

const limitOf = (value: number): number | null => (value === 0 ? null : value);

type Sourced = Pick<ApplicableCounter, 'limit' | 'source'>;

const byName = (name: LimitName, valueOf: ValueOf): Sourced => ({
  limit: limitOf(valueOf(name)),
  source: name,
});

/** The application's own limit, for its tokens and its apikey. */
const ownLimit = ({ limitPerHour }: CallingApplication): Sourced | undefined =>
  limitPerHour === null
    ? undefined
    : { limit: limitOf(limitPerHour), source: "the application's own limit" };

/** The limit of an application's tokens: its own limit, or that of its level (D16). */
const tokenLimit = (application: CallingApplication, valueOf: ValueOf): Sourced =>
  ownLimit(application) ?? byName(`LIMIT_USER_${application.level}`, valueOf);

/**
 * The limit of an address with an apikey: the application's own limit, or that of apikeys (D16).
 */
const keyLimit = (application: CallingApplication, valueOf: ValueOf): Sourced =>
  ownLimit(application) ?? byName('LIMIT_APIKEY', valueOf);

/** Counters with a window of an hour (D16, D52). */
function hourly({ caller, address }: LimitedRequest, valueOf: ValueOf): ApplicableCounter[] {
  const { hasToken, application, user } = caller;
  if (!application) {
    const limit = limitOf(valueOf('LIMIT_ANONYMOUS'));
    const about = { name: 'address', on: 'address', shown: 'both' } as const;
    return [{ ...about, source: 'LIMIT_ANONYMOUS', limit, window: HOUR, key: `n:${address}` }];
  }
  const { id } = application;
  const withToken = user ? `u:${id}:${user.id}` : `a:${id}`;
  return [
    {
      name: user ? 'user' : 'application',
      on: 'caller',
      shown: 'first',
      ...(hasToken ? tokenLimit(application, valueOf) : keyLimit(application, valueOf)),
      window: HOUR,
      key: hasToken ? withToken : `k:${id}:${address}`,
    },
    // Independent of the application, so that further applications give no more requests (D52).
    {
      name: 'address',
      on: 'address',
      shown: 'second',
      source: 'LIMIT_ADDRESS',
      limit: limitOf(valueOf('LIMIT_ADDRESS')),
      window: HOUR,
      key: `t:${address}`,
    },
  ];
}

/** The counter per minute of the basic movie tier, by application and user, or by address. */
function movie({ caller, address }: LimitedRequest, valueOf: ValueOf): ApplicableCounter {
  const { hasToken, application, user } = caller;
  const who = user ? `u:${user.id}` : hasToken ? '' : `n:${address}`;
  return {
    name: 'movie',
    on: application ? 'caller' : 'address',
    shown: 'neither',
    source: 'LIMIT_MOVIE_BASIC',
    limit: limitOf(valueOf('LIMIT_MOVIE_BASIC')),
    window: MINUTE,
    key: `m:${application?.id ?? ''}:${who}`,
  };
}

/** The counter of public pages, by address (D134). */
const page = ({ address }: LimitedRequest, valueOf: ValueOf): ApplicableCounter => ({
  name: 'address',
  on: 'address',
  shown: 'neither',
  ...byName('LIMIT_PAGES', valueOf),
  window: HOUR,
  key: `p:${address}`,
});

/** The counters of a request (D16); none in the premium tier. */
export function countersOf(call: LimitedRequest, valueOf: ValueOf): ApplicableCounter[] {
  if (call.page) return [page(call, valueOf)];
  if (call.premium) return [];
  const counters = hourly(call, valueOf);
  return call.movie ? [...counters, movie(call, valueOf)] : counters;
}

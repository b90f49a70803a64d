import { type CallingApplication } from '../api/access/access';
import { type CounterState, type LimitedCall } from '../api/limits/limits';
import { type LimitName } from '../config/limit-settings';

const HOUR = 3600;
const MINUTE = 60;

/** A counter that a call concerns, before it is known how it stands. */
export interface Planned extends Omit<CounterState, 'used' | 'reset'> {
  /** Names the counter among all. */
  readonly key: string;
}

/** A counter that has a limit. */
export type InForce = Planned & { readonly limit: number };

type ValueOf = (name: LimitName) => number;

const limitOf = (value: number): number | null => (value === 0 ? null : value);

type Sourced = Pick<Planned, 'limit' | 'source'>;

const byName = (name: LimitName, valueOf: ValueOf): Sourced => ({
  limit: limitOf(valueOf(name)),
  source: name,
});

/** The limit that an application was given for itself: of its tokens and of its key alike. */
const ownLimit = ({ limitPerHour }: CallingApplication): Sourced | undefined =>
  limitPerHour === null
    ? undefined
    : { limit: limitOf(limitPerHour), source: "the application's own limit" };

/** The limit of an application's tokens: its own, or that of its level (D16). */
const tokenLimit = (application: CallingApplication, valueOf: ValueOf): Sourced =>
  ownLimit(application) ?? byName(`LIMIT_USER_${application.level}`, valueOf);

/** The limit of an address with an application's key: its own, or that of all keys (D16). */
const keyLimit = (application: CallingApplication, valueOf: ValueOf): Sourced =>
  ownLimit(application) ?? byName('LIMIT_APIKEY', valueOf);

/** Counters of an hour (D16, D52). */
function hourly({ caller, address }: LimitedCall, valueOf: ValueOf): Planned[] {
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
    // Whatever the application: making more of them gives an address no more requests (D52).
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

/** The minute of the basic movie tier: of user and application, application and address, address. */
function movie({ caller, address }: LimitedCall, valueOf: ValueOf): Planned {
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

/** The counters that concern a call (D16); none in the premium tier. */
export function planOf(call: LimitedCall, valueOf: ValueOf): Planned[] {
  if (call.premium) return [];
  const counters = hourly(call, valueOf);
  return call.movie ? [...counters, movie(call, valueOf)] : counters;
}

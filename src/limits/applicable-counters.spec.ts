import { type Caller, type Level } from '../api/access/access';
import { type LimitName } from '../config/limit-settings';
import { readSettings } from '../config/settings';
import { countersOf, type ApplicableCounter } from './applicable-counters';

const settings = readSettings({});
const valueOf = (name: LimitName): number => settings[name];
const scopes = new Set<string>();
const application = (id: number, level: Level = 'L1', limitPerHour: number | null = null) => ({
  id,
  clientId: `client${id}`,
  level,
  limitPerHour,
  scopes,
  blocked: false,
});
const user = (id: number) => ({ id, uid: `user${id}`, role: 'member' as const });

const ANYBODY: Caller = { hasToken: false, scopes };
const KEY: Caller = { hasToken: false, scopes, application: application(1) };
const APPLICATION: Caller = { hasToken: true, scopes, application: application(1) };
const USER: Caller = { ...APPLICATION, user: user(7) };

const plan = (caller: Caller, more: object = {}): ApplicableCounter[] =>
  countersOf({ caller, address: '192.0.2.1', movie: false, premium: false, ...more }, valueOf);
const short = (planned: ApplicableCounter[]): unknown[] =>
  planned.map(({ name, on, shown, limit, window }) => [name, on, shown, limit, window]);

describe('planOf (D16, D52)', () => {
  it('includes a counter of one hour for every caller', () => {
    expect(short(plan(ANYBODY))).toEqual([['address', 'address', 'both', 150, 3600]]);
    const address = ['address', 'address', 'second', 5000, 3600];
    expect(short(plan(KEY))).toEqual([['application', 'caller', 'first', 500, 3600], address]);
    expect(short(plan(APPLICATION))).toEqual([
      ['application', 'caller', 'first', 500, 3600],
      address,
    ]);
    expect(short(plan(USER))).toEqual([['user', 'caller', 'first', 500, 3600], address]);
  });

  it.each([
    ['L1', null, 500],
    ['L2', null, 1000],
    ['L3', null, 2000],
    ['L2', 7, 7],
    ['L3', 0, null],
  ] as const)('for level %s and an own limit of %s is %s', (level, own, limit) => {
    const caller = { ...USER, application: application(1, level, own) };
    expect(plan(caller)[0]?.limit).toBe(limit);
    const key = { ...KEY, application: application(1, level, own) };
    expect(plan(key)[0]?.limit).toBe(own === null ? 500 : limit);
  });

  it.each([
    ['anybody', ANYBODY, 'address'],
    ['a key', KEY, 'caller'],
    ['an application', APPLICATION, 'caller'],
    ['a user', USER, 'caller'],
  ])(
    'includes a counter of one minute in the basic movie tier for %s, on the %s',
    (_name, caller, on) => {
      const [, ...last] = short(plan(caller, { movie: true })).reverse();
      expect(short(plan(caller, { movie: true })).pop()).toEqual(['movie', on, 'neither', 40, 60]);
      expect(last.reverse()).toEqual(short(plan(caller)));
    },
  );

  it('is empty in the premium movie tier', () => {
    expect(plan(USER, { premium: true })).toEqual([]);
  });

  it('has different keys for different counters', () => {
    const other = { ...KEY, application: application(2) };
    const elsewhere = { address: '192.0.2.2' };
    const all = [
      ...plan(ANYBODY, { movie: true }),
      ...plan(ANYBODY, { movie: true, ...elsewhere }),
      ...[KEY, other].flatMap((caller) =>
        [...plan(caller, { movie: true }), ...plan(caller, { movie: true, ...elsewhere })].filter(
          ({ name }) => name !== 'address',
        ),
      ),
      ...plan(APPLICATION, { movie: true }),
      ...plan(USER, { movie: true }).slice(0, 1),
      ...plan({ ...USER, user: user(8) }, { movie: true }).filter(({ name }) => name !== 'address'),
      ...plan({ ...USER, application: application(2) }, { movie: true, ...elsewhere }),
      ...plan(USER, { movie: true }).slice(2),
    ];
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });

  it('counts an address once for all its keys and tokens, separately from anonymous requests', () => {
    const keyOfAddress = (caller: Caller): string | undefined =>
      plan(caller).find(({ name }) => name === 'address')?.key;
    const other = { ...KEY, application: application(2) };
    expect(new Set([KEY, other, APPLICATION, USER].map(keyOfAddress)).size).toBe(1);
    expect(keyOfAddress(KEY)).not.toBe(keyOfAddress(ANYBODY));
  });

  it('counts users and applications independently of their address', () => {
    const keys = (address: string): string[] =>
      plan(USER, { movie: true, address })
        .filter(({ name }) => name !== 'address')
        .map(({ key }) => key);
    expect(keys('192.0.2.1')).toEqual(keys('192.0.2.2'));
  });
});

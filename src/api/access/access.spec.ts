import {
  ANONYMOUS,
  chooseTier,
  DEFAULT_SCOPES,
  OPEN_SCOPES,
  SCOPES,
  tiersOf,
  type Caller,
} from './access';

const caller = (scopes: string[], approved: readonly string[] = SCOPES): Caller => ({
  hasToken: true,
  scopes: new Set(scopes),
  application: {
    id: 1,
    clientId: 'c',
    level: 'L1',
    scopes: new Set(approved),
    limitPerHour: null,
    blocked: false,
  },
});

describe('tiersOf (D14)', () => {
  it.each([
    [[], []],
    [['book_basic_r'], []],
    [['movie_basic_r'], ['basic']],
    [['movie_basic_w'], ['basic']],
    [['movie_advance_r'], ['advance']],
    [['movie_premium_w'], ['premium']],
    [
      ['movie_premium_r', 'movie_basic_r'],
      ['basic', 'premium'],
    ],
  ])('%j gives the tiers %j', (scopes, tiers) => {
    expect([...tiersOf(caller(scopes))]).toEqual(tiers);
  });

  it('is basic without a token, with or without an apikey (D15)', () => {
    expect([...tiersOf(ANONYMOUS)]).toEqual(['basic']);
    const { application } = caller([]);
    expect([...tiersOf({ ...ANONYMOUS, application })]).toEqual(['basic']);
  });

  it('excludes tiers for which the application is not approved (D15)', () => {
    expect([...tiersOf(caller(['movie_premium_r'], ['movie_basic_r']))]).toEqual([]);
  });
});

describe('chooseTier (D14)', () => {
  const all = ['movie_basic_r', 'movie_advance_r', 'movie_premium_r'];
  it.each([
    [all, ['basic', 'advance', 'premium'], 'premium'],
    [all, ['basic', 'advance'], 'advance'],
    [all, ['basic'], 'basic'],
    [['movie_basic_r', 'movie_premium_r'], ['basic', 'advance'], 'basic'],
    [['movie_premium_r'], ['basic', 'advance'], undefined],
    [['movie_advance_r'], ['premium'], undefined],
    [['movie_advance_r'], [], undefined],
  ] as const)('of %j on a route for %j is %s', (scopes, allowed, tier) => {
    expect(chooseTier(caller([...scopes]), allowed)).toBe(tier);
  });
});

describe('scopes (specification section 5)', () => {
  it('are exactly those of the specification', () => {
    expect([...SCOPES].sort()).toEqual(
      [
        ...['book_basic_r', 'book_basic_w', 'service_basic_common', 'community_basic_note'],
        ...['event_basic_r', 'event_basic_w', 'movie_basic_r', 'movie_basic_w'],
        ...['movie_advance_r', 'movie_advance_w', 'movie_premium_r', 'movie_premium_w'],
      ].sort(),
    );
  });

  it('that anonymous callers have are exactly these (D12)', () => {
    expect([...OPEN_SCOPES].sort()).toEqual(['book_basic_r', 'event_basic_r', 'movie_basic_r']);
  });

  it('of a new application give only the basic tier', () => {
    const tiers = tiersOf(caller([...DEFAULT_SCOPES], DEFAULT_SCOPES));
    expect([...tiers]).toEqual(['basic']);
  });
});

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
  ])('%j are %j', (scopes, tiers) => {
    expect([...tiersOf(caller(scopes))]).toEqual(tiers);
  });

  it('are basic without a token, with an apikey or without (D15)', () => {
    expect([...tiersOf(ANONYMOUS)]).toEqual(['basic']);
    const { application } = caller([]);
    expect([...tiersOf({ ...ANONYMOUS, application })]).toEqual(['basic']);
  });

  it('need the application’s approval (D15)', () => {
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
  ] as const)('of %j where %j are let in is %s', (scopes, allowed, tier) => {
    expect(chooseTier(caller([...scopes]), allowed)).toBe(tier);
  });
});

describe('scopes (specification section 5)', () => {
  it('are these', () => {
    expect([...SCOPES].sort()).toEqual(
      [
        ...['book_basic_r', 'book_basic_w', 'service_basic_common', 'community_basic_note'],
        ...['event_basic_r', 'event_basic_w', 'movie_basic_r', 'movie_basic_w'],
        ...['movie_advance_r', 'movie_advance_w', 'movie_premium_r', 'movie_premium_w'],
      ].sort(),
    );
  });

  it('open to anonymous callers are these (D12)', () => {
    expect([...OPEN_SCOPES].sort()).toEqual(['book_basic_r', 'event_basic_r', 'movie_basic_r']);
  });

  it('of a new application give no tier but basic', () => {
    const tiers = tiersOf(caller([...DEFAULT_SCOPES], DEFAULT_SCOPES));
    expect([...tiers]).toEqual(['basic']);
  });
});

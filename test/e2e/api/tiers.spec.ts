import { Controller, Get } from '@nestjs/common';
import { Responds, RequireScope, Tiers } from '../../../src/api/routing/route';
import { startHarness, type Harness } from '../../harness';
import { probing } from './probe.module';
import { Tiered, TIERED_ROW } from './probe.resources';

@Controller('v2/probe')
class TieredController {
  @Get('public')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @Responds(Tiered)
  everybody() {
    return TIERED_ROW;
  }

  @Get('no_premium')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @Responds(Tiered)
  noPremium() {
    return TIERED_ROW;
  }

  @Get('advance')
  @RequireScope('movie_advance_r')
  @Tiers('advance', 'premium')
  @Responds(Tiered)
  advance() {
    return TIERED_ROW;
  }

  @Get('advance_only')
  @RequireScope('movie_advance_r')
  @Tiers('advance')
  @Responds(Tiered)
  advanceOnly() {
    return TIERED_ROW;
  }

  @Get('premium')
  @RequireScope('movie_premium_r')
  @Tiers('premium')
  @Responds(Tiered)
  premium() {
    return TIERED_ROW;
  }
}

const BASIC = ['BAP', 'BA', 'inner'];
const ADVANCE = ['BAP', 'AP', 'BA', 'A', 'inner'];
const PREMIUM = ['BAP', 'AP', 'P', 'inner'];
const SEEN = { B: BASIC, A: ADVANCE, P: PREMIUM } as const;

const ENDPOINTS = ['public', 'no_premium', 'advance', 'advance_only', 'premium'] as const;

/**
 * Callers by the movie scopes of their token (none: without a token), and the tier that applies
 * on each endpoint in the order above; `-` is 403 (D14).
 */
const CALLERS: readonly (readonly [scopes: string | undefined, tiers: string])[] = [
  [undefined, 'BB---'],
  ['', '-----'],
  ['book_basic_r', '-----'],
  ['movie_basic_r', 'BB---'],
  ['movie_basic_w', 'BB---'],
  ['movie_advance_r', 'AAAA-'],
  ['movie_premium_r', 'P-P-P'],
  ['movie_basic_r movie_advance_r', 'AAAA-'],
  ['movie_basic_r movie_premium_r', 'PBP-P'],
  ['movie_advance_r movie_premium_r', 'PAPAP'],
  ['movie_basic_r movie_advance_r movie_premium_r', 'PAPAP'],
];

const CASES = CALLERS.flatMap(([scopes, tiers]) =>
  ENDPOINTS.map((endpoint, at) => ({
    caller: scopes === undefined ? 'anonymous' : `[${scopes}]`,
    scopes: scopes?.split(' ').filter((scope) => scope !== ''),
    endpoint,
    tier: tiers[at] as 'B' | 'A' | 'P' | '-',
  })),
);

describe('tiers (specification section 5, D14)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(TieredController) });
  });
  afterAll(() => harness.close());

  it.each(CASES)('$caller on $endpoint has the tier $tier', async ({ scopes, endpoint, tier }) => {
    const token = scopes && (await harness.token({ scopes }));
    const { status, body, headers } = await harness.call(`/v2/probe/${endpoint}`, { token });
    if (tier === '-') {
      const request = `GET /v2/probe/${endpoint}`;
      expect(status).toBe(403);
      expect(body).toEqual({ msg: 'need_permission', code: 1000, request });
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
      return;
    }
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(SEEN[tier]);
    expect(Object.keys(body.inner[0])).toEqual(
      tier === 'B' ? ['everybody'] : ['everybody', 'advanced'],
    );
  });

  it('are not given by scopes whose approval the application lost (D15)', async () => {
    const scopes = ['movie_basic_r', 'movie_premium_r'];
    const token = await harness.token({ scopes, approved: ['movie_basic_r'] });
    expect((await harness.call('/v2/probe/premium', { token })).status).toBe(403);
    const { status, body } = await harness.call('/v2/probe/public', { token });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(BASIC);
  });

  it('are not given by an apikey (D15)', async () => {
    await harness.token({ scopes: ['movie_premium_r'] });
    const [{ client_id: apikey }] = await harness.source.query(
      'SELECT client_id FROM applications ORDER BY id DESC LIMIT 1',
    );
    expect((await harness.call(`/v2/probe/premium?apikey=${apikey}`)).status).toBe(403);
    const { body } = await harness.call(`/v2/probe/public?apikey=${apikey}`);
    expect(Object.keys(body)).toEqual(BASIC);
  });
});

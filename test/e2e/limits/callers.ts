import { Controller, Get } from '@nestjs/common';
import { RespondsJson, RequireScope, Tiers } from '../../../src/api/routing/route';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { type TestResponse, type Harness } from '../../harness';
import { AccessController } from '../api/probe.access';
import { probing } from '../api/probe.module';

/** A route for each way that tiers are let in. */
@Controller('v2/probe/tier')
class TierController {
  @Get('public')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance', 'premium')
  @RespondsJson({})
  everybody() {
    return {};
  }

  @Get('no_premium')
  @RequireScope('movie_basic_r')
  @Tiers('basic', 'advance')
  @RespondsJson({})
  noPremium() {
    return {};
  }

  @Get('premium')
  @RequireScope('movie_premium_r')
  @Tiers('premium')
  @RespondsJson({})
  premium() {
    return {};
  }
}

/** A service of probes, without a limit on anything unless a test sets one. */
export const limited = probing(AccessController, TierController);

/** Open to anonymous callers. */
export const OPEN = '/v2/probe/book';

export const NO_LIMIT = '2147483647';

/** A fresh application's apikey. */
export async function anApikey(harness: Harness): Promise<string> {
  const applications = harness.app.get(ApplicationsService, { strict: false });
  return (await applications.create({ name: 'with a key' })).clientId;
}

/** The two older pairs of headers, as numbers: limit, remaining, limit 2, remaining 2. */
export const pairsOf = ({ headers }: TestResponse): number[] =>
  ['Limit', 'Remaining', 'Limit2', 'Remaining2'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? NaN),
  );

/** Items of a header of the draft, by name, with their parameters. */
export function itemsOf(header: string | null): Record<string, Record<string, number>> {
  const items = (header ?? '').split(', ').filter((item) => item !== '');
  return Object.fromEntries(
    items.map((item) => {
      const [, name = '', parameters = ''] = /^"(\w+)"((?:;\w+=\d+)+)$/.exec(item) ?? [];
      const pairs = [...parameters.matchAll(/;(\w+)=(\d+)/g)];
      return [name, Object.fromEntries(pairs.map(([, key, value]) => [key, Number(value)]))];
    }),
  );
}

/** How often each status came. */
export function countStatuses(responses: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The responses of concurrent requests. */
export const together = (
  count: number,
  call: (at: number) => Promise<TestResponse>,
): Promise<TestResponse[]> => Promise.all(Array.from({ length: count }, (_, at) => call(at)));

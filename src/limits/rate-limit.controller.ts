import { Controller, Get, Header } from '@nestjs/common';
import { remainingOf, secondsUntilReset, type CounterState } from '../api/limits/limits';
import {
  Extension,
  Counters,
  SkipRateLimit,
  Public,
  RespondsJson,
  OperationId,
  Summary,
} from '../api/routing/route';

const MAYBE = { type: ['integer', 'null'], minimum: 0 };
const COUNTERS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        enum: ['user', 'application', 'address', 'movie'],
        description: 'Whose requests are counted.',
      },
      limit: { ...MAYBE, description: 'Requests per window; null means no limit.' },
      used: {
        type: 'integer',
        minimum: 0,
        description: 'Requests in this window; 0 where nothing is counted.',
      },
      remaining: { ...MAYBE, description: 'Remaining requests; null means no limit.' },
      window: { type: 'integer', description: 'Length of a window in seconds.' },
      reset: { type: 'integer', description: 'Seconds until the window ends.' },
    },
    required: ['name', 'limit', 'used', 'remaining', 'window', 'reset'],
    additionalProperties: false,
  },
};

@Controller('v2/rate_limit')
export class RateLimitController {
  @Get()
  // The response also depends on the address of the client.
  @Header('Cache-Control', 'private, no-store')
  @Public()
  @SkipRateLimit()
  @RespondsJson(COUNTERS)
  @Extension()
  @OperationId('getRateLimit')
  @Summary('Limits of the caller; the request is not counted')
  show(@Counters() counters: readonly CounterState[]): object[] {
    return counters.map((counter) => ({
      name: counter.name,
      limit: counter.limit,
      used: counter.used,
      remaining: remainingOf(counter),
      window: counter.window,
      reset: secondsUntilReset(counter),
    }));
  }
}

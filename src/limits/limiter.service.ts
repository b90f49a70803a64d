import { Injectable } from '@nestjs/common';
import {
  RequestLimiter,
  type CounterState,
  type LimitDecision,
  type LimitedCall,
} from '../api/limits/limits';
import { type LimitName } from '../config/limit-settings';
import { type Count } from './counters';
import { DeprecatedUsageService } from './deprecated-usage.service';
import { LimitValues } from './limit-values';
import { planOf, type InForce, type Planned } from './plan';
import { SharedCounters } from './shared-counters';
import { UsageService } from './usage.service';

/** Counts requests in the counters that apply, and rejects them when one is full (D16). */
@Injectable()
export class LimiterService extends RequestLimiter {
  constructor(
    private readonly counters: SharedCounters,
    private readonly values: LimitValues,
    private readonly usage: UsageService,
    private readonly deprecated: DeprecatedUsageService,
  ) {
    super();
  }

  private readonly limitBy = (name: LimitName): number => this.values.of(name);

  override async take(call: LimitedCall): Promise<LimitDecision> {
    const plan = planOf(call, this.limitBy);
    const inForce = plan.filter(isInForce);
    const taken =
      inForce.length === 0 ? { granted: true, counts: [] } : await this.counters.take(inForce);
    const counters = statesOf(plan, inForce, taken.counts);
    const refusedBy = taken.granted ? undefined : lastFullToReset(counters);
    const { application } = call.caller;
    this.usage.record(application, counters, refusedBy);
    if (application && call.deprecated !== undefined) {
      this.deprecated.record(application.id, call.deprecated);
    }
    return { counters, refusedBy };
  }

  override async giveBack(call: LimitedCall, decision: LimitDecision): Promise<LimitDecision> {
    const ofCaller = planOf(call, this.limitBy).filter(
      (planned): planned is InForce => planned.on === 'caller' && isInForce(planned),
    );
    if (ofCaller.length === 0) return decision;
    await this.counters.giveBack(ofCaller);
    const counters = decision.counters.map((counter) =>
      counter.on === 'caller' ? { ...counter, used: Math.max(0, counter.used - 1) } : counter,
    );
    return { ...decision, counters };
  }

  override async look(call: LimitedCall): Promise<LimitDecision> {
    const plan = planOf(call, this.limitBy);
    const inForce = plan.filter(isInForce);
    // Reading the limits must not fail when the counters are unavailable.
    const counts =
      inForce.length === 0 ? [] : await this.counters.look(inForce).catch((): Count[] => []);
    return { counters: statesOf(plan, inForce, counts), refusedBy: undefined };
  }
}

const isInForce = (planned: Planned): planned is InForce => planned.limit !== null;

function statesOf(
  plan: readonly Planned[],
  inForce: readonly InForce[],
  counts: readonly Count[],
): CounterState[] {
  return plan.map((planned) => {
    const { key: _key, ...about } = planned;
    const count = isInForce(planned) ? counts[inForce.indexOf(planned)] : undefined;
    const reset = count?.reset ?? about.window * 1000;
    return { ...about, used: count?.used ?? 0, reset };
  });
}

/** The full counter whose window ends last: after it, the request passes all of them. */
const lastFullToReset = (counters: readonly CounterState[]): CounterState | undefined =>
  counters
    .filter(({ limit, used }) => limit !== null && used >= limit)
    .reduce<CounterState | undefined>(
      (longest, counter) => (longest && longest.reset >= counter.reset ? longest : counter),
      undefined,
    );

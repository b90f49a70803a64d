import { Injectable } from '@nestjs/common';
import { type Caller } from '../api/access/access';
import {
  RequestLimiter,
  type CounterState,
  type LimitDecision,
  type LimitedRequest,
} from '../api/limits/limits';
import { type LimitName } from '../config/limit-settings';
import { type Count, type ConsumeResult } from './counters';
import { DeprecatedUsageService } from './deprecated-usage.service';
import { LimitValues } from './limit-values';
import { countersOf, type LimitedCounter, type ApplicableCounter } from './applicable-counters';
import { SharedCounters, type Refund } from './shared-counters';
import { UsageService } from './usage.service';

/** Counts requests against the rate limits that apply, and rejects them when one is exceeded (D16). */
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

  /** The plan of the last request of a token. */
  private readonly plans = new WeakMap<Caller, CallerPlan>();

  private planFor(call: LimitedRequest): Plan {
    const { caller, address, movie, premium, page } = call;
    // Without a token, all callers are the same object.
    if (!caller.hasToken || page) return toPlan(countersOf(call, this.limitBy));
    const { version } = this.values;
    const last = this.plans.get(caller);
    const isSame = last?.address === address && last.movie === movie && last.premium === premium;
    if (isSame && last.version === version) return last;
    const plan = { ...toPlan(countersOf(call, this.limitBy)), address, movie, premium, version };
    this.plans.set(caller, plan);
    return plan;
  }

  override consume(call: LimitedRequest): LimitDecision | Promise<LimitDecision> {
    const { plan, inForce } = this.planFor(call);
    const decide = ({ granted, counts }: ConsumeResult): LimitDecision => {
      const counters = statesOf(plan, counts);
      const refusedBy = granted ? undefined : lastFullToReset(counters);
      const { application } = call.caller;
      this.usage.record(application, counters, refusedBy);
      if (application && call.deprecated !== undefined) {
        this.deprecated.record(application.id, call.deprecated);
      }
      return { counters, readAt: performance.now(), refusedBy };
    };
    const taken = inForce.length === 0 ? UNLIMITED : this.counters.consume(inForce);
    return taken instanceof Promise ? taken.then(decide) : decide(taken);
  }

  override refund(
    call: LimitedRequest,
    decision: LimitDecision,
  ): LimitDecision | Promise<LimitDecision> {
    const { readAt, refusedBy } = decision;
    const elapsed = performance.now() - readAt;
    const { ofCaller } = this.planFor(call);
    const due: Refund[] = [];
    const counters = decision.counters.map((state) => {
      if (state.on !== 'caller' || state.reset <= elapsed) return state;
      const counter = ofCaller.find(({ name }) => name === state.name);
      if (counter) due.push({ counter, left: state.reset - elapsed });
      return refundedState(state);
    });
    if (due.length === 0) return decision;
    const refunded = this.counters.refund(due);
    const after = { counters, readAt, refusedBy };
    return refunded ? refunded.then(() => after) : after;
  }

  override async read(call: LimitedRequest): Promise<LimitDecision> {
    const plan = countersOf(call, this.limitBy);
    const inForce = plan.filter(isInForce);
    // Reading the limits must not fail when the counters are unavailable.
    const counts =
      inForce.length === 0 ? [] : await this.counters.read(inForce).catch((): Count[] => []);
    const counters = statesOf(plan, counts);
    return { counters, readAt: performance.now(), refusedBy: undefined };
  }
}

/** The counters of a request. */
interface Plan {
  readonly plan: readonly ApplicableCounter[];
  readonly inForce: readonly LimitedCounter[];
  /** Those in force that 304 does not count in. */
  readonly ofCaller: readonly LimitedCounter[];
}

/** The counters of the requests of a token from an address, while limits are the same. */
interface CallerPlan extends Plan, Pick<LimitedRequest, 'address' | 'movie' | 'premium'> {
  readonly version: object;
}

function toPlan(plan: readonly ApplicableCounter[]): Plan {
  const inForce = plan.filter(isInForce);
  return { plan, inForce, ofCaller: inForce.filter(({ on }) => on === 'caller') };
}

/** The result of a request without limits. */
const UNLIMITED: ConsumeResult = { granted: true, counts: [] };

const isInForce = (planned: ApplicableCounter): planned is LimitedCounter => planned.limit !== null;

/**
 * The states of all counters of a plan. Members are copied by name, because every request needs them
 * and copying the rest of an object takes ten times as long.
 *
 * @param counts of the counters in force, in the order of the plan
 */
function statesOf(plan: readonly ApplicableCounter[], counts: readonly Count[]): CounterState[] {
  let next = 0;
  return plan.map(({ name, on, shown, source, limit, window }) => {
    const count = limit === null ? undefined : counts[next++];
    const used = count?.used ?? 0;
    return { name, on, shown, source, limit, window, used, reset: count?.reset ?? window * 1000 };
  });
}

/** A state with one request fewer. Members are copied by name, as in {@link statesOf}. */
function refundedState(state: CounterState): CounterState {
  const { name, on, shown, source, limit, window, used, reset } = state;
  return { name, on, shown, source, limit, window, used: Math.max(0, used - 1), reset };
}

/** The full counter whose window ends last: after it, the request passes all of them. */
const lastFullToReset = (counters: readonly CounterState[]): CounterState | undefined =>
  counters
    .filter(({ limit, used }) => limit !== null && used >= limit)
    .reduce<CounterState | undefined>(
      (longest, counter) => (longest && longest.reset >= counter.reset ? longest : counter),
      undefined,
    );

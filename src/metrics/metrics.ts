import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type RequestContext } from '../api/http/request-context';
import { RequestObserver } from '../api/http/observer';
import { Overload } from '../api/http/overload';
import { Database } from '../database/database';
import { SharedCounters } from '../limits/shared-counters';

/** Seconds that requests are sorted by. */
const BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels never hold what callers send: a path becomes its route's template. */
const NO_ROUTE = 'none';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * What Prometheus reads: requests by route, limiter decisions, the pool, memory, event-loop lag.
 * Names and units follow its conventions (seconds, `_total`).
 */
@Injectable()
export class Metrics extends RequestObserver {
  readonly registry = new Registry();

  private readonly requests = new Counter({
    name: 'commonplace_requests_total',
    help: 'Finished requests by route template, status and error code (0 for none)',
    labelNames: ['method', 'route', 'status', 'code'],
    registers: [this.registry],
  });

  private readonly seconds = new Histogram({
    name: 'commonplace_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by route template',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  private readonly decisions = new Counter({
    name: 'commonplace_limit_decisions_total',
    help: 'Calls that were counted, by the limit that refused them ("none": let in)',
    labelNames: ['refused_by'],
    registers: [this.registry],
  });

  constructor(database: Database, counters: SharedCounters, overload: Overload) {
    super();
    collectDefaultMetrics({ register: this.registry });
    const { pool } = database;
    new Gauge({
      name: 'commonplace_database_connections',
      help: 'Connections of the pool by state, and statements that wait for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'waiting' }, database.waiting);
      },
    });
    new Counter({
      name: 'commonplace_overload_refusals_total',
      help: 'Requests that were refused because more arrived than the process could begin to serve',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(overload.refused);
      },
    });
    new Gauge({
      name: 'commonplace_counters',
      help: 'Counters of limits that this process keeps in memory (COUNTERS_IN_MEMORY at most)',
      registers: [this.registry],
      collect() {
        this.set(counters.inMemory);
      },
    });
  }

  finished(context: RequestContext, status: number, seconds: number): void {
    const method = METHODS.has(context.method) ? context.method : 'other';
    const route = context.route?.path ?? NO_ROUTE;
    this.requests.inc({ method, route, status, code: context.refusal?.row.code ?? 0 });
    this.seconds.observe({ method, route }, seconds);
    if (context.limits)
      this.decisions.inc({ refused_by: context.limits.refusedBy?.name ?? 'none' });
  }

  /** Tells when a certificate ends, which is asked for each time. */
  observeCertificate(served: { readonly notAfter: Date }): void {
    new Gauge({
      name: 'commonplace_certificate_expiry_timestamp_seconds',
      help: 'When the served certificate, or one of its chain, expires: seconds since 1970',
      registers: [this.registry],
      collect() {
        this.set(served.notAfter.getTime() / 1000);
      },
    });
  }
}

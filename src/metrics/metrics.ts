import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../api/http/request-context';
import { RequestObserver } from '../api/http/observer';
import { ResponseCache } from '../api/cache/response-cache';
import { Overload } from '../api/http/overload';
import { loadPromClient } from '../config/packages';
import { Database } from '../database/database';
import { SharedCounters } from '../limits/shared-counters';
import { type MetricsSource } from './metrics.server';
import { observeReplicas } from './replica-metrics';

/** Upper bounds of the histogram of request durations, in seconds. */
const BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels never contain caller input: the route's template replaces the path. */
const NO_ROUTE = 'none';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * The Prometheus metrics: requests by route, limiter decisions, the pool, memory, event-loop lag.
 * Names and units follow the conventions of Prometheus (seconds, `_total`).
 */
@Injectable()
export class Metrics extends RequestObserver implements MetricsSource {
  private readonly client = loadPromClient();
  readonly registry = new this.client.Registry();

  private readonly requests = new this.client.Counter({
    name: 'commonplace_requests_total',
    help: 'Finished requests by route template, status and error code (0 for none)',
    labelNames: ['method', 'route', 'status', 'code'],
    registers: [this.registry],
  });

  private readonly seconds = new this.client.Histogram({
    name: 'commonplace_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route template',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  private readonly decisions = new this.client.Counter({
    name: 'commonplace_limit_decisions_total',
    help: 'Counted requests, by the limit that refused them ("none": accepted)',
    labelNames: ['refused_by'],
    registers: [this.registry],
  });

  constructor(
    database: Database,
    counters: SharedCounters,
    overload: Overload,
    cache: ResponseCache,
  ) {
    super();
    const { collectDefaultMetrics, Counter, Gauge } = this.client;
    collectDefaultMetrics({ register: this.registry });
    const { pool } = database;
    new Gauge({
      name: 'commonplace_database_connections',
      help: 'Pool connections by state, and statements that wait for a connection',
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
      help: 'Requests refused because the process was overloaded',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(overload.refused);
      },
    });
    new Counter({
      name: 'commonplace_response_cache_lookups_total',
      help: 'Lookups of responses in memory, by result (hit, miss)',
      labelNames: ['result'],
      registers: [this.registry],
      collect() {
        const { hits, misses } = cache.statistics;
        this.reset();
        this.inc({ result: 'hit' }, hits);
        this.inc({ result: 'miss' }, misses);
      },
    });
    new Gauge({
      name: 'commonplace_response_cache_bytes',
      help: 'Bytes of responses in memory (maximum CACHE_MB)',
      registers: [this.registry],
      collect() {
        this.set(cache.statistics.bytes);
      },
    });
    if (database.replicas?.hasReplicas) observeReplicas(database.replicas, this.registry);
    new Gauge({
      name: 'commonplace_counters',
      help: 'Rate-limit counters in the memory of this process (maximum COUNTERS_IN_MEMORY)',
      registers: [this.registry],
      collect() {
        this.set(counters.inMemory);
      },
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  finished(context: RequestContext, status: number, seconds: number): void {
    const method = METHODS.has(context.method) ? context.method : 'other';
    const route = context.route?.path ?? NO_ROUTE;
    this.requests.inc({ method, route, status, code: context.refusal?.row.code ?? 0 });
    this.seconds.observe({ method, route }, seconds);
    if (context.limits)
      this.decisions.inc({ refused_by: context.limits.refusedBy?.name ?? 'none' });
  }

  /** Exports the expiry of a certificate; each scrape reads the current value. */
  observeCertificate(served: { readonly notAfter: Date }): void {
    const { Gauge } = this.client;
    new Gauge({
      name: 'commonplace_certificate_expiry_timestamp_seconds',
      help: 'Earliest expiry in the served certificate chain: seconds since 1970',
      aggregator: 'min',
      registers: [this.registry],
      collect() {
        this.set(served.notAfter.getTime() / 1000);
      },
    });
  }
}

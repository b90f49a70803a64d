import { type Registry } from 'prom-client';
import { loadPromClient } from '../config/packages';
import { type ReplicaSet } from '../database/replicas/replica-set';

/** Exports the state of the read replicas, and where statements of requests run. */
export function observeReplicas(replicas: ReplicaSet, registry: Registry): void {
  const { Counter, Gauge } = loadPromClient();
  new Gauge({
    name: 'commonplace_replica_usable',
    help: 'Whether a replica serves reads (1) or is left out (0)',
    labelNames: ['replica'],
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, isUsable } of replicas.reports()) {
        this.set({ replica: name }, isUsable ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'commonplace_replica_lag_seconds',
    help: 'Maximum age of the data of a replica; absent while unknown',
    labelNames: ['replica'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, lagSeconds } of replicas.reports()) {
        if (lagSeconds !== undefined) this.set({ replica: name }, lagSeconds);
      }
    },
  });
  new Counter({
    name: 'commonplace_request_statements_total',
    help: 'Statements of requests, without those in transactions, by server (primary, replica)',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ server: 'primary' }, replicas.reads.primary);
      this.inc({ server: 'replica' }, replicas.reads.replica);
    },
  });
}

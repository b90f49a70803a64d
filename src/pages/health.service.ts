import { Injectable } from '@nestjs/common';
import { detached } from '../api/http/current-request';
import { Database, statement } from '../database/database';
import { MIGRATIONS } from '../database/migrations';

const STATE = statement(
  'health.state',
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly",
     ARRAY(SELECT name::text FROM migrations) AS applied`,
);

interface State {
  readonly readOnly: boolean;
  readonly applied: readonly string[];
}

@Injectable()
export class HealthService {
  /** The pending check, which concurrent probes share. */
  private pendingCheck: Promise<string | undefined> | undefined;

  constructor(private readonly database: Database) {}

  /** Whether replicas serve reads although no primary server answers. */
  get isReadOnly(): boolean {
    const { replicas } = this.database;
    return replicas !== undefined && !replicas.hasPrimary && replicas.isAnyUsable;
  }

  /**
   * The reason the service is not ready, or undefined.
   * @throws ApiError 999 with 503 when the database is unavailable
   */
  missing(): Promise<string | undefined> {
    this.pendingCheck ??= detached(() => this.check()).finally(() => {
      this.pendingCheck = undefined;
    });
    return this.pendingCheck;
  }

  private async check(): Promise<string | undefined> {
    const [state] = await this.database.probe<State>(STATE);
    if (!state || state.readOnly) {
      // Another server may have taken over the same address; probes detect it first.
      this.database.renewConnections();
      return 'the database is read-only: it is a standby server, or was demoted';
    }
    const applied = new Set(state.applied);
    const pending = MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
    return pending.length === 0 ? undefined : `migrations pending: ${pending.join(', ')}`;
  }
}

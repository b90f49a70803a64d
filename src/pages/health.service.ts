import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { MIGRATIONS } from '../database/migrations';

const APPLIED = statement('health.migrations', 'SELECT name FROM migrations');

@Injectable()
export class HealthService {
  constructor(private readonly database: Database) {}

  /**
   * What keeps the service from being ready, or undefined.
   *
   * @throws ApiError 999 with 503 when the database is away
   */
  async missing(): Promise<string | undefined> {
    const rows = await this.database.run<{ name: string }>(APPLIED);
    const applied = new Set(rows.map(({ name }) => name));
    const pending = MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
    return pending.length === 0 ? undefined : `migrations pending: ${pending.join(', ')}`;
  }
}

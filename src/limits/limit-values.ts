import { Injectable } from '@nestjs/common';
import { LIMIT_NAMES, type LimitName } from '../config/limit-settings';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import { Notifications } from '../database/notifications';

/** Where a trigger tells that the table of limits has changed. */
const CHANNEL = 'limits_changed';

const READ = statement('limits.read', 'SELECT name, value FROM limits');

/** The limits in force: what the table of limits says, else the settings (D16). */
@Injectable()
export class LimitValues {
  private overrides: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNEL, () => this.read());
  }

  /** Calls in the limit's window; 0 is no limit. */
  of(name: LimitName): number {
    return this.overrides.get(name) ?? this.settings[name];
  }

  /** Every limit, with where it comes from. */
  all(): { name: LimitName; value: number; from: 'database' | 'settings' }[] {
    return LIMIT_NAMES.map((name) => ({
      name,
      value: this.of(name),
      from: this.overrides.has(name) ? 'database' : 'settings',
    }));
  }

  /** Reads the table anew. @throws ApiError 999 with 503 when the database is away */
  async read(): Promise<void> {
    const rows = await this.database.query<{ name: string; value: number }>(READ);
    this.overrides = new Map(rows.map(({ name, value }) => [name, value]));
  }
}

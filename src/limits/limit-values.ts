import { Injectable } from '@nestjs/common';
import { LIMIT_NAMES, type LimitName } from '../config/limit-settings';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import { StaleReadGuard } from '../database/stale-read-guard';
import { Notifications } from '../database/notifications';

/** Channel of the trigger that reports changes of the table `limits`. */
const CHANNEL = 'limits_changed';

const READ = statement('limits.read', 'SELECT name, value FROM limits');

/** The current limits: from the table `limits`, otherwise from the settings (D16). */
@Injectable()
export class LimitValues {
  private overrides: ReadonlyMap<string, number> = new Map();

  private readonly rows: StaleReadGuard<{ name: string; value: number }[]>;

  constructor(
    private readonly settings: Settings,
    database: Database,
    notifications: Notifications,
  ) {
    this.rows = new StaleReadGuard(
      () => database.query(READ),
      (rows) => {
        this.overrides = new Map(rows.map(({ name, value }) => [name, value]));
      },
    );
    notifications.on(CHANNEL, () => this.read());
  }

  /** An object that is another one after limits have changed. */
  get version(): object {
    return this.overrides;
  }

  /** Requests per window of the limit; 0 means no limit. */
  of(name: LimitName): number {
    return this.overrides.get(name) ?? this.settings[name];
  }

  /** Every limit with its source. */
  all(): { name: LimitName; value: number; from: 'database' | 'settings' }[] {
    return LIMIT_NAMES.map((name) => ({
      name,
      value: this.of(name),
      from: this.overrides.has(name) ? 'database' : 'settings',
    }));
  }

  /** Reloads the table. @throws ApiError 999 with 503 when the database is unavailable */
  async read(): Promise<void> {
    await this.rows.refresh();
  }
}

import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/errors';
import { HIGHEST_LIMIT } from '../config/setting-types';
import { LIMIT_NAMES, type LimitName } from '../config/limit-settings';
import { Database, statement } from '../database/database';
import { LimitValues } from './limit-values';

const SET = statement(
  'limits.set',
  `INSERT INTO limits (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
const RESET = statement('limits.reset', 'DELETE FROM limits WHERE name = $1');
const SET_APPLICATION = statement(
  'limits.application',
  'UPDATE applications SET limit_per_hour = $2 WHERE client_id = $1 RETURNING 1',
);

function checkName(name: string): LimitName {
  const found = LIMIT_NAMES.find((known) => known === name);
  if (!found) throw notFound(`no such limit: ${name}; there are ${LIMIT_NAMES.join(', ')}`);
  return found;
}

function checkValue(value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= HIGHEST_LIMIT) return;
  throw new OperationError(`a limit is a number from 0 (no limit) to ${HIGHEST_LIMIT}`);
}

/** Limits, for administrators. Servers follow a change at once, without a restart (D16). */
@Injectable()
export class LimitsService {
  constructor(
    private readonly database: Database,
    private readonly values: LimitValues,
  ) {}

  /** Every limit as it is now, with where it comes from. */
  async list(): Promise<ReturnType<LimitValues['all']>> {
    await this.values.read();
    return this.values.all();
  }

  /** Sets a limit, whatever the settings say. @throws NotPossible for a name or value that cannot be */
  async set(name: string, value: number): Promise<void> {
    checkValue(value);
    const known = checkName(name);
    await this.database.transaction((runner) => runner.query(SET, [known, value]));
    await this.values.read();
  }

  /** Makes a limit what the settings say. @throws NotPossible for an unknown name */
  async reset(name: string): Promise<void> {
    const known = checkName(name);
    await this.database.transaction((runner) => runner.query(RESET, [known]));
    await this.values.read();
  }

  /**
   * Gives an application a limit of its own, in calls an hour: for each of its users, or for itself
   * where no user is behind its token.
   *
   * @param perHour 0 for no limit, null for that of its level
   * @throws NotPossible for an unknown application, or a number that cannot be a limit
   */
  async setApplication(clientId: string, perHour: number | null): Promise<void> {
    if (perHour !== null) checkValue(perHour);
    await this.database.transaction(async (runner) => {
      const changed = await runner.query(SET_APPLICATION, [clientId, perHour]);
      if (changed.length === 0) throw notFound(`no such application: ${clientId}`);
    });
  }
}

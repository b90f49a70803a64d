import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/error-codes';
import { HIGHEST_LIMIT } from '../config/setting-types';
import { LIMIT_NAMES, type LimitName } from '../config/limit-settings';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { LimitValues } from './limit-values';

const OVERRIDE = statement('limits.override', 'SELECT value FROM limits WHERE name = $1');
const SET = statement(
  'limits.set',
  `INSERT INTO limits (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
const RESET = statement('limits.reset', 'DELETE FROM limits WHERE name = $1');
// In a statement of its own: the next one sees a test key that was created meanwhile.
const LOCK_APPLICATION = statement(
  'limits.lock_application',
  'SELECT 1 FROM applications WHERE client_id = $1 FOR NO KEY UPDATE',
);
const SET_APPLICATION = statement(
  'limits.application',
  `UPDATE applications SET limit_per_hour = $2
   WHERE (client_id = $1 AND test_of IS NULL)
     OR test_of = (SELECT id FROM applications WHERE client_id = $1)
   RETURNING 1`,
);
const IS_TEST_KEY = statement(
  'limits.is_test_key',
  'SELECT 1 FROM applications WHERE client_id = $1 AND test_of IS NOT NULL',
);

function checkName(name: string): LimitName {
  const found = LIMIT_NAMES.find((limit) => limit === name);
  if (!found)
    throw notFound(`limit not found: ${name}; existing limits: ${LIMIT_NAMES.join(', ')}`);
  return found;
}

function checkValue(value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= HIGHEST_LIMIT) return;
  throw new OperationError(`a limit must be an integer from 0 (unlimited) to ${HIGHEST_LIMIT}`);
}

/** Limits, for administrators. Servers apply a change at once, without a restart (D16). */
@Injectable()
export class LimitsService {
  constructor(
    private readonly database: Database,
    private readonly values: LimitValues,
  ) {}

  /** Every current limit with its source. */
  async list(): Promise<ReturnType<LimitValues['all']>> {
    await this.values.read();
    return this.values.all();
  }

  /** The value that overrides the setting of a limit, if there is one. */
  async findOverride(
    executor: SqlExecutor,
    name: string,
  ): Promise<{ readonly value: number } | undefined> {
    return (await executor.query<{ value: number }>(OVERRIDE, [name]))[0];
  }

  /** Overrides the setting of a limit. @throws OperationError for an invalid name or value */
  async set(name: string, value: number, hooks?: TransactionHooks): Promise<void> {
    checkValue(value);
    const limitName = checkName(name);
    await this.database.transaction((runner) => runner.query(SET, [limitName, value]), hooks);
    await this.values.read();
  }

  /** Resets a limit to its setting. @throws OperationError when there is no such limit */
  async reset(name: string, hooks?: TransactionHooks): Promise<void> {
    const limitName = checkName(name);
    await this.database.transaction((runner) => runner.query(RESET, [limitName]), hooks);
    await this.values.read();
  }

  /**
   * Sets an application's own limit, in requests per hour: for each of its users, or for the
   * application itself where its token has no user. Its test key has the same limit (D171).
   *
   * @param perHour 0 means no limit, null the limit of its level
   * @throws OperationError when the application is not found or a test key, or the number is no
   *   valid limit
   */
  async setApplication(
    clientId: string,
    perHour: number | null,
    hooks?: TransactionHooks,
  ): Promise<void> {
    if (perHour !== null) checkValue(perHour);
    await this.database.transaction(async (runner) => {
      await runner.query(LOCK_APPLICATION, [clientId]);
      const changed = await runner.query(SET_APPLICATION, [clientId, perHour]);
      if (changed.length > 0) return;
      if ((await runner.query(IS_TEST_KEY, [clientId])).length > 0) {
        throw new OperationError('the limit of a test key is that of its application');
      }
      throw notFound(`application not found: ${clientId}`);
    }, hooks);
  }
}

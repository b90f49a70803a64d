import { Injectable } from '@nestjs/common';
import { Database, statement, type SqlExecutor } from '../database/database';

const NAME = 'first_administrator';

const EXISTS = statement(
  'users.administrator_exists',
  `SELECT 1 FROM users WHERE role = 'administrator' LIMIT 1`,
);

// The value is the hash of the key and the seconds since 1970 at which it expires.
const STORE = statement(
  'users.store_setup_key',
  `INSERT INTO secrets (name, value)
   VALUES ($1, $2 || ' ' || extract(epoch FROM now() + make_interval(mins => $3))::bigint)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);

const VALID = `name = $1 AND split_part(value, ' ', 1) = $2
  AND split_part(value, ' ', 2)::bigint > extract(epoch FROM now())`;
const FIND = statement('users.find_setup_key', `SELECT 1 FROM secrets WHERE ${VALID}`);
const USE = statement('users.use_setup_key', `DELETE FROM secrets WHERE ${VALID} RETURNING 1`);

/** The one-time key that makes the first administrator. Only its hash is stored. */
@Injectable()
export class FirstAdministratorRepository {
  constructor(private readonly database: Database) {}

  async hasAdministrator(executor: SqlExecutor = this.database): Promise<boolean> {
    return (await executor.query(EXISTS)).length > 0;
  }

  /** Stores a key, which replaces an earlier one. */
  async insertKey(hash: string, minutes: number): Promise<void> {
    await this.database.query(STORE, [NAME, hash, minutes]);
  }

  /** Whether the key is stored and has not expired. */
  async existsKey(hash: string): Promise<boolean> {
    return (await this.database.query(FIND, [NAME, hash])).length > 0;
  }

  /** Deletes the key. @returns false when it was used before, or has expired */
  async deleteKey(hash: string, executor: SqlExecutor): Promise<boolean> {
    return (await executor.query(USE, [NAME, hash])).length > 0;
  }
}

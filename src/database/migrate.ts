import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { responseTimeoutOf } from './data-source';
import { lossesOf, type Losses } from './migration-losses';
import { withResponseTimeout } from './unresponsive-database';

/** A number that no other advisory lock uses: "comm" in ASCII. */
const MIGRATION_LOCK = 0x636f6d6d;

/**
 * Runs work on the schema under an advisory lock, on the connection that holds it. The lock is
 * released when the connection ends for any reason.
 */
async function withMigrationLock<T>(
  source: DataSource,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = source.createQueryRunner();
  await runner.connect();
  try {
    const [previous] = (await runner.query(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS run`,
    )) as { lock: string; run: string }[];
    // A migration, also that of another process, may take longer than the timeouts of requests.
    await runner.query('SET lock_timeout = 0');
    await runner.query('SET statement_timeout = 0');
    try {
      await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      // Restores the lock timeout: a migration that waits for a table blocks all other requests on
      // it.
      await runner.query(`SET lock_timeout = '${previous?.lock ?? 0}'`);
      const executor = new MigrationExecutor(source, runner);
      executor.transaction = 'each';
      return await work(executor, runner);
    } finally {
      await runner.query('SELECT pg_advisory_unlock_all()');
      await runner.query(`SET lock_timeout = '${previous?.lock ?? 0}'`);
      await runner.query(`SET statement_timeout = '${previous?.run ?? 0}'`);
    }
  } finally {
    await runner.release();
  }
}

/**
 * Applies pending migrations, oldest first. Migrations have no time limit, nor has the wait for
 * those of another process. If none is pending, the server must respond in time.
 *
 * @returns names of the applied migrations
 * @throws Error when the server does not respond; errors of migrations
 */
export async function migrateUp(source: DataSource): Promise<string[]> {
  const status = withResponseTimeout(responseTimeoutOf(source), migrationStatus(source));
  const states = await status.catch((error: unknown) => {
    throw new Error('The migrations of the database cannot be read', { cause: error });
  });
  if (states.every(({ applied }) => applied)) return [];
  return withMigrationLock(source, async (executor) => {
    const applied = await executor.executePendingMigrations();
    return applied.map(({ name }) => name);
  });
}

/** The migration that would be reverted, and the data that would be lost. */
export interface Reversal {
  readonly name: string;
  readonly losses: Losses;
}

/**
 * Reverts the last applied migration, after `confirm` has received the losses.
 *
 * @returns the reverted migration, or undefined when none is applied
 * @throws errors of `confirm`; then nothing is changed
 */
export function migrateDown(
  source: DataSource,
  confirm: (reversal: Reversal) => void | Promise<void>,
): Promise<Reversal | undefined> {
  return withMigrationLock(source, async (executor, runner) => {
    // In the order of application, as TypeORM reverts them.
    const [last] = (await executor.getExecutedMigrations()).sort(
      (first, second) => Number(second.id) - Number(first.id),
    );
    if (!last) return undefined;
    const migration = source.migrations.find(({ name }) => name === last.name);
    if (!migration)
      throw new Error(`This version of Commonplace does not contain the migration ${last.name}.`);
    const losses = await lossesOf(runner, (trial) => migration.down(trial));
    const reversal = { name: last.name, losses };
    await confirm(reversal);
    await executor.undoLastMigration();
    return reversal;
  });
}

export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
}

/** The migrations of a database. */
export interface Migrations {
  /** Every migration of this version and whether it is applied, oldest first. */
  readonly states: MigrationState[];
  /** Applied ones that this version does not contain, usually those of later versions. */
  readonly later: string[];
}

export async function readMigrations(source: DataSource): Promise<Migrations> {
  const names = source.migrations.map(({ name = '' }) => name);
  const applied = await appliedMigrations(source);
  return {
    states: names.map((name) => ({ name, applied: applied.has(name) })),
    later: [...applied].filter((name) => !names.includes(name)),
  };
}

/** Every migration of this version and whether it is applied, oldest first. */
export const migrationStatus = async (source: DataSource): Promise<MigrationState[]> =>
  (await readMigrations(source)).states;

async function appliedMigrations(source: DataSource): Promise<ReadonlySet<string>> {
  const [{ exists } = { exists: false }] = await source.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  const rows = exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  return new Set(rows.map(({ name }) => name));
}

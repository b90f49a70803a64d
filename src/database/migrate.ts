import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { lossesOf, type Losses } from './migration-losses';

/** Any number will do, as long as nobody else uses it: "commonplace" in ASCII, shortened. */
const MIGRATION_LOCK = 0x636f6d6d;

/**
 * Runs work on the schema while no other process does, on the connection that holds the lock: it is
 * free again as soon as that connection ends, however it does.
 */
async function alone<T>(
  source: DataSource,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = source.createQueryRunner();
  await runner.connect();
  try {
    const [former] = (await runner.query(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS run`,
    )) as { lock: string; run: string }[];
    // Another process's migration may take longer than a request may, and so may one's own.
    await runner.query('SET lock_timeout = 0');
    await runner.query('SET statement_timeout = 0');
    try {
      await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      // Tables are waited for as long as by a request: who waits for one keeps all others waiting.
      await runner.query(`SET lock_timeout = '${former?.lock ?? 0}'`);
      const executor = new MigrationExecutor(source, runner);
      executor.transaction = 'each';
      return await work(executor, runner);
    } finally {
      await runner.query('SELECT pg_advisory_unlock_all()');
      await runner.query(`SET lock_timeout = '${former?.lock ?? 0}'`);
      await runner.query(`SET statement_timeout = '${former?.run ?? 0}'`);
    }
  } finally {
    await runner.release();
  }
}

/** Applies what is pending, oldest first. @returns names of the applied migrations */
export function migrateUp(source: DataSource): Promise<string[]> {
  return alone(source, async (executor) => {
    const applied = await executor.executePendingMigrations();
    return applied.map(({ name }) => name);
  });
}

/** The migration that would be reverted, and what would be lost with it. */
export interface Reversal {
  readonly name: string;
  readonly losses: Losses;
}

/**
 * Reverts the migration that was applied last, once `confirm` has seen what would be lost.
 *
 * @returns what was reverted, or undefined when no migration is applied
 * @throws what `confirm` throws; nothing is changed then
 */
export function migrateDown(
  source: DataSource,
  confirm: (reversal: Reversal) => void | Promise<void>,
): Promise<Reversal | undefined> {
  return alone(source, async (executor, runner) => {
    // By the order in which they were applied, as TypeORM reverts them.
    const [last] = (await executor.getExecutedMigrations()).sort(
      (one, other) => Number(other.id) - Number(one.id),
    );
    if (!last) return undefined;
    const migration = source.migrations.find(({ name }) => name === last.name);
    if (!migration) throw new Error(`This version of the program does not have ${last.name}.`);
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

/** Every migration and whether it is applied, oldest first. */
export async function migrationStatus(source: DataSource): Promise<MigrationState[]> {
  const [{ exists } = { exists: false }] = await source.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  const rows = exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const applied = new Set(rows.map(({ name }) => name));
  return source.migrations.map(({ name = '' }) => ({ name, applied: applied.has(name) }));
}

import { type DataSource } from 'typeorm';

/** Any number will do, as long as nobody else uses it: "commonplace" in ASCII, shortened. */
const MIGRATION_LOCK = 0x636f6d6d;

/**
 * Runs work on the schema while no other process does. The lock is held on a connection of its
 * own and goes with it.
 */
async function alone<T>(source: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  await runner.connect();
  try {
    // Waiting for another process's migration may take longer than a request may.
    await runner.query('SET lock_timeout = 0; SET statement_timeout = 0');
    await runner.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    return await work();
  } finally {
    await runner.query(`SELECT pg_advisory_unlock_all()`);
    await runner.query('RESET lock_timeout; RESET statement_timeout');
    await runner.release();
  }
}

/** Applies what is pending, oldest first. @returns names of the applied migrations */
export function migrateUp(source: DataSource): Promise<string[]> {
  return alone(source, async () => {
    const applied = await source.runMigrations();
    return applied.map(({ name }) => name);
  });
}

/** Takes the newest migration back. @returns its name, or undefined when there is none */
export function migrateDown(source: DataSource): Promise<string | undefined> {
  return alone(source, async () => {
    const [newest] = (await migrationStatus(source)).filter(({ applied }) => applied).reverse();
    if (!newest) return undefined;
    await source.undoLastMigration();
    return newest.name;
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

import { statement, type SqlExecutor } from '../../database/database';
import { type ImportJob } from './import-options';
import { type ParsedRecord } from './parsed-record';
import { type Outcome } from './record-handler';

// Earlier versions stored no version of the file.
const READ = statement(
  'import_export.stored_parts',
  `SELECT imported, updated, skipped FROM transfer_job_parts
   WHERE job_id = $1 AND file = $2 AND file_version IN ('', $3)`,
);
// The lock makes a run that begins wait for the end of the transaction.
const ADD = statement(
  'import_export.add_stored_part',
  `INSERT INTO transfer_job_parts (job_id, file, last, imported, updated, skipped, file_version)
   SELECT id, $3, $4::int, $5::int[], $6::int[], $7::int[], $8 FROM transfer_jobs
   WHERE id = $1 AND run = $2 FOR KEY SHARE
   RETURNING id`,
);

/** Positions of records in their file, by outcome. */
type StoredPart = Readonly<Record<Outcome, readonly number[]>>;

/**
 * The records that an import job has completed since its last saved progress. Each transaction adds
 * its records, so that a later attempt does not overwrite records that users have changed or deleted
 * since.
 */
export class StoredParts {
  private readonly outcomes = new Map<number, Outcome>();

  /** @param job undefined for an import that is never resumed */
  constructor(
    private readonly job: ImportJob | undefined,
    private readonly file: string,
  ) {}

  private get fileVersion(): string {
    return this.job?.fileVersion ?? '';
  }

  /** Reads the parts of earlier attempts that read the same version of the file. */
  async read(executor: Pick<SqlExecutor, 'query'>): Promise<void> {
    if (this.job === undefined) return;
    for (const part of await executor.query<StoredPart>(READ, [
      this.job.id,
      this.file,
      this.fileVersion,
    ])) {
      for (const outcome of Object.keys(part) as Outcome[])
        for (const position of part[outcome]) this.outcomes.set(position, outcome);
    }
  }

  /** The outcome of a record that an earlier attempt has completed. */
  outcomeOf(position: number): Outcome | undefined {
    return this.outcomes.get(position);
  }

  /**
   * Adds records to the transaction that stores them.
   * @throws Error when another process has taken the job over, because this one was frozen
   */
  async add(
    executor: SqlExecutor,
    records: readonly ParsedRecord[],
    outcomes: readonly Outcome[],
  ): Promise<void> {
    if (this.job === undefined) return;
    const part = { imported: [] as number[], updated: [] as number[], skipped: [] as number[] };
    records.forEach(({ position }, at) => {
      const outcome = outcomes[at];
      if (outcome) part[outcome].push(position);
    });
    const last = records.at(-1)?.position;
    const { id, run } = this.job;
    const { imported, updated, skipped } = part;
    const values = [id, run, this.file, last, imported, updated, skipped, this.fileVersion];
    const [added] = await executor.query(ADD, values);
    if (!added) throw new Error('another process has taken over the job');
  }
}

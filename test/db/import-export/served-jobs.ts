import { mkdir } from 'node:fs/promises';
import { type Job } from '../../../src/import-export/jobs/job';
import { FullTransfer } from './full';
import { toLines } from './transfer';

/** A database with a TRANSFER_DIR, whose jobs a test runs as a server does. */
export class ServedJobs {
  private constructor(
    readonly full: FullTransfer,
    /** TRANSFER_DIR. */
    readonly folder: string,
  ) {}

  /** Arguments are those of {@link FullTransfer.open}. */
  static async open(...args: Parameters<typeof FullTransfer.open>): Promise<ServedJobs> {
    const full = await FullTransfer.open(...args);
    const folder = full.place('transfer');
    await mkdir(folder);
    return new ServedJobs(full, folder);
  }

  /** Runs all waiting jobs. @returns the job after that */
  async done({ id }: Job, signal = new AbortController().signal): Promise<Job> {
    expect(await this.full.jobs.runAndResumeJobs(signal)).toBe(true);
    return (await this.full.jobs.get(id)) as Job;
  }

  /** Number of users in the database. */
  async users(): Promise<number> {
    const sql = 'SELECT count(*)::int AS n FROM users';
    return (await this.full.query<{ n: number }>(sql))[0]?.n ?? 0;
  }
}

/** Lines of user records with the ids from 1. */
export const people = (count: number): string =>
  toLines(Array.from({ length: count }, (_, at) => ({ id: at + 1, uid: `u${at}`, name: 'n' })));

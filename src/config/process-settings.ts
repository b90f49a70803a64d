import { availableParallelism } from 'node:os';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { ConnectionSettings } from './connection-settings';

/** Settings of the processes of a server; part of `Settings`. */
export class ProcessSettings extends ConnectionSettings {
  /**
   * Number of worker processes that share PORT, or `auto` for one per CPU. Without it the server is
   * a single process.
   */
  @IsOptional()
  @Matches(/^(auto|[1-9]\d?)$/, { message: 'WORKERS must be auto or a number from 1 to 99' })
  WORKERS?: string;

  /**
   * Work of the process: `api` serves requests, `jobs` runs imports, exports and scheduled tasks and
   * serves only `/healthz` and `/readyz`, `all` does both.
   */
  @IsIn(['all', 'api', 'jobs'])
  ROLE: 'all' | 'api' | 'jobs' = 'all';

  /** Whether the process serves the API and the pages. */
  get servesApi(): boolean {
    return this.ROLE !== 'jobs';
  }

  /** Whether the process runs jobs and scheduled tasks. */
  get runsJobs(): boolean {
    return this.ROLE !== 'api';
  }

  /** Number of workers; undefined when the server is a single process. */
  get workerCount(): number | undefined {
    if (this.WORKERS === undefined) return undefined;
    return this.WORKERS === 'auto' ? availableParallelism() : Number(this.WORKERS);
  }
}

/** Process settings without a default. */
export const PROCESS_SETTINGS_UNSET = ['WORKERS'] as const;

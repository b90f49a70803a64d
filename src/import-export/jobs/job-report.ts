import { type ImportError } from '../engine/import-options';
import { MAX_ERRORS, type Job, type JobProgress } from './job';
import { type JobUpdate } from './jobs.repository';

/**
 * The progress and the rejected records of a running job. Each update has the rejected records up
 * to its progress: an import that is resumed continues at the progress, and rejects later records
 * again.
 */
export class JobReport {
  private errors: ImportError[] = [];
  private errorCount = 0;
  /** The latest progress, with the errors until then. */
  update: JobUpdate = { progress: [], errors: [], error_count: 0 };

  /** Begins with what earlier attempts have reported. */
  continue({ progress, errors, error_count }: Job): void {
    this.errors = [...errors];
    this.errorCount = error_count;
    this.setProgress(progress);
  }

  addError(error: ImportError): void {
    this.errorCount += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push(error);
  }

  setProgress(progress: readonly JobProgress[]): void {
    this.update = { progress, errors: [...this.errors], error_count: this.errorCount };
  }
}

import { type FirstAttempt } from './assigned-ids';
import { type ParsedRecord } from './parsed-record';
import { type Comparison } from './store';

/** The result counts of an import. */
export interface ImportSummary {
  imported: number;
  updated: number;
  /** Records that equal the stored ones. */
  skipped: number;
  failed: number;
}

/** A record that the import rejected. */
export interface ImportError {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** An attempt of an import job. */
export interface ImportJob {
  readonly id: number;
  readonly run: number;
  /**
   * Version of the file: its size and the time of its last change. Parts of other versions are ignored.
   * Empty for imports of one file, whose jobs start over when it has changed.
   */
  readonly fileVersion?: string;
}

export interface ImportOptions {
  readonly dryRun?: boolean;
  /** Id of the parent, for records that do not name it. */
  readonly of?: number;
  /** Called for the rejected records of a batch when it is complete, in the order of the file. */
  readonly onError?: (error: ImportError) => void;
  /**
   * Called when a batch and all before it are complete, after `onError`. The counts cover the first
   * records of the file without gaps: their sum is the position of the last one.
   */
  readonly onProgress?: (summary: Readonly<ImportSummary>) => void;
  /** Aborts the import within 10 records; it throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The first attempt of the import, if there was one before. */
  readonly firstAttempt?: FirstAttempt;
  /**
   * The job of the import: each transaction stores which records of the file it has completed, so
   * that another attempt skips them.
   */
  readonly job?: ImportJob;
  /** Counts of earlier attempts of the job; the import continues after these records. */
  readonly before?: Readonly<ImportSummary>;
  /** Whether the input ends before the file does, so that its last record may be incomplete. */
  readonly isCutOff?: () => boolean;
  /** Called in a dry run for each batch, in the order of the file. */
  readonly onCompared?: (comparison: Comparison, batch: readonly ParsedRecord[]) => void;
}

/** The counts before the first record. */
export const EMPTY_SUMMARY: Readonly<ImportSummary> = {
  imported: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
};

/** Number of records that were counted. */
export const recordsOf = ({ imported, updated, skipped, failed }: ImportSummary): number =>
  imported + updated + skipped + failed;

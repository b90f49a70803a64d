import { type RecordHandler } from './record-handler';

/** A record of a file. */
export interface ParsedRecord {
  /** Of all records of the file, 1-based. A line may have several records. */
  readonly position: number;
  readonly line: number;
  readonly record: unknown;
}

/** A record of a file that cannot be stored. */
export interface InvalidRecord {
  readonly position: number;
  readonly line: number;
  readonly reason: string;
}

/** Consecutive records of a file. */
export interface Batch {
  readonly kind: RecordHandler;
  readonly records: readonly (ParsedRecord | InvalidRecord)[];
}

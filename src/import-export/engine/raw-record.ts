import { isUtf8 } from 'node:buffer';
import { isNestedDeeper } from '../../api/body/json-depth';
import { type Envelope } from './record-handler';
import { hasTooManyValues, NOT_UTF8, TOO_DEEP, TOO_MANY_VALUES } from './record-limits';

/** One record of a file, or the reason it is invalid. */
export interface RawRecord {
  /** The line it begins on, 1-based. */
  readonly line: number;
  readonly value?: unknown;
  /** Member name of the surrounding list, if the file is a list response. */
  readonly member?: string;
  /** The surrounding list response, if requested. */
  readonly envelope?: Envelope;
  readonly error?: string;
}

/** The members of list responses that contain records. */
export interface ListMembers {
  /** Members whose elements are records. */
  readonly members: ReadonlySet<string>;
  /** Members whose elements need the surrounding list response. */
  readonly needingEnvelope: ReadonlySet<string>;
}

/** A record and its size in bytes. */
export interface SizedRecord {
  readonly record: RawRecord;
  readonly size: number;
}

/** Parses the JSON of one record. */
export const parseRecord = (json: Buffer, line: number): RawRecord =>
  isUtf8(json) ? parseText(json.toString(), line) : { line, error: NOT_UTF8 };

/** Parses the text of one record. */
export function parseText(json: string, line: number): RawRecord {
  if (hasTooManyValues(json)) return { line, error: TOO_MANY_VALUES };
  if (isNestedDeeper(json)) return { line, error: TOO_DEEP };
  try {
    return { line, value: JSON.parse(json) as unknown };
  } catch {
    return { line, error: 'not valid JSON' };
  }
}
